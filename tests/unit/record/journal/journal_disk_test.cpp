// SPDX-License-Identifier: Apache-2.0
// A journal on disks that lose power, fill up and fail: nothing that was acknowledged is lost, nothing is invented.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "record/journal/journal.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/machines/fake_disk.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

constexpr const char* path = "campaign/journal.jsonl";

Point point_of(int number) {
  Point point;
  point.set("bytes", std::int64_t{number});
  return point;
}

// A short campaign: visits of some hundred bytes, a point after every third.
std::vector<Record> some_records() {
  std::vector<Record> records{CampaignRecord{"title", "[campaign]\n", 7, "interleaved"}};
  for (int i = 0; i < 12; ++i) {
    VisitRecord visit{"s", point_of(i), 0, 0, i, 0, {1}, {2}, 1, {}, {}};
    visit.batches.assign(static_cast<std::size_t>(2 + i % 5), {{Reps{3}, {{Nanoseconds{9}}}}, {}});
    records.emplace_back(visit);
    if (i % 3 == 2) {
      PointRecord point;
      point.series = "s";
      point.point = point_of(i);
      records.emplace_back(point);
    }
  }
  records.emplace_back(EndRecord{0, "complete", 4, 0, {5}});
  return records;
}

class JournalDisk : public ::testing::Test {
 protected:
  Journal journal(const JournalOptions& options = {}) {
    return {AppendFile(path, std::make_unique<test::FakeFile>(disk_), 0), 0, clock_, options};
  }

  // Checks what a journal's text yields: records that were written, and not fewer than `least`.
  void expect_recovered(const std::string& text, std::int64_t least) {
    const JournalContent content = parse_journal(text, path);
    ASSERT_GE(content.end.records, least);
    ASSERT_LE(content.records.size(), records_.size());
    for (std::size_t i = 0; i < content.records.size(); ++i) ASSERT_TRUE(test::same(content.records[i], records_[i]));
  }

  // The same without decoding: how many there are, and where they end.
  void expect_whole(const std::string& text, std::int64_t least) {
    const JournalEnd end = scan_journal_text(
        text, path, ".", [](const RecordHead&) { return false; }, [](const Record&) {});
    ASSERT_GE(end.records, least);
    ASSERT_EQ(text.compare(0, static_cast<std::size_t>(end.good_size), disk_.written, 0,
                           static_cast<std::size_t>(end.good_size)),
              0);
  }

  test::FakeDisk disk_;
  test::FakeClock clock_;
  std::vector<Record> records_ = some_records();
};

// Cuts the power after every operation, in every way that the model knows.
class PowerLoss : public JournalDisk {
 protected:
  void lose_power_at_every_operation(const JournalOptions& options) {
    Journal writing = journal(options);
    Rng rng(3);
    std::size_t looked_at = 0;  // the shortest text that was not cut yet since the promise
    std::int64_t kept = 0;
    disk_.after = [&] {
      const std::int64_t promised = writing.durable();
      if (std::exchange(kept, promised) != promised) looked_at = 0;
      for (std::size_t size = std::max(looked_at, disk_.synced.size()); size <= disk_.written.size(); ++size)
        expect_whole(disk_.written.substr(0, size), promised);
      looked_at = disk_.written.size();
      // Nothing is promised before the first record is on the disk: zeros there are no journal.
      for (std::uint64_t i = disk_.synced.empty() ? 40 : 0; i < 40; ++i) {
        const std::size_t size =
            disk_.written.size() - (i % 2) * rng.below(disk_.written.size() - disk_.synced.size() + 1);
        expect_recovered(after_power_loss(disk_, size, [&](std::size_t) { return rng.below(2) == 0; }), promised);
      }
      ++losses_;
    };
    for (const Record& record : records_) {
      writing.write(record);
      if (HasFatalFailure()) return;
    }
    disk_.after = [] {};
  }
  int losses_ = 0;
};

using DiskFaults = PowerLoss;

TEST_F(DiskFaults, F02_power_loss_costs_nothing_that_was_acknowledged) {
  lose_power_at_every_operation({});
  EXPECT_GT(losses_, 20);
}

TEST_F(DiskFaults, F02_power_loss_without_syncs_leaves_whole_records) {
  lose_power_at_every_operation({{Durability::Mode::none, {}}, false});
  EXPECT_EQ(parse_journal(disk_.synced, path).records.size(), 1U);
}

// Writes until something fails; the number of records that were acknowledged.
std::size_t write_until_failure(Journal& journal, const std::vector<Record>& records, std::string& message) {
  std::size_t acknowledged = 0;
  try {
    for (const Record& record : records) {
      journal.write(record);
      ++acknowledged;
    }
  } catch (const StorageError& error) {
    message = error.what();
  }
  return acknowledged;
}

TEST_F(DiskFaults, F03_full_disk_at_every_operation_leaves_whole_records) {
  for (int at = 0; at < 80; ++at) {
    disk_ = {};
    disk_.takes = 100;
    disk_.fails_at = at;
    disk_.error = ENOSPC;
    Journal writing = journal();
    std::string message;
    const auto acknowledged = write_until_failure(writing, records_, message);
    ASSERT_NE(message.find(path), std::string::npos) << at;
    ASSERT_NE(message.find("No space left on device"), std::string::npos) << message;
    ASSERT_NE(message.find("records before it are kept"), std::string::npos) << message;
    ASSERT_NE(message.find("'assay resume campaign'"), std::string::npos) << message;
    expect_recovered(disk_.written, static_cast<std::int64_t>(acknowledged));
    ASSERT_EQ(parse_journal(disk_.written, path).end.torn, 0) << "ends at a record";
    if (HasFatalFailure()) return;
  }
}

TEST_F(DiskFaults, F03_a_disk_that_cannot_cut_either_leaves_a_torn_tail) {
  for (int at = 0; at < 80; ++at) {
    disk_ = {};
    disk_.takes = 100;
    disk_.fails_at = at;
    disk_.stays_broken = true;
    disk_.error = ENOSPC;
    Journal writing = journal();
    std::string message;
    const auto acknowledged = write_until_failure(writing, records_, message);
    expect_recovered(disk_.written, static_cast<std::int64_t>(acknowledged));
    EXPECT_THROW(writing.write(NoteRecord{"more"}), StorageError);
    if (HasFatalFailure()) return;
  }
}

TEST_F(DiskFaults, F04_the_first_failed_sync_is_final) {
  Journal writing = journal();
  writing.write(records_[0]);
  disk_.fails_at = disk_.operations + 1;
  disk_.error = EIO;
  std::string message;
  EXPECT_EQ(write_until_failure(writing, {NoteRecord{"one"}}, message), 0U);
  EXPECT_NE(message.find("Input/output error"), std::string::npos) << message;
  EXPECT_EQ(writing.durable(), 1);
  EXPECT_THROW(writing.write(NoteRecord{"two"}), StorageError);
  EXPECT_THROW(writing.sync(), StorageError);
  EXPECT_EQ(disk_.synced, parse_journal(disk_.synced, path).end.records == 1 ? disk_.synced : "");
}

TEST_F(DiskFaults, F07_a_journal_that_is_gone_acknowledges_nothing) {
  Journal writing = journal();
  writing.write(records_[0]);
  disk_.in_place = false;
  std::string message;
  EXPECT_EQ(write_until_failure(writing, {NoteRecord{"one"}}, message), 0U);
  EXPECT_NE(message.find("was removed, renamed or replaced"), std::string::npos) << message;
  EXPECT_NE(message.find("1 records before it are kept"), std::string::npos) << message;
}

TEST_F(JournalDisk, IntervalSyncsAsOftenAsItSays) {
  Journal writing = journal({{Durability::Mode::interval, seconds(5)}, false});
  writing.write(records_[0]);
  clock_.advance(milliseconds(4999));
  writing.write(PointRecord{});
  EXPECT_EQ(writing.durable(), 1);
  clock_.advance(milliseconds(1));
  writing.sync_if_due();
  EXPECT_EQ(writing.durable(), 2);
  writing.write(EndRecord{});
  EXPECT_EQ(writing.durable(), 3);
}

TEST_F(JournalDisk, NoneSyncsTheFirstRecordOnly) {
  Journal writing = journal({{Durability::Mode::none, {}}, false});
  for (const Record& record : records_) {
    writing.write(record);
    clock_.advance(seconds(9));
    writing.sync_if_due();
  }
  EXPECT_EQ(writing.durable(), 1);
  writing.sync();
  EXPECT_EQ(writing.durable(), static_cast<std::int64_t>(records_.size()));
}

TEST_F(JournalDisk, TheBeginningOfARetriedVisitIsDurable) {
  Journal writing = journal();
  writing.write(BeginRecord{"s", point_of(1), 0, 0, 0, false});
  EXPECT_EQ(writing.durable(), 0);
  writing.write(BeginRecord{"s", point_of(1), 0, 1, 1, true});
  EXPECT_EQ(writing.durable(), 2);
}

TEST_F(JournalDisk, ShortWritesAreContinued) {
  disk_.takes = 7;
  Journal writing = journal();
  for (const Record& record : records_) writing.write(record);
  EXPECT_EQ(parse_journal(disk_.synced, path).records.size(), records_.size());
}

TEST(DurabilityText, ReadsBack) {
  for (const char* text : {"point", "none", "interval 5s", "interval 250ms"}) {
    const auto durability = parse_durability(text);
    ASSERT_TRUE(durability) << text;
    EXPECT_EQ(to_text(*durability), text);
  }
  for (const char* text : {"", "points", "interval", "interval 5", "interval 0s", "interval -1s", "5s"})
    EXPECT_FALSE(parse_durability(text)) << text;
}

}  // namespace
}  // namespace assay
