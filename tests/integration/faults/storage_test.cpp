// SPDX-License-Identifier: Apache-2.0
// Disks that fill, fail or lose the journal under a running campaign; two writers; reruns over old results.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/journal.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

// About 300 visits in 15 processes: some hundred kilobytes, and no time to speak of.
constexpr const char* many_visits = R"(
[precision]
warm-up = 0ms
rule = fixed:800
[series.laws]
measurement = synthetic/normal
median = 1000, 2000, 3000
placement = unbound
)";

std::string quoted(const std::string& text) { return "'" + text + "'"; }

class Storage : public ::testing::Test {
 protected:
  Storage() { std::ofstream(folder_ / "campaign.ini") << many_visits; }

  // The command line that runs the campaign into a directory.
  std::string run_into(const std::string& directory) const {
    return quoted(assay_program()) + " run " + quoted(folder_ / "campaign.ini") + " --output " + quoted(directory);
  }
  std::string check(const std::string& directory) const {
    return quoted(assay_program()) + " journal check " + quoted(directory);
  }
  Finished shell(const std::string& script) const { return run_program({"sh", "-c", script}); }
  std::string campaign() const { return folder_ / "campaign"; }

  void expect_storage_failure(const Finished& finished, const std::string& reason) const {
    EXPECT_EQ(finished.exit_code, 4) << finished.err;
    EXPECT_NE(finished.err.find("journal.jsonl"), std::string::npos) << finished.err;
    EXPECT_NE(finished.err.find(reason), std::string::npos) << finished.err;
    EXPECT_NE(finished.err.find("resume"), std::string::npos) << finished.err;
  }

  Scratch folder_;
};

using StorageFaults = Storage;

TEST_F(StorageFaults, F03_a_file_size_limit_ends_the_campaign_at_a_record) {
  expect_storage_failure(shell("ulimit -f 28; " + run_into(campaign())), "File too large");
  EXPECT_EQ(read_journal(campaign()).end.torn, 0);
  EXPECT_GT(read_journal(campaign()).end.records, 3);
  EXPECT_FALSE(fs::exists(campaign() + "/owner"));
}

TEST_F(StorageFaults, F03_a_full_file_system_ends_the_campaign_at_a_record) {
  const std::string disk = folder_ / "disk";
  fs::create_directory(disk);
  const std::string mount = "mount -t tmpfs -o size=64k none " + quoted(disk);
  if (run_program({"unshare", "-Urm", "sh", "-c", mount}).exit_code != 0)
    GTEST_SKIP() << "no file system can be mounted here, not even in a namespace of its own";
  const auto full = run_program({"unshare", "-Urm", "sh", "-c",
                                 mount + " && { " + run_into(disk + "/campaign") + "; code=$?; " +
                                     check(disk + "/campaign") + " && exit $code; }"});
  expect_storage_failure(full, "No space left on device");
  EXPECT_NE(full.out.find("the journal is intact"), std::string::npos) << full.out;
  EXPECT_EQ(full.out.find("torn"), std::string::npos) << full.out;
}

TEST_F(StorageFaults, F03_exports_to_a_full_device_fail) {
  ASSERT_EQ(shell(run_into(campaign())).exit_code, 0);
  const std::string csv = quoted(assay_program()) + " export " + quoted(campaign()) + " --format csv";
  EXPECT_EQ(shell(csv + " --output /dev/full").exit_code, 4);
  EXPECT_EQ(shell(csv + " > /dev/full").exit_code, 4);
  EXPECT_EQ(shell(quoted(assay_program()) + " show " + quoted(campaign()) + " > /dev/full").exit_code, 4);
}

// Runs the campaign with a system call of the supervisor made to fail.
class Injected : public Storage {
 protected:
  bool can_inject() const {
    return shell("strace -o /dev/null -e inject=fdatasync:error=EIO:when=1 true").exit_code == 0;
  }
  Finished run_injected(const std::string& what) const {
    // The sanitizer's search for leaks traces the process, which strace does already.
    return shell("ASAN_OPTIONS=detect_leaks=0 exec strace -o /dev/null -e inject=" + what + " " + run_into(campaign()));
  }
};

using InjectedFaults = Injected;

TEST_F(InjectedFaults, F04_a_failed_sync_is_final) {
  if (!can_inject()) GTEST_SKIP() << "strace is not here, or may not trace";
  for (const int at : {1, 2, 3}) {
    fs::remove_all(campaign());
    expect_storage_failure(run_injected("fdatasync:error=EIO:when=" + std::to_string(at)), "Input/output error");
    EXPECT_EQ(read_journal(campaign()).end.torn, 0) << at;
  }
}

TEST_F(InjectedFaults, F06_file_systems_without_locks_are_written_all_the_same) {
  if (!can_inject()) GTEST_SKIP() << "strace is not here, or may not trace";
  for (const char* error : {"ENOLCK", "EOPNOTSUPP"}) {
    fs::remove_all(campaign());
    EXPECT_EQ(run_injected("flock:error=" + std::string(error)).exit_code, 0) << error;
    EXPECT_FALSE(fs::exists(campaign() + "/owner"));
  }
}

TEST_F(InjectedFaults, F01_killed_within_a_sync_the_journal_is_whole) {
  if (!can_inject()) GTEST_SKIP() << "strace is not here, or may not trace";
  for (const int at : {1, 2, 3}) {
    fs::remove_all(campaign());
    run_injected("fdatasync:signal=KILL:when=" + std::to_string(at));
    EXPECT_GE(read_journal(campaign()).end.records, at) << at;
  }
}

TEST_F(StorageFaults, F07_a_journal_that_is_removed_or_renamed_is_noticed) {
  for (const char* loss : {"rm ", "mv -t .. "}) {
    const auto lost = shell("cd " + quoted(folder_.path().string()) + "; " + run_into(campaign()) + " & pid=$!; " +
                            "until [ -s campaign/journal.jsonl ]; do sleep 0.02; done; cd campaign; " + loss +
                            "journal.jsonl; wait $pid");
    expect_storage_failure(lost, "was removed, renamed or replaced");
    fs::remove_all(campaign());
  }
}

TEST_F(StorageFaults, F06_a_second_writer_is_refused_and_the_first_goes_on) {
  const auto both =
      shell(run_into(campaign()) + " --quiet > /dev/null & pid=$!; until [ -s " +
            quoted(campaign() + "/journal.jsonl") + " ]; do sleep 0.02; done; " + quoted(assay_program()) + " resume " +
            quoted(campaign()) + " --add-session; second=$?; wait $pid; echo first $? second $second");
  EXPECT_NE(both.out.find("first 0 second 5"), std::string::npos) << both.out << both.err;
  EXPECT_NE(both.err.find("process"), std::string::npos) << both.err;
  EXPECT_EQ(read_journal(campaign()).end.torn, 0);
  EXPECT_FALSE(fs::exists(campaign() + "/owner"));
}

class JournalCommand : public Storage {
 protected:
  JournalCommand() { made_ = shell(run_into(campaign())).exit_code; }
  Finished journal(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"journal"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_assay(all);
  }
  std::string file() const { return campaign() + "/journal.jsonl"; }
  int made_ = -1;
};

TEST_F(JournalCommand, CheckCountsAndTellsOfATornTail) {
  ASSERT_EQ(made_, 0);
  const auto whole = journal({"check", campaign()});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  for (const char* part : {"campaign 1\n", "point 3\n", "3 points in 1 session\n", "the journal is intact\n"})
    EXPECT_NE(whole.out.find(part), std::string::npos) << part << whole.out;
  std::ofstream(file(), std::ios::app) << "{\"v\":1,\"seq";
  const auto torn = journal({"check", campaign()});
  EXPECT_EQ(torn.exit_code, 0);
  EXPECT_NE(torn.out.find("11"), std::string::npos) << torn.out;
}

TEST_F(JournalCommand, CheckTellsOfVisitsInFlightAndOfResultsThatClaimTooMuch) {
  ASSERT_EQ(made_, 0);
  auto records = read_journal(campaign()).records;
  const auto write = [&](const std::string& name) {
    const MonotonicClock clock;
    Journal copy(folder_ / name, clock);
    for (const Record& record : records) copy.write(record);
    return folder_ / name;
  };
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record)) point->results.at(0).summary.n += 100'000;
  const auto claims = journal({"check", write("claims")});
  EXPECT_EQ(claims.exit_code, 5);
  EXPECT_NE(claims.err.find("observations"), std::string::npos) << claims.err;
  EXPECT_EQ(claims.out.find("the journal is intact"), std::string::npos);
  const auto begun =
      std::ranges::find_if(records, [](const Record& record) { return std::holds_alternative<BeginRecord>(record); });
  records.erase(begun + 1, records.end());
  const auto lost = journal({"check", write("lost")});
  EXPECT_EQ(lost.exit_code, 0) << lost.err;
  EXPECT_NE(lost.out.find("lost in progress"), std::string::npos) << lost.out;
}

TEST_F(JournalCommand, RepairCopiesWhatIsWholeAndLeavesTheRest) {
  ASSERT_EQ(made_, 0);
  const std::string text = read_file(file(), 1U << 26U);
  const auto third = text.find('\n', text.find('\n') + 1) + 1;
  std::string damaged = text;
  damaged[third + 40] ^= 1;
  std::ofstream(file()) << damaged;
  const auto refused = run_assay({"show", campaign()});
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_NE(refused.err.find("'assay journal repair " + campaign() + " --to NEW'"), std::string::npos) << refused.err;
  const auto check = journal({"check", campaign()});
  EXPECT_EQ(check.exit_code, 5);
  EXPECT_NE(check.out.find("line 3, byte " + std::to_string(third)), std::string::npos) << check.out;
  const auto repaired = journal({"repair", campaign(), "--to", folder_ / "mended"});
  EXPECT_EQ(repaired.exit_code, 0) << repaired.err;
  EXPECT_EQ(read_file(file(), 1U << 26U), damaged) << "the old one is never touched";
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const auto records = read_journal(folder_ / "mended").records;
  ASSERT_EQ(records.size(), lines) << "one less, and a note";
  EXPECT_NE(std::get<NoteRecord>(records.back()).text.find("line 3, byte " + std::to_string(third)), std::string::npos);
  EXPECT_EQ(journal({"check", folder_ / "mended"}).exit_code, 0);
  EXPECT_EQ(run_assay({"show", folder_ / "mended"}).exit_code, 0);
}

TEST_F(JournalCommand, RepairMakesNothingOfNothing) {
  std::ofstream(file()) << "hello\n";
  EXPECT_EQ(journal({"repair", campaign(), "--to", folder_ / "mended"}).exit_code, 5);
  EXPECT_FALSE(fs::exists(folder_ / "mended"));
  EXPECT_EQ(journal({"check", folder_ / "nothing"}).exit_code, 2);
}

}  // namespace
}  // namespace assay::test
