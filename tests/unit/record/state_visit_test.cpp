// SPDX-License-Identifier: Apache-2.0
// What the other batches of a visit say of one whose readings say alone.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record/state_sorter.hpp"

namespace assay::test {
namespace {

constexpr CoreReading lone_reading{{0.072}, {0.9}};
constexpr CoreReading busy_reading{{0.13}, {0.92}};

CoreLevels levels_of_both() {
  CoreLevels levels(3);
  for (int i = 0; i < 100; ++i) levels.add(0, i % 2 == 0 ? lone_reading : busy_reading);
  return levels;
}

/// A batch per letter: `a`lone, `s`hared, or alone before it and shared after it, which is `m`ixed.
std::vector<JudgedBatch> batches_of(std::string_view letters) {
  std::vector<JudgedBatch> batches;
  for (const char letter : letters) {
    Batch batch{Reps{1}, std::vector<MemberReport>(1)};
    MemberReport& report = batch.members.front();
    report.wall = microseconds(20);
    report.cpu_before = report.cpu_after = 0;
    report.core_before = letter == 's' ? busy_reading : lone_reading;
    report.core_after = letter == 'a' ? lone_reading : busy_reading;
    batches.push_back({batch, {}});
  }
  return batches;
}

/// What each batch of these visits counts as, by the same letters.
std::string told(const std::vector<std::string>& visits) {
  const CoreLevels levels = levels_of_both();
  const std::vector<CoreReading> apart{lone_reading};
  StateSorter sorter;
  for (const std::string& letters : visits) sorter.add({0, 0, 0, {}, apart, batches_of(letters)});
  sorter.settle(levels);
  std::string found;
  for (std::size_t i = 0; i < sorter.size(); ++i) found += to_text(sorter.sharing_of(i)).front();
  return found;
}

TEST(StateOfAVisit, AMomentWithoutTheOthersIsNoTimeAlone) {
  EXPECT_EQ(told({"sass"}), "smss");
  EXPECT_EQ(told({"mmam"}), "mmmm");
  EXPECT_EQ(told({"assssas"}), "mssssms");
}

TEST(StateOfAVisit, AThirdOfItIs) {
  for (const char* letters : {"a", "as", "ass", "mas", "saamss", "aaasa", "aaaaama"})
    EXPECT_EQ(told({letters}), letters);
}

TEST(StateOfAVisit, VisitsDoNotCountForEachOther) {
  EXPECT_EQ(told({"assss", "aa", "ssas", "ssss", "asa"}), "mssssaassmsssssasa");
}

TEST(StateOfAVisit, WhatIsAddedLaterIsJudgedAlike) {
  const CoreLevels levels = levels_of_both();
  const std::vector<CoreReading> apart{lone_reading};
  StateSorter sorter;
  sorter.settle(levels);
  sorter.add({0, 0, 0, {}, apart, batches_of("assss")});
  sorter.add({0, 0, 1, {}, apart, batches_of("as")});
  EXPECT_EQ(sorter.sharing_of(0), Sharing::mixed);
  EXPECT_EQ(sorter.sharing_of(5), Sharing::alone);
}

}  // namespace
}  // namespace assay::test
