// SPDX-License-Identifier: Apache-2.0
// Memory of reading a journal: what is taken, and a line, however long the journal is.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/environment/live_bytes.hpp"
#include "support/environment/scratch.hpp"
#include "support/records/long_journal.hpp"

namespace assay::test {
namespace {

// Most live bytes above those at the start, seen at any head.
std::size_t growth_of_a_scan(const std::string& directory, std::int64_t& records) {
  const std::size_t start = live_bytes();
  std::size_t most = 0;
  const auto look = [&](const RecordHead& head) {
    most = std::max(most, live_bytes() - std::min(start, live_bytes()));
    return head.type == "point";
  };
  records = scan_journal(directory, look, [](const Record&) {}).records;
  return most;
}

TEST(JournalMemory, DoesNotGrowWithTheLengthOfTheJournal) {
  const Scratch scratch;
  std::int64_t records = 0;
  write_long_journal(scratch / "short", 500);
  write_long_journal(scratch / "long", 50'000);
  const std::size_t few = growth_of_a_scan(scratch / "short", records);
  const std::size_t many = growth_of_a_scan(scratch / "long", records);
  EXPECT_EQ(records, 50'501);
  EXPECT_LT(many, few + 200'000);
  EXPECT_LT(many, std::size_t{4} << 20U);
}

}  // namespace
}  // namespace assay::test
