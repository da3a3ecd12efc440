// SPDX-License-Identifier: Apache-2.0
// Requests to stop a campaign that is measuring: what is kept, how soon, with which exit code.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/programs/program.hpp"
#include "support/programs/workers.hpp"

namespace assay::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A point that is finished at once, and one whose visit would last an hour.
constexpr const char* one_hangs = R"([campaign]
schedule = consecutive
[precision]
warm-up = 0ms
deadline = 1h
[series.first]
measurement = synthetic/constant
placement = unbound
median = 1000
[series.second]
measurement = synthetic/fault
placement = unbound
members = 1
fault = hang
)";

/// A campaign in a process group of its own.
class Campaign {
 public:
  explicit Campaign(const std::string& ini, const std::vector<std::string>& options = {}) {
    std::ofstream(folder_ / "campaign.ini") << ini;
    std::vector<std::string> words{assay_program(), "run", folder_ / "campaign.ini", "--output", folder_ / "campaign"};
    words.insert(words.end(), options.begin(), options.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setpgid(0, 0);
      if (::freopen((folder_ / "err").c_str(), "w", stderr) == nullptr) ::_exit(126);
      if (::freopen((folder_ / "out").c_str(), "w", stdout) == nullptr) ::_exit(126);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
  }
  ~Campaign() {
    if (pid_ > 0) ::kill(pid_, SIGKILL), wait();
  }
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  int pid() const { return pid_; }
  /// Waits until a worker of the series was opened: the journal says so, and its first visit follows at once.
  void wait_for_the_visit(const std::string& series = "second") const {
    EXPECT_TRUE(comes_true([&] { return has_opened(series); })) << "no visit began";
  }
  bool has_opened(const std::string& series) const {
    const std::string opened = R"("type":"incarnation","series":")" + series + '"';
    std::ifstream journal(folder_ / "campaign/journal.jsonl");
    std::ostringstream text;
    text << journal.rdbuf();
    const bool first_is_kept =
        series != "second" || text.str().find(R"("type":"point","series":"first")") != std::string::npos;
    return first_is_kept && text.str().find(opened) != std::string::npos;
  }
  /// The status that the kernel reports at its end.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return status;
  }
  std::vector<Record> records() const { return campaign_records(folder_); }
  std::string err() const {
    std::ifstream file(folder_ / "err");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

 private:
  Scratch folder_;
  pid_t pid_ = 0;
};

void expect_good_order(const Campaign& campaign) {
  const auto ends = records_of<EndRecord>(campaign.records());
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].reason, "signal");
  ASSERT_FALSE(points_of(campaign.records(), "first").empty());
  EXPECT_EQ(points_of(campaign.records(), "first")[0].outcome, Outcome::converged);
}

TEST(Signals, F40_the_first_one_ends_the_visit_in_flight_and_keeps_the_rest) {
  for (const int number : {SIGTERM, SIGHUP}) {
    Campaign campaign(one_hangs);
    campaign.wait_for_the_visit();
    const auto asked = Clock::now();
    ::kill(campaign.pid(), number);
    const int status = campaign.wait();
    EXPECT_LT(Clock::now() - asked, 200s) << "not after the deadline of an hour";
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_NE(campaign.err().find("1 point finished in this session; 'assay resume "), std::string::npos)
        << campaign.err();
    EXPECT_EQ(WEXITSTATUS(status), 75);
    expect_good_order(campaign);
  }
}

TEST(Signals, F40_an_interrupt_to_the_whole_group_is_seen_by_the_shell) {
  Campaign campaign(one_hangs);
  campaign.wait_for_the_visit();
  ::kill(-campaign.pid(), SIGINT);
  const int status = campaign.wait();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  expect_good_order(campaign);
}

/// What the kernel drops before any process receives it: no time has to be waited for to see that nothing happens.
bool ignores(int pid, int signal) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigIgn:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  return false;
}

TEST(Signals, F40_one_to_the_worker_is_not_a_crash) {
  Campaign campaign(one_hangs);
  campaign.wait_for_the_visit();
  const auto workers = workers_of(campaign.pid());
  ASSERT_FALSE(workers.empty());
  for (const int worker : workers) {
    EXPECT_TRUE(ignores(worker, SIGTERM)) << "the visit goes on";
    ::kill(worker, SIGTERM);
  }
  EXPECT_TRUE(points_of(campaign.records(), "second").empty());
  ::kill(campaign.pid(), SIGTERM);
  EXPECT_EQ(WEXITSTATUS(campaign.wait()), 75);
  expect_good_order(campaign);
}

TEST(Signals, F40_a_second_one_ends_the_program_at_once) {
  Campaign campaign(one_hangs);
  campaign.wait_for_the_visit();
  const auto workers = workers_of(campaign.pid());
  ::kill(campaign.pid(), SIGTERM);
  ::kill(campaign.pid(), SIGINT);
  const int status = campaign.wait();
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 75);
  for (const int worker : workers)
    EXPECT_TRUE(comes_true([&] { return is_gone(worker); })) << "a worker outlived the campaign";
  EXPECT_EQ(points_of(campaign.records(), "first")[0].outcome, Outcome::converged);
}

TEST(Signals, F40_a_request_to_finish_lets_the_visit_in_flight_end) {
  Campaign campaign(R"([campaign]
schedule = consecutive
[precision]
warm-up = 0ms
deadline = 10s
[series.both-hang]
measurement = synthetic/fault
placement = unbound
members = 1
bystander = none, present
fault = hang
)");
  campaign.wait_for_the_visit("both-hang");
  ::kill(campaign.pid(), SIGUSR1);
  EXPECT_EQ(WEXITSTATUS(campaign.wait()), 75);
  const auto points = points_of(campaign.records(), "both-hang");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].outcome, Outcome::timeout) << "its visit went on to its deadline";
  EXPECT_EQ(points[1].outcome, Outcome::aborted) << "nothing began after it";
  EXPECT_EQ(records_of<EndRecord>(campaign.records()).at(0).reason, "signal");
}

}  // namespace
}  // namespace assay::test
