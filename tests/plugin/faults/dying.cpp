// SPDX-License-Identifier: Apache-2.0
// Batches that end the process or throw, on one member or on one of several.
#include <unistd.h>

#include <barrier>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "fault.hpp"

namespace faults {
namespace {

[[noreturn]] void refuse() { throw std::runtime_error("refused on purpose"); }

void throw_in_a_thread() {
  std::thread([]() noexcept { refuse(); }).join();
}

void die_of_segv() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

void say(std::string_view text) { [[maybe_unused]] const auto written = ::write(3, text.data(), text.size()); }

void answer_in_part() {
  say("{\"protocol\":1,\"numb");
  std::_Exit(0);
}

// Member `rank` throws before the others wait for it, among them, or when they have gone on.
Batch throw_on_one_member(assay::Setup& setup) {
  const int rank = setup.level<int>("rank");
  const std::string when = setup.word("when");
  auto& barrier = setup.share<std::barrier<>>(setup.members());
  return [rank, when, &barrier](assay::Member& member, assay::Reps reps) {
    const bool is_it = member.rank() == rank;
    if (is_it && when == "before") refuse();
    barrier.arrive_and_wait();
    if (is_it && when == "within") refuse();
    barrier.arrive_and_wait();
    if (is_it) refuse();
    return fair(reps);
  };
}

}  // namespace

void register_dying(assay::Registry& registry) {
  add(registry, "segv", die_of_segv);
  add(registry, "abort", [] { std::abort(); });
  add(registry, "exit0", [] { std::exit(0); });
  add(registry, "throw", refuse);
  add(registry, "throw-in-thread", throw_in_a_thread);
  add(registry, "garbage-reply", [] { say("nonsense\n"); });
  add(registry, "partial-reply", answer_in_part);
  add(registry, "closes-fd3", [] { ::close(3); });
  assay::Description one = description("throw-on-member", 3);
  one.factors = {{.name = "rank", .kind = assay::FactorKind::quantitative, .standard = std::int64_t{1}},
                 {.name = "when", .standard = std::string("before"), .words = {"before", "within", "after"}}};
  add(registry, one, throw_on_one_member);
}

}  // namespace faults
