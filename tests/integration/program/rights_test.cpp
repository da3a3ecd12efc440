// SPDX-License-Identifier: Apache-2.0
// Who may read results, what links can lead to, and what a campaign may touch and with whose rights.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "platform/file/append_file.hpp"
#include "platform/file/result_permissions.hpp"
#include "platform/process/process.hpp"
#include "run/protocol/messages.hpp"
#include "support/environment/paths.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* small_campaign =
    "[precision]\nwarm-up = 0ms\nmax-time = 20ms\n[series.s]\nmeasurement = synthetic/normal\n"
    "placement = unbound\n";

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0U;
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Rights, ResultsAreTheirOwnersAlone) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, small_campaign).exit_code, 0);
  EXPECT_EQ(mode_of(folder / "campaign"), 0700U);
  for (const auto& entry : fs::directory_iterator(folder / "campaign"))
    EXPECT_EQ(mode_of(entry.path()) & 077U, 0U) << entry.path();
}

TEST(Rights, SharedResultsAreForEverybodyToRead) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, small_campaign, {"--share"}).exit_code, 0);
  EXPECT_EQ(mode_of(folder / "campaign"), 0755U);
  EXPECT_EQ(mode_of(folder / "campaign/journal.jsonl"), 0644U);
}

TEST(Rights, SharingFollowsNoLinkAndEntersNoFolder) {
  const Scratch folder;
  fs::create_directories(folder.path() / "shared/inner");
  write(folder / "secret", "x");
  write(folder / "shared/inner/file", "x");
  for (const char* name : {"secret", "shared/inner/file"}) ::chmod((folder / name).c_str(), 0600);
  fs::create_symlink("../secret", folder.path() / "shared/link");
  ASSERT_EQ(::mkfifo((folder / "shared/pipe").c_str(), 0600), 0);
  share_directory(folder / "shared");
  EXPECT_EQ(mode_of(folder / "secret"), 0600U);
  EXPECT_EQ(mode_of(folder / "shared/inner/file"), 0600U);
  EXPECT_EQ(mode_of(folder / "shared/pipe"), 0600U);
}

TEST(Rights, ALinkInTheOutputsPlaceIsRefused) {
  const Scratch folder;
  fs::create_directory_symlink("elsewhere", folder.path() / "campaign");
  const auto finished = run_campaign_text(folder, small_campaign);
  EXPECT_EQ(finished.exit_code, 5) << finished.err;
  EXPECT_FALSE(fs::exists(folder.path() / "elsewhere"));
}

TEST(Rights, AJournalThatIsALinkIsNotWrittenThrough) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, small_campaign).exit_code, 0);
  fs::rename(folder.path() / "campaign/journal.jsonl", folder.path() / "victim");
  fs::create_symlink("../victim", folder.path() / "campaign/journal.jsonl");
  const std::string before = text_of_file(folder / "victim");
  const auto finished = run_assay({"resume", folder / "campaign", "--add-session"});
  EXPECT_TRUE(finished.exit_code == 4 || finished.exit_code == 5) << finished.exit_code << finished.err;
  EXPECT_EQ(text_of_file(folder / "victim"), before);
}

/// Whatever the name of a file that is to be created or replaced: a link there is never written through.
TEST(Rights, NoLinkIsWrittenThroughWhateverTheName) {
  const Scratch folder;
  write(folder / "victim", "precious");
  for (const std::string name : {"journal.jsonl", "owner", "samples", "results.csv", ".tmp"}) {
    fs::create_symlink("victim", folder.path() / name);
    EXPECT_ANY_THROW(AppendFile::create(folder / name)) << name;
    EXPECT_ANY_THROW(AppendFile::reopen(folder / name, 8)) << name;
    write_file(folder / name, "new");
    EXPECT_EQ(text_of_file(folder / "victim"), "precious") << name;
    EXPECT_EQ(text_of_file(folder / name), "new") << name;
  }
}

/// The line of a process's status that begins so, without its label.
std::string status_of(int pid, const std::string& label) {
  std::istringstream lines(text_of_file("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(label + ":"))
      return std::regex_replace(line.substr(label.size() + 1), std::regex("\\s+"), " ");
  return "no " + label;
}

TEST(Rights, AWorkerThatDropsKeepsNothingOfRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give rights up";
  ChildProcess worker({assay_program(), {"worker"}, {"ASSAY_DROP_TO=nobody"}});
  ASSERT_TRUE(worker.socket().send(encode(Request(DescribeMessage{}), 1)));
  std::string line;
  ASSERT_EQ(worker.socket().receive(line, seconds(20)), LineSocket::Status::line) << worker.output();
  const std::string user = status_of(worker.pid(), "Uid");
  EXPECT_EQ(user.find(" 0"), std::string::npos) << user;
  EXPECT_EQ(status_of(worker.pid(), "Gid").find(" 0"), std::string::npos);
  EXPECT_EQ(status_of(worker.pid(), "Groups"), " ");
  EXPECT_EQ(status_of(worker.pid(), "CapEff"), " 0000000000000000");
  EXPECT_EQ(status_of(worker.pid(), "CapPrm"), " 0000000000000000");
}

TEST(Rights, APluginIsLoadedWithoutRootsRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give rights up";
  const Scratch folder;
  fs::copy_file(example_plugin_path(), folder / "plugin.so");
  ::chmod((folder / "plugin.so").c_str(), 0600);
  ASSERT_EQ(run_assay({"describe", "example/turn", "--plugin", folder / "plugin.so"}).exit_code, 0);
  const auto dropped =
      run_assay({"describe", "example/turn", "--plugin", folder / "plugin.so"}, {"ASSAY_DROP_TO=nobody"});
  EXPECT_EQ(dropped.exit_code, 3) << dropped.out;
  EXPECT_NE(dropped.err.find("ermission"), std::string::npos) << dropped.err;
}

TEST(Rights, ResultsOfADroppedCampaignStayRoots) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give rights up";
  const Scratch folder;
  const auto finished = run_campaign_text(folder, small_campaign, {"--drop-to", "nobody"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err.find("running as root"), std::string::npos) << finished.err;
  struct stat status {};
  ASSERT_EQ(::stat((folder / "campaign/journal.jsonl").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 0U);
  EXPECT_EQ(mode_of(folder / "campaign"), 0700U);
}

TEST(Rights, DroppingToNobodyKnownOrToRootIsRefused) {
  const Scratch folder;
  for (const char* user : {"no-such-user", "root"}) {
    const auto finished = run_campaign_text(folder, small_campaign, {"--drop-to", user});
    EXPECT_EQ(finished.exit_code, 2) << user;
    EXPECT_NE(finished.err.find("--drop-to"), std::string::npos) << finished.err;
    EXPECT_FALSE(fs::exists(folder.path() / "campaign"));
  }
}

TEST(Rights, RootIsToldOnce) {
  const Scratch folder;
  const std::string said = run_campaign_text(folder, small_campaign).err;
  const auto first = said.find("running as root");
  EXPECT_EQ(first != std::string::npos, ::geteuid() == 0) << said;
  EXPECT_EQ(first, said.rfind("running as root")) << said;
}

bool may_be_written(const std::string& path, const std::string& output) {
  return path.starts_with(output) || path == "/dev/null" || path == "/proc/self/oom_score_adj" || path == "/dev/tty";
}

/// Every file that a campaign opens for writing, creates, renames or changes the rights of, in all its processes.
TEST(Rights, NothingOutsideTheOutputIsWritten) {
  const Scratch folder;
  if (run_program({"sh", "-c", "command -v strace"}).exit_code != 0) GTEST_SKIP() << "strace is not installed";
  write(folder / "campaign.ini", std::string(small_campaign) +
                                     "[series.m]\nmeasurement = logp/round_trip\nchannel = mqueue, futex, pipe\n"
                                     "vehicle = thread, process\nplacement = unbound\n");
  const auto finished = run_program(
      {"strace", "-f", "-qq", "-e", "signal=none", "-e",
       "trace=open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,"
       "truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat,mount,sethostname,init_module,swapon",
       "-o", folder / "calls", assay_program(), "run", folder / "campaign.ini", "--output", folder / "campaign",
       "--quiet"});
  if (finished.err.find("ptrace") != std::string::npos) GTEST_SKIP() << "no tracing here: " << finished.err;
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const std::regex reads(R"(open(at2?)?\(.*O_RDONLY)");
  const std::regex named(R"re("([^"]*)")re");
  std::istringstream lines(text_of_file(folder / "calls"));
  int calls = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch name;
    if (std::regex_search(line, reads) || !std::regex_search(line, name, named)) continue;
    ++calls;
    EXPECT_TRUE(may_be_written(name[1], folder / "campaign")) << line;
  }
  EXPECT_GE(calls, 3) << "the directory, the journal, the null device";
}

}  // namespace
}  // namespace assay::test
