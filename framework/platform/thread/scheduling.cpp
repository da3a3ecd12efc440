// SPDX-License-Identifier: Apache-2.0
// The calling thread's scheduling policy, by name.
#include "platform/thread/scheduling.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

#include "base/error.hpp"

namespace assay {
namespace {

struct Policy {
  const char* word;
  int number;
};
constexpr std::array<Policy, 5> policies{
    {{"other", SCHED_OTHER}, {"batch", SCHED_BATCH}, {"idle", SCHED_IDLE}, {"fifo", SCHED_FIFO}, {"rr", SCHED_RR}}};

}  // namespace

const std::vector<std::string>& policy_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all{inherited_policy};
    for (const Policy& policy : policies) all.emplace_back(policy.word);
    return all;
  }();
  return words;
}

bool take_policy(const std::string& word) {
  if (word == inherited_policy) return true;
  const auto policy = std::find_if(policies.begin(), policies.end(), [&](const Policy& p) { return p.word == word; });
  if (policy == policies.end()) throw std::invalid_argument("there is no scheduling policy '" + word + "'");
  sched_param parameters{};
  parameters.sched_priority = ::sched_get_priority_min(policy->number);
  if (::sched_setscheduler(0, policy->number, &parameters) == 0) return true;
  if (errno == EPERM) return false;
  throw PlatformError("scheduling policy " + word, errno);
}

std::string policy_of_self() {
  const int number = ::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  for (const Policy& policy : policies)
    if (policy.number == number) return policy.word;
  return inherited_policy;
}

}  // namespace assay
