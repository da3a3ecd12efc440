// SPDX-License-Identifier: Apache-2.0
// Visits too long for one write: their batches aside, found again, and every way in which they cannot be.
#include "record/journal/side_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "record/journal/journal.hpp"
#include "record/journal/salvage.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

VisitRecord long_visit(std::size_t batches) {
  VisitRecord visit{"s", {}, 0, 0, 0, 0, {1}, {2}, 1, {}, {}};
  for (std::size_t i = 0; i < batches; ++i) {
    JudgedBatch batch{{Reps{3}, {{Nanoseconds{9}}}}, {}};
    batch.batch.members[0].wall = {static_cast<double>(i) + 0.25};
    batch.judgement.regime = Regime::spin;
    visit.batches.push_back(batch);
  }
  return visit;
}

class SideFile : public ::testing::Test {
 protected:
  SideFile() {
    test::FakeClock clock;
    Journal journal(directory_, clock);
    for (const Record& record : written_) journal.write(record);
  }
  std::string refusal() const {
    try {
      read_journal(directory_);
    } catch (const ResultError& error) {
      return error.what();
    }
    return "accepted";
  }
  void expect_refused(const std::string& why) const {
    EXPECT_NE(refusal().find(why), std::string::npos) << refusal();
    EXPECT_NE(refusal().find("line 3"), std::string::npos) << refusal();
  }

  test::Scratch scratch_;
  std::string directory_ = scratch_ / "campaign";
  std::string file_ = directory_ + "/samples/2.jsonl";
  std::vector<Record> written_{CampaignRecord{}, long_visit(8), long_visit(3000), NoteRecord{"end"}};
};

TEST_F(SideFile, HoldsOnlyLongVisitsAndReadsBack) {
  const JournalContent content = read_journal(directory_);
  ASSERT_EQ(content.records.size(), written_.size());
  for (std::size_t i = 0; i < written_.size(); ++i) EXPECT_TRUE(test::same(content.records[i], written_[i])) << i;
  EXPECT_LT(fs::file_size(directory_ + "/journal.jsonl"), 4000U);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_ + "/samples"), {}), 1);
}

TEST_F(SideFile, IsNotReadForRecordsThatNobodyWants) {
  fs::remove(file_);
  EXPECT_EQ(scan_journal(
                directory_, [](const RecordHead& head) { return head.type != "visit"; }, [](const Record&) {})
                .records,
            4);
}

TEST_F(SideFile, MissingIsRefused) {
  fs::remove(file_);
  expect_refused("its batches are missing");
}

TEST_F(SideFile, LongerAndShorterAreRefused) {
  std::ofstream(file_, std::ios::app) << "{}\n";
  expect_refused("bytes, not the ");
  fs::resize_file(file_, 1000);
  expect_refused("has 1000 bytes, not the ");
}

TEST_F(SideFile, AnotherContentIsRefused) {
  std::fstream(file_, std::ios::in | std::ios::out).seekp(20).put('#');
  expect_refused("is damaged: another checksum");
}

TEST_F(SideFile, LinksAreNotFollowed) {
  fs::rename(file_, scratch_ / "elsewhere");
  ASSERT_EQ(::symlink((scratch_ / "elsewhere").c_str(), file_.c_str()), 0);
  expect_refused("is not a regular file");
  fs::remove(file_);
  fs::rename(directory_ + "/samples", scratch_ / "samples");
  fs::rename(scratch_ / "elsewhere", scratch_ / "samples/2.jsonl");
  ASSERT_EQ(::symlink((scratch_ / "samples").c_str(), (directory_ + "/samples").c_str()), 0);
  expect_refused("is not a directory");
}

TEST_F(SideFile, ALinkInPlaceOfTheFolderIsNotWrittenThrough) {
  fs::remove_all(directory_ + "/samples");
  fs::create_directory(scratch_ / "victim");
  ASSERT_EQ(::symlink((scratch_ / "victim").c_str(), (directory_ + "/samples").c_str()), 0);
  test::FakeClock clock;
  const auto end = scan_journal(
      directory_, [](const RecordHead&) { return false; }, [](const Record&) {});
  Journal journal(directory_, end, clock);
  EXPECT_THROW(journal.write(long_visit(3000)), StorageError);
  EXPECT_TRUE(fs::is_empty(scratch_ / "victim"));
}

TEST_F(SideFile, ItsNameIsNeverTakenFromTheRecord) {
  const std::string body =
      R"({"v":1,"seq":0,"type":"visit","series":"s","point":{},"session":0,"incarnation":0,"visit":0,"round":0,"at_ns":1.0,"took_ns":1.0,"discarded":0,"batches":[],"samples":{"file":"/etc/passwd","bytes":5,"crc":"00000000"})";
  const std::string text = body + ",\"crc\":\"" + crc_text(crc32c(body)) + "\"}\n";
  std::ofstream(directory_ + "/journal.jsonl") << text;
  EXPECT_NE(refusal().find("samples/0.jsonl"), std::string::npos) << refusal();
  EXPECT_EQ(refusal().find("passwd"), std::string::npos);
}

TEST_F(SideFile, IsLostAloneWhenAJournalIsSalvaged) {
  fs::remove(file_);
  std::size_t kept = 0;
  const auto losses = salvage_journal(directory_, [&](const Record&) { ++kept; });
  EXPECT_EQ(kept, 3U);
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_NE(losses[0].why.find("its batches are missing"), std::string::npos);
  EXPECT_EQ(losses[0].line, 3);
}

}  // namespace
}  // namespace assay
