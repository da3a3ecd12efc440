// SPDX-License-Identifier: Apache-2.0
// Shards of launches on their way into the journal, interrupted anywhere.
#include "run/mpi/shard.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "record/journal/codec.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay::test {
namespace {

constexpr int launch = 3;

Point shard_point(std::int64_t size) {
  Point point;
  point.set("size", size);
  return point;
}

/// A visit whose samples are so many that they stand in a file of their own.
VisitRecord visit(int number) {
  VisitRecord record{"ping", shard_point(1), 0, 0, number, 0, {}, seconds(1), 0, {}, {}};
  JudgedBatch judged;
  judged.batch.reps = Reps{1};
  judged.batch.members.resize(2);
  record.batches.assign(1000, judged);
  return record;
}

/// What rank 0 writes.
std::vector<Record> written() {
  return {LaunchRecord{0, launch, {{"here", 7, {0, 1}}}, {}, 0},
          BeginRecord{"ping", shard_point(1), 0, 0, 5},
          AliveRecord{seconds(10)},
          IncarnationRecord{"ping", shard_point(1), 0, 0, 7, {}},
          NoteRecord{"the same twice"},
          AliveRecord{seconds(2)},
          visit(5),
          NoteRecord{"the same twice"},
          BeginRecord{"ping", shard_point(1), 0, 0, 6}};
}

/// A campaign's directory with a journal and one launch's shard.
class Shard : public testing::Test {
 protected:
  Shard() {
    Journal journal(directory_, clock_);
    journal.write(CampaignRecord{"title", "text", 1, "interleaved"});
    journal.write(SessionRecord{0, "now", "assay run", {}});
  }
  void write_shard(bool ends) {
    Journal shard(shard_directory(directory_, launch), clock_);
    for (const Record& record : written()) shard.write(record);
    if (ends) shard.write(LaunchRecord{0, launch, {}, "complete", 4});
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Record& record : read_journal(directory_).records) all.push_back(to_text(encode(record)));
    return all;
  }
  std::vector<std::string> recover() {
    return recover_shards(directory_, clock_, {}, [](const Record& record) { return record; });
  }

  FakeClock clock_;
  Scratch folder_;
  std::string directory_ = folder_ / "campaign";
};

TEST_F(Shard, IsTakenOverOnceWhereverTheTakingOverWasInterrupted) {
  std::vector<std::string> whole;
  for (std::size_t done = 0; done <= 9; ++done) {
    std::filesystem::remove_all(directory_);
    { Journal(directory_, clock_).write(CampaignRecord{"title", "text", 1, "interleaved"}); }
    write_shard(true);
    const JournalEnd end = scan_journal(
        directory_, [](const RecordHead&) { return false; }, [](const Record&) {});
    {
      Journal journal(directory_, end, clock_);
      std::size_t copied = 0;
      for (const Record& record : written())
        if (!std::holds_alternative<AliveRecord>(record) && copied++ < done) journal.write(record);
    }
    if (done == 4) std::ofstream(directory_ + "/journal.jsonl", std::ios::app) << "{\"v\":1,\"se";  // torn as well
    EXPECT_FALSE(recover().empty());
    auto now = texts();
    std::erase_if(now, [](const std::string& text) { return text.find("were cut off") != text.npos; });
    if (done == 0) whole = now;
    EXPECT_EQ(now, whole) << done << " records were there";
    EXPECT_TRUE(leftover_launches(directory_).empty());
  }
  EXPECT_EQ(whole.size(), 1 + 7 + 1U) << "campaign, records without signs of life, the end";
}

TEST_F(Shard, ThatWasTakenOverWholeIsRemovedOnly) {
  write_shard(true);
  recover();
  const auto before = texts();
  write_shard(true);
  EXPECT_TRUE(recover().empty());
  EXPECT_EQ(texts(), before);
  EXPECT_TRUE(leftover_launches(directory_).empty());
}

TEST_F(Shard, OfALostLaunchTellsWhatWasInFlight) {
  write_shard(false);
  std::ofstream(shard_directory(directory_, launch) + "/journal.jsonl", std::ios::app) << "{\"v\":1,\"seq\":9,\"ty";
  std::vector<Record> taken;
  const ShardEnd end = read_shard(directory_, launch, [&](const Record& record) { taken.push_back(record); });
  EXPECT_TRUE(end.began);
  EXPECT_EQ(end.ended, "");
  ASSERT_TRUE(end.in_flight);
  EXPECT_EQ(end.in_flight->visit, 6);
  EXPECT_EQ(taken.size(), 7U);
}

TEST_F(Shard, ThatSomebodyStillWritesIsRefused) {
  Journal shard(shard_directory(directory_, launch), clock_);
  shard.write(LaunchRecord{0, launch, {}, {}, 0});
  EXPECT_THROW(recover(), ResultError);
  EXPECT_EQ(leftover_launches(directory_), std::vector<int>{launch});
}

TEST_F(Shard, IsFollowedByWholeRecords) {
  ShardFollower follower(shard_directory(directory_, launch) + "/journal.jsonl");
  EXPECT_FALSE(follower.look()) << "there is none yet";
  write_shard(false);
  EXPECT_TRUE(follower.look());
  EXPECT_TRUE(follower.began());
  EXPECT_FALSE(follower.ended());
  EXPECT_EQ(follower.next(), seconds(2));
  ASSERT_TRUE(follower.in_flight());
  EXPECT_EQ(follower.in_flight()->visit, 6);
  std::ofstream file(shard_directory(directory_, launch) + "/journal.jsonl", std::ios::app);
  file << "{\"v\":1,\"seq\":9,\"type\":\"note\"";
  file.flush();
  EXPECT_FALSE(follower.look()) << "half a line is no sign of life";
}

TEST_F(Shard, OrdersAreReadBackAsTheyWereWritten) {
  WrittenOrder written{{2, launch, seconds(7), seconds(60), {true, false}}, "[campaign]\n", {{"ping", "abc"}}};
  write_order(directory_, written);
  const WrittenOrder read = read_order(directory_, launch);
  EXPECT_EQ(read.order.session, 2);
  EXPECT_EQ(read.order.launch, launch);
  EXPECT_EQ(read.order.elapsed, seconds(7));
  EXPECT_EQ(read.order.time_limit, seconds(60));
  EXPECT_TRUE(read.order.keeping.retry_failed);
  EXPECT_EQ(read.configuration, written.configuration);
  EXPECT_EQ(read.builds, written.builds);
  EXPECT_EQ(leftover_launches(directory_), std::vector<int>{launch});
}

}  // namespace
}  // namespace assay::test
