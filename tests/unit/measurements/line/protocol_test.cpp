// SPDX-License-Identifier: Apache-2.0
// The protocol of sync/line on simulated caches: every access finds the state that is claimed, and a preparation that
// lacks anything is found out.
#include "line/protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "line/pool.hpp"
#include "support/machines/coherence_model.hpp"

namespace assay {
namespace {

using test::Coherence;
using test::ModelLines;

constexpr std::uint64_t key = key_from(0x1234'5678'9abc'def0);
constexpr Coherence kinds[] = {Coherence::mesi, Coherence::mesif, Coherence::moesi};

std::vector<LineCase> all_cases() {
  std::vector<LineCase> cases;
  for (const std::string& state : line_states())
    for (const std::string& holder : line_holders())
      for (int members = 1; members <= 4; ++members) {
        const LineCase one{line_state(state), line_holder(holder), members};
        if (line_objection(one).empty()) cases.push_back(one);
      }
  return cases;
}

std::string name_of(const LineCase& one) {
  return line_states().at(static_cast<std::size_t>(one.state)) + ", " +
         line_holders().at(static_cast<std::size_t>(one.holder)) + ", " + std::to_string(one.members) + " members";
}

// What a processor without that state has in its place.
LineState as_of(Coherence kind, LineState claimed) {
  return claimed == LineState::owned && kind != Coherence::moesi ? LineState::shared : claimed;
}

struct Outcome {
  bool states_hold = true;
  bool values_hold = true;
  bool all() const { return states_hold && values_hold; }
};

// Runs a recipe on lines that all members had before, in the order of the steps as the meetings force it.
Outcome prepare(ModelLines& lines, Coherence kind, const LineCase& wanted, const std::vector<LineStep>& recipe,
                ChosenLines chosen) {
  for (int rank = 0; rank < wanted.members; ++rank)
    for (const std::uint32_t at : chosen) static_cast<void>(lines.load(rank, at));
  std::uint64_t different = 0;
  for (const LineStep& step : recipe)
    for (int rank = 0; rank < wanted.members; ++rank)
      if (step.is_by(rank)) different |= perform(lines, rank, step, chosen, key);
  Outcome outcome;
  outcome.values_hold = different == 0;
  const auto claimed = line_states_of(wanted);
  for (int rank = 0; rank < wanted.members; ++rank)
    for (const std::uint32_t at : chosen)
      outcome.states_hold &= lines.cached(rank, at).state == as_of(kind, claimed.at(static_cast<std::size_t>(rank)));
  return outcome;
}

LineOffsets some_lines() { return LineChooser(7).next(); }

template <class Use>
void for_each_operation(Use use) {
  for (const std::string& word : line_operations())
    with_operation(word, [&]<LineOperation operation>() { use.template operator()<operation>(word); });
}

TEST(LineProtocol, EveryRecipeLeadsToTheStateThatItClaims) {
  for (const Coherence kind : kinds)
    for (const LineCase& wanted : all_cases()) {
      ModelLines lines(kind, wanted.members);
      const auto outcome = prepare(lines, kind, wanted, line_recipe(wanted), some_lines());
      EXPECT_TRUE(outcome.states_hold) << name_of(wanted);
      EXPECT_TRUE(outcome.values_hold) << name_of(wanted);
    }
}

// A pass changes the states: each line has to be accessed in the one it was prepared in, whatever was done to others.
TEST(LineProtocol, EveryOperationFindsEachLineAsPrepared) {
  static LineState expected_state;
  static int found_otherwise;
  static int accesses;
  for (const Coherence kind : kinds)
    for (const LineCase& wanted : all_cases())
      for_each_operation([&]<LineOperation operation>(const std::string& word) {
        ModelLines lines(kind, wanted.members);
        const LineOffsets chosen = some_lines();
        expected_state = as_of(kind, line_states_of(wanted).front());
        accesses = 0;
        found_otherwise = 0;
        lines.before_access = [](ModelLines& at_access, std::size_t at) {
          ++accesses;
          found_otherwise += at_access.cached(0, at).state != expected_state ? 1 : 0;
        };
        for (int pass = 0; pass < 2; ++pass) {
          EXPECT_TRUE(prepare(lines, kind, wanted, line_recipe(wanted), chosen).all());
          const std::uint64_t different = pass == 0
                                              ? access_lines<operation, LineFollow::dependent>(lines, 0, chosen, key)
                                              : access_lines<operation, LineFollow::independent>(lines, 0, chosen, key);
          EXPECT_EQ(different, 0U) << word << ": " << name_of(wanted);
        }
        EXPECT_EQ(accesses, 2 * static_cast<int>(lines_per_pass));
        EXPECT_EQ(found_otherwise, 0) << word << ": " << name_of(wanted);
      });
}

TEST(LineProtocol, WhatAWriteLeavesIsOneModifiedLine) {
  const LineCase wanted{LineState::shared, LineHolder::self, 3};
  ModelLines lines(Coherence::moesi, 3);
  const LineOffsets chosen = some_lines();
  prepare(lines, Coherence::moesi, wanted, line_recipe(wanted), chosen);
  access_lines<LineOperation::store, LineFollow::independent>(lines, 0, chosen, key);
  for (const std::uint32_t at : chosen) {
    EXPECT_EQ(lines.cached(0, at).state, LineState::modified);
    EXPECT_EQ(lines.cached(1, at).state, LineState::invalid);
  }
}

// Of a protocol that marks who answers for sharers, the two orders of reading differ.
TEST(LineProtocol, TheLastReaderOfASharedLineIsMember0OnlyWhereBothHaveIt) {
  for (const auto& [holder, is_forward] : {std::pair{LineHolder::self, false}, {LineHolder::both, true}}) {
    const LineCase wanted{LineState::shared, holder, 2};
    ModelLines lines(Coherence::mesif, 2);
    const LineOffsets chosen = some_lines();
    prepare(lines, Coherence::mesif, wanted, line_recipe(wanted), chosen);
    EXPECT_EQ(lines.cached(0, chosen[0]).is_forward, is_forward);
  }
}

// Broken on purpose: each step left out in turn. On some processor it must be told by a state or a value.
TEST(LineProtocol, NoStepOfAnyRecipeCanBeLeftOut) {
  for (const LineCase& wanted : all_cases()) {
    const auto recipe = line_recipe(wanted);
    for (std::size_t left_out = 0; left_out < recipe.size(); ++left_out) {
      auto broken = recipe;
      broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(left_out));
      bool is_told = false;
      for (const Coherence kind : kinds) {
        ModelLines lines(kind, wanted.members);
        const LineOffsets chosen = some_lines();
        is_told |= !prepare(lines, kind, wanted, broken, chosen).all() ||
                   access_lines<LineOperation::exchange, LineFollow::dependent>(lines, 0, chosen, key) != 0;
      }
      EXPECT_TRUE(is_told) << name_of(wanted) << " without step " << left_out;
    }
  }
}

// Broken on purpose: what was stored or flushed has not taken effect when the next member goes on.
TEST(LineProtocol, APreparationWithoutFencesIsFoundOut) {
  for (const LineCase& wanted : all_cases()) {
    ModelLines lines(Coherence::moesi, wanted.members);
    lines.completes = false;
    const LineOffsets chosen = some_lines();
    const bool is_told = !prepare(lines, Coherence::moesi, wanted, line_recipe(wanted), chosen).all() ||
                         access_lines<LineOperation::exchange, LineFollow::dependent>(lines, 0, chosen, key) != 0;
    EXPECT_TRUE(is_told) << name_of(wanted);
  }
}

TEST(LineProtocol, WhatMembersCannotPrepareIsRefused) {
  using enum LineState;
  using enum LineHolder;
  EXPECT_NE(line_objection({modified, other, 1}), "");
  EXPECT_NE(line_objection({modified, both, 2}), "");
  EXPECT_NE(line_objection({shared, other, 2}), "");
  EXPECT_NE(line_objection({owned, self, 1}), "");
  EXPECT_EQ(line_objection({shared, other, 3}), "");
  EXPECT_EQ(line_objection({owned, both, 2}), "");
  EXPECT_EQ(line_objection({invalid, self, 1}), "");
}

TEST(LineChooser, APassHasDifferentPairsAndTheNextPassOthers) {
  LineChooser chooser(3);
  std::set<LineOffsets> passes;
  std::set<std::uint32_t> used;
  for (int pass = 0; pass < 200; ++pass) {
    const LineOffsets chosen = chooser.next();
    std::set<std::size_t> pairs;
    for (const std::uint32_t at : chosen) {
      EXPECT_EQ(at % LinePool::line, 0U);
      const std::size_t pair = at / line_size;
      pairs.insert(pair);
      EXPECT_NE(pair % LinePool::pairs, LinePool::left_out(pair / LinePool::pairs)) << "where pages are touched";
    }
    EXPECT_EQ(pairs.size(), lines_per_pass);
    EXPECT_LT(*pairs.rbegin(), LinePool::pages * LinePool::pairs);
    EXPECT_FALSE(std::ranges::is_sorted(chosen)) << "a prefetcher would foresee it";
    passes.insert(chosen);
    used.insert(chosen.begin(), chosen.end());
  }
  EXPECT_EQ(passes.size(), 200U);
  EXPECT_GT(used.size(), LinePool::places) << "lines of both sides of a pair";
}

}  // namespace
}  // namespace assay
