// SPDX-License-Identifier: Apache-2.0
// Workers killed in the middle of measurements on objects of the system: nothing of these outlives them.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>

#include "support/programs/program.hpp"
#include "support/programs/workers.hpp"

namespace assay::test {
namespace {

struct KillCase {
  const char* name;
  const char* series;  ///< lines
};
void PrintTo(const KillCase& c, std::ostream* out) { *out << c.name; }

std::string campaign_of(const KillCase& c) {
  return std::string("[precision]\nrule = time:1h\nwarm-up = 0ms\nincarnations = 1\nmax-incarnations = 1\n") +
         "deadline = 100s\n[series.one]\nplacement = unbound\n" + c.series;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) names.insert(entry.path().filename());
  return names;
}

/// Names that this project gives to what others can see, by the worker that made it.
std::vector<std::string> left_by(int worker, const std::set<std::string>& shared_memory_before) {
  std::vector<std::string> left;
  for (const std::string& name : names_in("/dev/shm"))
    if (name.find("assay") != name.npos && !shared_memory_before.contains(name)) left.push_back("/dev/shm/" + name);
  for (int number = 0; number < 8; ++number) {
    const std::string name = "/assay-" + std::to_string(worker) + '-' + std::to_string(number);
    if (::mq_unlink(name.c_str()) == 0) left.push_back(name);
  }
  return left;
}

/// The processes that carry a text in their environment.
std::vector<int> workers_carrying(const std::string& tag) {
  std::vector<int> found = process_ids();
  std::erase_if(found, [&](int pid) { return is_gone(pid) || process_file(pid, "environ").find(tag) == tag.npos; });
  return found;
}

/// The supervisor of a campaign, whose temporary files go into a folder of their own.
pid_t start(const Scratch& folder, const std::string& tag) {
  std::vector<std::string> words{assay_program(),     "run",    folder / "campaign.ini", "--output",
                                 folder / "campaign", "--quiet"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::filesystem::create_directory(folder / "tmp");
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::setenv("TMPDIR", (folder / "tmp").c_str(), 1);
  ::setenv("ASSAY_KILLED_WORKER", tag.c_str(), 1);
  if (::freopen((folder / "err").c_str(), "w", stderr) == nullptr || ::freopen("/dev/null", "w", stdout) == nullptr)
    ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

/// Whether the journal holds the first visit, so that another one is under way, or about to be.
bool is_measuring(const Scratch& folder) {
  std::ifstream journal(folder / "campaign/journal.jsonl");
  for (std::string line; std::getline(journal, line);)
    if (line.find("\"type\":\"visit\"") != line.npos) return true;
  return false;
}

class KilledWorkers : public testing::TestWithParam<KillCase> {};

TEST_P(KilledWorkers, F14_leave_nothing_of_what_they_measured_on) {
  const Scratch folder;
  std::ofstream(folder / "campaign.ini") << campaign_of(GetParam());
  const auto shared_memory = names_in("/dev/shm");
  const std::string tag = folder.path().filename();
  const pid_t supervisor = start(folder, tag);
  const bool runs = comes_true([&] { return is_measuring(folder) || is_gone(supervisor); });
  const auto workers = workers_of(supervisor);
  EXPECT_TRUE(runs && workers.size() == 1);
  for (const int worker : workers) ::kill(worker, SIGKILL);
  if (workers.empty()) ::kill(supervisor, SIGKILL);
  int status = 0;
  ::waitpid(supervisor, &status, 0);
  std::ifstream err(folder / "err");
  EXPECT_EQ(WEXITSTATUS(status), 1) << err.rdbuf();
  EXPECT_TRUE(comes_true([&] { return workers_carrying(tag).empty(); })) << "a process lives on";
  for (const int worker : workers) EXPECT_THAT(left_by(worker, shared_memory), testing::IsEmpty());
  EXPECT_THAT(names_in(folder / "tmp"), testing::IsEmpty());
  EXPECT_THAT(names_in(folder / "campaign"), testing::UnorderedElementsAre("journal.jsonl")) << "not even an owner";
  const auto points = points_of(campaign_records(folder), "one");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].outcome, Outcome::failed) << points[0].reason;
  EXPECT_THAT(points[0].reason, testing::HasSubstr("killed by SIGKILL"));
}

INSTANTIATE_TEST_SUITE_P(
    Of, KilledWorkers,
    testing::Values(
        KillCase{"message_queues", "measurement = logp/round_trip\nchannel = mqueue\nvehicle = process\n"},
        KillCase{"shared_memory", "measurement = logp/round_trip\nchannel = futex\nvehicle = process\n"},
        KillCase{"shared_condition_variables", "measurement = logp/round_trip\nchannel = condvar\nvehicle = process\n"},
        KillCase{"shared_semaphores", "measurement = logp/round_trip\nchannel = sem\nvehicle = process\n"},
        KillCase{"shared_mutexes", "measurement = sync/contention\nlock = mutex\nmembers = 2\nvehicle = process\n"},
        KillCase{"robust_mutexes", "measurement = sync/owner_died\nvehicle = process\n"},
        KillCase{"shared_barriers", "measurement = sync/barrier\nmembers = 3\nvehicle = process\n"},
        KillCase{"sockets", "measurement = logp/round_trip\nchannel = unix-seqpacket\nvehicle = process\n"},
        KillCase{"remote_calls", "measurement = logp/round_trip\nchannel = rpc-tcp\nvehicle = process\n"},
        KillCase{"connections", "measurement = net/connect\nvehicle = process\n"},
        KillCase{"web_servers", "measurement = net/http\nvehicle = process\n"},
        KillCase{"pipes", "measurement = logp/round_trip\nchannel = pipe\nvehicle = process\n"}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace assay::test
