// SPDX-License-Identifier: Apache-2.0
// The journal as written: its lines, its syncs, and that it reads back.
#include "record/journal/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "unit/record/random_records.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

class JournalTest : public ::testing::Test {
 protected:
  std::string directory() const { return scratch_.file("campaign"); }
  std::string text() const { return read_file(directory() + "/journal.jsonl", 1U << 24U); }
  void put(const std::string& content) const { std::ofstream(directory() + "/journal.jsonl") << content; }

  test::Scratch scratch_;
  test::FakeClock clock_;
};

TEST_F(JournalTest, LineHasNumberTypeAndChecksum) {
  Journal journal(directory(), clock_);
  journal.write(NoteRecord{"hot"});
  journal.write(NoteRecord{"cold"});
  EXPECT_EQ(text(),
            "{\"v\":1,\"seq\":0,\"type\":\"note\",\"text\":\"hot\",\"crc\":\"8800d397\"}\n"
            "{\"v\":1,\"seq\":1,\"type\":\"note\",\"text\":\"cold\",\"crc\":\"71b5916e\"}\n");
}

TEST_F(JournalTest, ChecksumIsOverAllBytesBefore) {
  Journal journal(directory(), clock_);
  journal.write(NoteRecord{"hot"});
  const std::string line = text();
  const auto at = line.find(",\"crc\"");
  EXPECT_EQ(line.substr(at), ",\"crc\":\"" + crc_text(crc32c(line.substr(0, at))) + "\"}\n");
}

TEST_F(JournalTest, ReadsBackByDirectoryAndByFile) {
  test::RandomRecords random(11);
  std::vector<Record> written;
  Journal journal(directory(), clock_);
  for (std::size_t i = 0; i < 90; ++i)
    journal.write(written.emplace_back(random.of_kind(i == 0 ? 0 : 1 + i % (std::variant_size_v<Record> - 1))));
  for (const std::string& path : {directory(), directory() + "/journal.jsonl"}) {
    const JournalContent content = read_journal(path);
    ASSERT_EQ(content.records.size(), written.size());
    for (std::size_t i = 0; i < written.size(); ++i) ASSERT_TRUE(test::same(content.records[i], written[i])) << i;
    EXPECT_EQ(content.end.torn, 0);
    EXPECT_EQ(content.end.good_size, static_cast<std::int64_t>(text().size()));
  }
}

TEST_F(JournalTest, RefusesAnExistingDirectoryAndLeavesItAlone) {
  { Journal(directory(), clock_).write(NoteRecord{"kept"}); }
  const std::string before = text();
  EXPECT_THROW(Journal(directory(), clock_), ResultError);
  EXPECT_EQ(text(), before);
}

TEST_F(JournalTest, MissingFileIsAPlatformError) {
  EXPECT_THROW(read_journal(scratch_.file("nowhere")), PlatformError);
  std::filesystem::create_directory(scratch_.file("empty"));
  EXPECT_THROW(read_journal(scratch_.file("empty")), PlatformError);
}

TEST_F(JournalTest, FinishedThingsAreDurableWhenWriteReturns) {
  Journal journal(directory(), clock_);
  std::int64_t count = 0;
  for (const Record& record : {Record(CampaignRecord{}), Record(PointRecord{}), Record(DerivedRecord{}),
                               Record(FailureRecord{}), Record(NoteRecord{}), Record(EndRecord{})}) {
    journal.write(VisitRecord{});
    EXPECT_EQ(journal.durable(), count);
    journal.write(record);
    EXPECT_EQ(journal.durable(), count += 2);
  }
}

TEST_F(JournalTest, OthersAreDurableWithinASecondOfWriting) {
  Journal journal(directory(), clock_);
  journal.write(VisitRecord{});
  clock_.advance(milliseconds(999));
  journal.write(IncarnationRecord{});
  EXPECT_EQ(journal.durable(), 0);
  clock_.advance(milliseconds(1));
  journal.write(VisitRecord{});
  EXPECT_EQ(journal.durable(), 3);
  journal.write(VisitRecord{});
  EXPECT_EQ(journal.durable(), 3);
}

TEST_F(JournalTest, WaitingLoopsCanSync) {
  Journal journal(directory(), clock_);
  journal.write(VisitRecord{});
  journal.sync_if_due();
  EXPECT_EQ(journal.durable(), 0);
  clock_.advance(seconds(1));
  journal.sync_if_due();
  EXPECT_EQ(journal.durable(), 1);
}

TEST_F(JournalTest, RecordTooLongForTheReaderIsNotWritten) {
  Journal journal(directory(), clock_);
  journal.write(NoteRecord{"before"});
  EXPECT_THROW(journal.write(NoteRecord{std::string(std::size_t{65} << 10U, 'x')}), StorageError);
  journal.write(NoteRecord{"after"});
  EXPECT_EQ(read_journal(directory()).records.size(), 2U);
}

TEST_F(JournalTest, HostileTextsStayOnTheirLine) {
  Journal journal(directory(), clock_);
  const std::string hostile = "\n{\"v\":1,\"seq\":1,\"type\":\"note\",\"text\":\"\",\"crc\":\"00000000\"}\n\x1b[2J\r";
  journal.write(NoteRecord{hostile});
  const JournalContent content = read_journal(directory());
  ASSERT_EQ(content.records.size(), 1U);
  EXPECT_EQ(std::get<NoteRecord>(content.records[0]).text, hostile);
  EXPECT_EQ(text().find('\n'), text().size() - 1);
}

}  // namespace
}  // namespace assay
