// SPDX-License-Identifier: Apache-2.0
// The file of a history: what it keeps, and what becomes of one that cannot be used.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/archive/database.hpp"
#include "app/archive/store.hpp"
#include "unit/app/archive/written_campaign.hpp"

namespace assay::test {
namespace {

using history::History;
using testing::HasSubstr;
using testing::Not;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t campaigns(const Scratch& folder) {
  return History(folder / "h.sqlite", History::Use::read).entries().size();
}

TEST(HistoryFile, AddingAgainChangesNothingAndARunningCampaignIsRenewed) {
  const Scratch folder;
  Written about;
  about.ended = false;
  write_campaign(folder / "c", about, {lock_point(100)});
  EXPECT_THAT(history(folder, {"add", folder / "c"}).out, testing::AllOf(HasSubstr("added"), HasSubstr("unfinished")));
  EXPECT_THAT(history(folder, {"add", folder / "c"}).out, HasSubstr("unchanged"));
  std::filesystem::remove_all(folder / "c");
  about.ended = true;
  write_campaign(folder / "c", about, {lock_point(100), lock_point(200, "recursive")});
  EXPECT_THAT(history(folder, {"add", folder / "c"}).out, testing::AllOf(HasSubstr("renewed"), HasSubstr("complete")));
  const Finished list = history(folder, {"list"});
  EXPECT_THAT(list.out, HasSubstr("nightly       2      2       0     0  complete"));
  EXPECT_EQ(campaigns(folder), 1U);
}

TEST(HistoryFile, APointThatWasOpenedAgainIsTakenAsItWasFinishedLast) {
  const Scratch folder;
  write_campaign(folder / "c", {.ended = false}, {lock_point(100)});
  {
    const FakeClock clock;
    const auto end = scan_journal(
        folder / "c", [](const RecordHead&) { return false; }, [](const Record&) {});
    Journal journal(folder / "c", end, clock, {{Durability::Mode::none, {}}, false});
    const PointRecord again = lock_point(200);
    IncarnationRecord opened;
    opened.series = again.series;
    opened.point = again.point;
    journal.write(opened);
    journal.write(again);
  }
  const Finished added = history(folder, {"add", folder / "c"});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  const Finished list = history(folder, {"list"});
  EXPECT_THAT(list.out, HasSubstr("nightly       1      1"));
  const Finished shown = history(folder, {"show"});
  EXPECT_THAT(shown.out, testing::AllOf(HasSubstr("200"), Not(HasSubstr("100"))));
}

TEST(HistoryFile, ACampaignCountsOnceWhereverItIsMovedOrCopied) {
  const Scratch folder;
  add_days(folder, {100});
  std::filesystem::copy(folder / "n10", folder / "copy", std::filesystem::copy_options::recursive);
  EXPECT_THAT(history(folder, {"add", folder / "copy"}).out, HasSubstr("copied"));
  std::filesystem::remove_all(folder / "n10");
  EXPECT_THAT(history(folder, {"add", folder / "copy"}).out, HasSubstr("moved"));
  EXPECT_EQ(campaigns(folder), 1U);
}

TEST(HistoryFile, IsRebuiltFromJournalsAndKeepsWhatIsGone) {
  const Scratch folder;
  const auto directories = add_days(folder, {100, 101, 102});
  const std::string before = history(folder, {"show"}).out;
  std::filesystem::remove_all(directories[1]);
  {
    std::ofstream broken(journal_file(directories[2]), std::ios::app);
    broken << "{\"v\":1,\"seq\":99}\n{}\n";
  }
  // What the file says is spoilt; what the journals say is not.
  Database(folder / "h.sqlite", Database::Access::write, seconds(1))
      .run("UPDATE results SET value = 7 WHERE campaign = 1");
  EXPECT_NE(history(folder, {"show"}).out, before);
  const Finished done = history(folder, {"rebuild"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, testing::AllOf(HasSubstr("gone"), HasSubstr("byte")));
  EXPECT_THAT(done.out, testing::AllOf(HasSubstr("3"), HasSubstr("2")));
  const std::string after = history(folder, {"show"}).out;
  for (const char* text : {"100.00", "101.00", "102.00", "nightly (gone)", "nightly (broken)"})
    EXPECT_THAT(after, HasSubstr(text));
}

TEST(HistoryFile, RefusesBrokenJournalsAndKeepsNothingOfThem) {
  const Scratch folder;
  add_days(folder, {100});
  write_campaign(folder / "bad", {}, {lock_point(1)});
  std::string text = content(journal_file(folder / "bad"));
  text[text.size() / 2] ^= 1;
  std::ofstream(journal_file(folder / "bad"), std::ios::binary) << text;
  const std::string before = content(folder / "h.sqlite");
  const Finished done = history(folder, {"add", folder / "bad"});
  EXPECT_EQ(done.exit_code, 5);
  EXPECT_THAT(done.err, HasSubstr("line"));
  EXPECT_EQ(history(folder, {"add", folder / "none"}).exit_code, 2);
  EXPECT_EQ(content(folder / "h.sqlite"), before);
}

TEST(HistoryFile, ThatIsNoDatabaseIsLeftAsItIs) {
  const Scratch folder;
  write_campaign(folder / "c", {}, {lock_point(1)});
  const std::string text(5000, 'x');
  std::ofstream(folder / "h.sqlite") << text;
  for (const char* action : {"add", "list", "rebuild"}) {
    std::vector<std::string> arguments{action};
    if (arguments.front() == "add") arguments.push_back(folder / "c");
    const Finished done = history(folder, arguments);
    EXPECT_EQ(done.exit_code, 5) << action;
    EXPECT_THAT(done.err, HasSubstr("--file")) << action;
  }
  EXPECT_EQ(content(folder / "h.sqlite"), text);
}

TEST(HistoryFile, OfSomethingElseOrOfAnotherFormIsRefused) {
  const Scratch folder;
  const auto directories = add_days(folder, {100});
  const auto spoil = [&](const char* sql) {
    Database(folder / "h.sqlite", Database::Access::write, seconds(1)).run(sql);
  };
  const auto refusal = [&](const std::string& action) {
    const Finished done = history(folder, {action});
    EXPECT_EQ(done.exit_code, 5);
    return done.err;
  };
  spoil("PRAGMA user_version = 99");
  EXPECT_THAT(refusal("list"), HasSubstr("99"));
  EXPECT_THAT(refusal("rebuild"), HasSubstr("99"));
  spoil("PRAGMA user_version = 0; DROP TABLE results; CREATE TABLE \"odd\"\"name\"(x)");
  EXPECT_THAT(refusal("list"), HasSubstr("rebuild"));
  const Finished rebuilt = history(folder, {"rebuild"});
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_THAT(history(folder, {"show"}).out, HasSubstr("100.00"));
  spoil("PRAGMA user_version = 0");
  std::filesystem::remove_all(directories[0]);
  const std::string kept = content(folder / "h.sqlite");
  refusal("rebuild");
  EXPECT_EQ(content(folder / "h.sqlite"), kept) << "nothing was changed";
  spoil("PRAGMA user_version = 2");
  EXPECT_THAT(history(folder, {"show"}).out, HasSubstr("100.00"));
  spoil("PRAGMA application_id = 5");
  refusal("list");
}

TEST(HistoryFile, ThatCannotBeWrittenIsToldWithWhatToDo) {
  const Scratch folder;
  write_campaign(folder / "c", {}, {lock_point(1)});
  const Finished elsewhere = run_assay({"history", "add", folder / "c", "--file", "/proc/nowhere/h.sqlite"});
  EXPECT_EQ(elsewhere.exit_code, 4) << elsewhere.err;
  EXPECT_THAT(elsewhere.err, HasSubstr("/proc/nowhere"));
  const Finished readonly = run_assay({"history", "add", folder / "c", "--file", "/proc/h.sqlite"});
  EXPECT_EQ(readonly.exit_code, 4) << readonly.err;
  const Finished none = history(folder, {"list"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("add"));
}

TEST(HistoryFile, AFullDiskChangesNothing) {
  const Scratch folder;
  add_days(folder, {100});
  std::vector<PointRecord> points;
  for (int i = 0; i < 3000; ++i) points.push_back(lock_point(100 + i, "type" + std::to_string(i)));
  write_campaign(folder / "large", {}, points);
  const std::string before = content(folder / "h.sqlite");
  const Finished done = run_program({"sh", "-c", "ulimit -f 200; exec \"$0\" history add \"$1\" --file \"$2\"",
                                     assay_program(), folder / "large", folder / "h.sqlite"});
  EXPECT_EQ(done.exit_code, 4) << done.err;
  EXPECT_EQ(campaigns(folder), 1U) << "nothing was changed";
  EXPECT_EQ(history(folder, {"add", folder / "large"}).exit_code, 0);
}

TEST(HistoryFile, TakesAddsOfManyAtOnceAndTellsWhenOneTakesTooLong) {
  const Scratch folder;
  constexpr int many = 8;
  std::vector<std::thread> threads;
  std::vector<Finished> done(many);
  for (int i = 0; i < many; ++i) {
    Written about;
    about.started = day(i + 1);
    write_campaign(folder / std::to_string(i), about, {lock_point(100 + i)});
  }
  for (int i = 0; i < many; ++i)
    threads.emplace_back([&, i] {
      done[static_cast<std::size_t>(i)] = history(folder, {"add", folder / std::to_string(i), folder / "0"});
    });
  for (std::thread& thread : threads) thread.join();
  for (const Finished& one : done) EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(campaigns(folder), static_cast<std::size_t>(many));

  Database other(folder / "h.sqlite", Database::Access::write, seconds(1));
  const Transaction held(other);
  History waiting(folder / "h.sqlite", History::Use::write, milliseconds(20));
  std::ostringstream err;
  history::Digest digest = history::read_digest("test", folder / "1", err);
  digest.entry.title = "other";
  digest.entry.contents = "other";
  try {
    waiting.add(digest);
    FAIL() << "it was not locked";
  } catch (const ResultError& error) {
    EXPECT_THAT(error.what(), HasSubstr("h.sqlite"));
  }
}

}  // namespace
}  // namespace assay::test
