// SPDX-License-Identifier: Apache-2.0
// Lists of CPUs as people and the kernel write them.
#include "text/cpu_list.hpp"

namespace assay {
namespace {

std::string range_text(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

}  // namespace

std::string cpu_ranges(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t from = 0, to = 0; from < cpus.size(); from = to) {
    for (to = from + 1; to < cpus.size() && cpus[to] == cpus[to - 1] + 1;) ++to;
    text += (text.empty() ? "" : ",") + range_text(cpus[from], cpus[to - 1]);
  }
  return text.empty() ? "none" : text;
}

}  // namespace assay
