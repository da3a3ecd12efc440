// SPDX-License-Identifier: Apache-2.0
// Meanings of the codes.
#include "record/na_code.hpp"

#include <array>

namespace assay {

namespace {

constexpr std::array<const char*, 11> meanings{
    "members that poll make no progress on one CPU: the value would be a time slice",
    "messages merge or cannot queue: there is no rate of them; g[issue] is the cost of one more send",
    "the send contains the receiver's run, because waking it preempts the sender",
    "a delay between messages keeps the receiver from its CPU",
    "send and receive overlap: there is no latency between them",
    "issuing and draining are two costs only where a send is a store: here o_s[idle] is the only cost",
    "the receiver was not proved to sleep",
    "needs a real-time policy",
    "there is no separate receive",
    "not supported by the system, or by the channel",
    "the placement is not available here"};

}  // namespace

std::vector<std::string> all_codes() {
  std::vector<std::string> codes;
  for (std::size_t i = 1; i <= meanings.size(); ++i) codes.push_back("N" + std::to_string(i));
  return codes;
}

std::string_view meaning_of_code(std::string_view code) {
  const auto codes = all_codes();
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes[i] == code) return meanings.at(i);
  return {};
}

std::string code_in(std::string_view reason) {
  const auto code = reason.substr(0, reason.find(':'));
  return meaning_of_code(code).empty() || code.size() == reason.size() ? "" : std::string(code);
}

}  // namespace assay
