// SPDX-License-Identifier: Apache-2.0
// Passes over prepared lines.
#include "line/access.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay {

namespace {

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

LineCase case_of(const Setup& setup) {
  const LineCase wanted{line_state(setup.word("line")), line_holder(setup.word("holder")), setup.members()};
  if (const std::string objection = line_objection(wanted); !objection.empty()) throw Unsupported(objection, "N11");
  if (needs_flush(wanted.state) && !flushes_lines)
    throw Unsupported("a program cannot flush a cache line on this processor; choose line = modified", "N10");
  if (wanted.state == LineState::owned && !has_owned_state(text_of("/proc/cpuinfo")))
    throw Unsupported(
        "this processor is not known to have owned lines: one that was written is written back when "
        "another member reads it; choose line = shared",
        "N10");
  return wanted;
}

}  // namespace

LineAccess::LineAccess(Setup& setup)
    : case_(case_of(setup)),
      recipe_(line_recipe(case_)),
      pool_(setup.share<LinePool>()),
      pass_(setup.share<Pass>()),
      meeting_(setup.share<Meeting>()),
      polling_(setup),
      chooser_(setup.seed()),
      own_(static_cast<std::size_t>(setup.members())) {
  const bool is_chain = setup.word("access") == "dependent";
  batch_ = with_operation(setup.word("operation"), [&]<LineOperation operation>() {
    return is_chain ? &LineAccess::batch<operation, LineFollow::dependent>
                    : &LineAccess::batch<operation, LineFollow::independent>;
  });
}

// Returns when all members are here: what each did before is done for all. A counter that only rises needs no reset.
void LineAccess::meet(const Member& member) {
  const std::uint64_t all =
      static_cast<std::uint64_t>(case_.members) * ++own_[static_cast<std::size_t>(member.rank())].meetings;
  meeting_.arrived.fetch_add(1, std::memory_order_acq_rel);
  polling_.until([&] { return meeting_.arrived.load(std::memory_order_acquire) >= all; });
}

std::uint64_t LineAccess::prepare(const Member& member) {
  const int rank = member.rank();
  if (rank == 0) {
    pass_.chosen = chooser_.next();
    pass_.key = chooser_.next_key();
  }
  meet(member);
  PoolLines lines(pool_);
  std::uint64_t different = 0;
  for (const LineStep& step : recipe_) {
    if (step.is_by(rank)) different |= perform(lines, rank, step, pass_.chosen, pass_.key);
    meet(member);
  }
  return different;
}

template <LineOperation operation, LineFollow follow>
Claims LineAccess::batch(Member& member, Reps reps) {
  const int rank = member.rank();
  std::uint64_t different = 0;
  Nanoseconds with{};
  Nanoseconds without{};
  for (std::int64_t left = reps.count; left > 0; --left) {
    different |= prepare(member);
    if (rank != 0) continue;
    PoolLines lines(pool_);
    const LineOffsets chosen = pass_.chosen;  // in this member's cache, which others have not read
    const std::uint64_t key = pass_.key;
    lines.touch_pages();
    lines.complete(rank);
    std::uint64_t found = 0;
    with += member.timed(Reps{1}, [&] { found = access_lines<operation, follow>(lines, rank, chosen, key); });
    different |= found;
    without += member.timed(Reps{1}, [&] { keep(access_nothing<operation, follow>(lines, rank, chosen, key)); });
  }
  if (different != 0) throw std::logic_error("a line did not hold what the member that prepared it had written");
  if (rank != 0) return {};
  return Claims(with - without).set(access, with).set(loop, without);
}

}  // namespace assay
