// SPDX-License-Identifier: Apache-2.0
// Campaigns whose supervisor or worker is killed at random instants: nothing acknowledged is lost, nothing stays
// behind. ASSAY_KILLS says how often; a few times unless it is set.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "base/rng.hpp"
#include "record/table/table.hpp"
#include "support/programs/program.hpp"
#include "support/programs/workers.hpp"

namespace assay::test {
namespace {

// One wave for each point, so that they are done one after the other.
constexpr const char* three_points = R"([campaign]
max-workers = 3
[precision]
warm-up = 0ms
incarnations = 3
max-incarnations = 3
[series.laws]
measurement = synthetic/normal
median = 1000, 2000, 3000
placement = unbound
)";

int kills() {
  const char* text = std::getenv("ASSAY_KILLS");
  int count = 12;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), count);
  return count;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The processes, dead ones aside, that carry a text in their environment.
std::vector<int> carrying(const std::string& tag) {
  std::vector<int> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    if (content("/proc/" + name + "/environ").find(tag) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

/// True when nothing that carries the text lives any longer, or soon.
bool has_gone(const std::string& tag) {
  return comes_true([&] { return carrying(tag).empty(); });
}

/// The built program, running.
class Started {
 public:
  Started(const std::vector<std::string>& arguments, const std::string& errors, const std::string& tag) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    if (std::freopen(errors.c_str(), "w", stderr) == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr)
      ::_exit(126);
    std::string program = assay_program();
    std::vector<std::string> all = arguments;
    std::vector<char*> pointers{program.data()};
    for (std::string& one : all) pointers.push_back(one.data());
    pointers.push_back(nullptr);
    ::setenv("ASSAY_TEST_TAG", tag.c_str(), 1);
    ::execv(program.c_str(), pointers.data());
    ::_exit(127);
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
  }
  int pid() const { return pid_; }
  /// Waits for its end; the exit code, 128 + signal when killed.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
};

/// What was said of finished points, in whole lines.
std::set<std::string> acknowledged(const std::string& errors) {
  std::set<std::string> lines;
  std::istringstream text(errors);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("laws ") && !text.eof()) lines.insert(line);
  return lines;
}

/// The last record of each point of a campaign, as the terminal shows it.
std::map<std::string, std::string> shown_points(const Scratch& folder) {
  std::map<std::string, std::string> lines;
  for (const PointRecord& point : points_of(campaign_records(folder), "laws"))
    lines[to_text(point.point)] = point.unfinished ? "unfinished" : one_line(point);
  return lines;
}

enum class Victim { supervisor, worker, sentinel };

/// The children of a campaign that are of a kind. What a sanitizer starts for a moment looks like its program, and
/// hangs that when it is killed: hence the command line.
std::vector<int> victims(int supervisor, Victim kind) {
  if (kind == Victim::worker) return workers_of(supervisor);
  std::vector<int> found = children_of(supervisor);
  std::erase_if(found, [](int child) {
    const auto stat = process_stat(child);
    return !stat || stat->name != "assay-sentinel";
  });
  return found;
}

/// Kills a campaign at an instant, goes on with it, and checks what is promised.
void kill_once(Victim victim, std::chrono::microseconds after, const std::string& tag) {
  const Scratch folder;
  std::ofstream(folder / "campaign.ini") << three_points;
  const std::vector<std::string> command{"run", folder / "campaign.ini", "--output", folder / "campaign"};
  Started started(command, folder / "errors", tag);
  std::this_thread::sleep_for(after);  // any instant will do, between two events most of all: none is waited for
  if (victim == Victim::supervisor) {
    ::kill(started.pid(), SIGKILL);
  } else if (const auto found = victims(started.pid(), victim); !found.empty()) {
    ::kill(found.front(), SIGKILL);
  }
  started.wait();
  ASSERT_TRUE(has_gone(tag)) << "something of the campaign lived on";
  const auto lines = acknowledged(content(folder / "errors"));
  std::vector<std::string> again = command;
  if (victim == Victim::worker) again.emplace_back("--retry-failed");
  const Finished resumed = run_assay(again);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  const auto shown = shown_points(folder);
  std::set<std::string> final;
  for (const auto& [point, line] : shown) {
    // Few processes with few visits each can leave the interval wide, and two parts of a campaign differ by chance,
    // which the verdict then says.
    const auto says = [&](const char* word) { return line.find(word) != line.npos; };
    const bool is_finished = says("converged") || says("max-timings") || says("the sessions differ");
    EXPECT_TRUE(is_finished) << line;
    final.insert(line);
  }
  EXPECT_EQ(shown.size(), 3U);
  for (const std::string& line : lines)
    if (line.find("failed") == std::string::npos) {
      EXPECT_TRUE(final.contains(line)) << "said and lost: " << line;
    }
}

/// How long the campaign takes here when it is not disturbed.
std::chrono::microseconds duration() {
  const Scratch folder;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run_campaign_text(folder, three_points).exit_code, 0);
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
}

void kill_often(Victim victim, int times, std::uint64_t seed) {
  const auto whole = duration();
  Rng rng(seed);
  for (int i = 0; i < times && !testing::Test::HasFatalFailure(); ++i) {
    const auto after = std::chrono::microseconds(rng.below(static_cast<std::uint64_t>(whole.count())));
    SCOPED_TRACE("killed after " + std::to_string(after.count()) + " us");
    kill_once(victim, after, "assay-kill-" + std::to_string(::getpid()) + "-" + std::to_string(i));
  }
}

TEST(Faults, F01_F53_a_supervisor_killed_at_any_instant_loses_nothing_and_leaves_nobody) {
  kill_often(Victim::supervisor, kills(), 1);
}

TEST(Faults, F01_a_worker_killed_at_any_instant_costs_its_point_only) {
  kill_often(Victim::worker, (kills() + 2) / 3, 2);
}

TEST(Faults, F53_a_sentinel_killed_at_any_instant_costs_nothing) { kill_often(Victim::sentinel, (kills() + 5) / 6, 3); }

}  // namespace
}  // namespace assay::test
