// SPDX-License-Identifier: Apache-2.0
// Lists of CPU numbers.
#include "run/protocol/cpu_list.hpp"

namespace assay {
namespace {

constexpr int most_cpus = 1 << 20;

}  // namespace

Json::Array encode_cpus(const std::vector<int>& cpus) { return {cpus.begin(), cpus.end()}; }

std::vector<int> decode_cpus(Fields& fields, std::string_view key) {
  std::vector<int> cpus;
  for (const Json& item : fields.array(key)) {
    const std::int64_t cpu = item.integer();
    if (cpu < 0 || cpu >= most_cpus) fields.fail(key, "not the number of a CPU");
    cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

}  // namespace assay
