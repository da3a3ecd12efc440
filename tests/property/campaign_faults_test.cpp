// SPDX-License-Identifier: Apache-2.0
// Any sequence of runs, kills, full disks, damage and edits: what was kept stays, what is damaged is refused.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "record/table/table.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

constexpr int killed = 128 + SIGKILL;
constexpr std::array allowed{0, 1, 4, 5, 75, killed};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// What befalls a program while it runs.
struct Fate {
  int kill_after_ms = -1;            ///< -1: never
  rlim_t file_size = RLIM_INFINITY;  ///< bytes that a file can grow to: a full disk
};

struct Ended {
  int exit_code = 0;
  std::string err;
};

[[noreturn]] void become_program(std::vector<std::string>& command, const Fate& fate, const std::string& err) {
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(null, 1);
  ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600), 2);
  const rlimit limit{fate.file_size, RLIM_INFINITY};
  ::signal(SIGXFSZ, SIG_IGN);
  if (fate.file_size != RLIM_INFINITY) ::setrlimit(RLIMIT_FSIZE, &limit);
  std::vector<char*> pointers;
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(pointers.front(), pointers.data());
  ::_exit(127);
}

Ended execute(const Scratch& folder, std::vector<std::string> arguments, const Fate& fate) {
  arguments.insert(arguments.begin(), assay_program());
  const std::string err = folder / "err";
  const pid_t child = ::fork();
  if (child == 0) become_program(arguments, fate, err);
  if (fate.kill_after_ms >= 0) {
    // A random instant, at which nothing in particular has happened.
    std::this_thread::sleep_for(std::chrono::milliseconds(fate.kill_after_ms));
    ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(err)};
}

/// Whether `resume` continues what was interrupted, as it says itself; else it adds a session.
bool resume_continues() {
  return run_assay({"help", "resume"}).out.find("resume DIR --add-session") == std::string::npos;
}

/// One campaign under a random sequence of operations, and what must hold after each.
class Ordeal {
 public:
  explicit Ordeal(std::uint64_t seed) : rng_(seed), continues_(resume_continues()) { edit(false); }

  void operation() {
    switch (rng_.below(8)) {
      case 0:
        return damage(
            [this](std::string& text) { text[rng_.below(text.size())] ^= static_cast<char>(1U << rng_.below(8)); });
      case 1:
        return damage([this](std::string& text) { text.resize(rng_.below(text.size())); });
      case 2:
        return run_again();
      case 3:
        return measure({static_cast<int>(rng_.below(150)), RLIM_INFINITY});
      case 4:
        return measure({-1, content(journal()).size() + rng_.below(6000)});
      default:
        return measure({});
    }
  }
  /// Undisturbed, it ends well, and everything is there.
  void finish() {
    damaged_ = false;
    if (!original_.empty()) write(journal(), std::exchange(original_, {}));
    measure({});
    // A point that was in flight at two kills has failed until it is requested again.
    if (continues_ && last_.exit_code == 1) measure({}, {"--retry-failed"});
    EXPECT_EQ(last_.exit_code, 0) << last_.err;
    const auto records = read_journal(journal()).records;
    std::set<std::string> points;
    for (const PointRecord& point : records_of<PointRecord>(records)) points.insert(to_text(point.point));
    // A further session is about the points that there are; going on is about all that were asked for.
    if (continues_) {
      EXPECT_EQ(points.size(), 4U) << last_.err;
    }
    EXPECT_EQ(run_assay({"show", folder_ / "campaign"}).exit_code, 0);
  }

 private:
  std::string journal() const { return folder_ / "campaign/journal.jsonl"; }
  std::string text() const { return fs::exists(journal()) ? content(journal()) : std::string(); }

  /// Another file of the same meaning, or one that requests something else.
  void edit(bool other) {
    write(folder_ / "campaign.ini",
          "# " + std::to_string(rng_.next()) +
              "\n[precision]\nwarm-up = 0ms\nmax-timings = 60\nincarnations = 2\nmin-visits = 2\n"
              "[series.s]\nmeasurement = synthetic/normal\nplacement = unbound\nmedian = 100, 200, 300, " +
              (other ? std::to_string(1000 + rng_.below(1'000'000)) : "400") + "\n");
  }

  /// A second run into the same directory goes on with it where it requests the same; else it is refused, and changes
  /// nothing.
  void run_again() {
    const std::string before = text();
    if (!is_whole(before)) return measure({});
    const bool other = rng_.below(2) == 0;
    edit(other);
    last_ = execute(folder_, run_arguments(), {});
    edit(false);
    if (!other && continues_) return check(before);
    EXPECT_EQ(last_.exit_code, 5) << last_.err;
    EXPECT_EQ(text(), before);
  }

  std::vector<std::string> run_arguments() const {
    return {"run", folder_ / "campaign.ini", "--output", folder_ / "campaign"};
  }

  template <class Change>
  void damage(Change change) {
    std::string changed = text();
    if (changed.empty() || damaged_) return measure({});
    original_ = changed;
    change(changed);
    write(journal(), changed);
    damaged_ = true;
  }

  void measure(const Fate& fate, const std::vector<std::string>& options = {}) {
    const std::string before = text();
    // Killed before there was anything to go on with.
    const bool begun = damaged_ || is_whole(before);
    if (!begun && !continues_) fs::remove_all(folder_.path() / "campaign");
    auto arguments = begun ? std::vector<std::string>{"resume", folder_ / "campaign"} : run_arguments();
    if (begun && !continues_) arguments.emplace_back("--add-session");
    arguments.insert(arguments.end(), options.begin(), options.end());
    last_ = execute(folder_, arguments, fate);
    check(before);
  }

  void check(const std::string& before) {
    EXPECT_TRUE(std::count(allowed.begin(), allowed.end(), last_.exit_code) == 1)
        << "exit code " << last_.exit_code << ": " << last_.err;
    // Killed before it had read what is damaged, it has refused nothing yet.
    const bool had_no_time = damaged_ && last_.exit_code == killed && text() == before;
    if (last_.exit_code == 5 || had_no_time) {
      EXPECT_EQ(text(), before) << "refused, and yet changed";
      EXPECT_TRUE(damaged_ || !is_whole(before)) << last_.err;
      if (damaged_) write(journal(), original_);
    } else if (!before.empty()) {
      EXPECT_TRUE(text().starts_with(whole_part(before))) << "records were lost or changed";
      EXPECT_TRUE(!damaged_ || original_.starts_with(whole_part(before))) << "damage was taken for a record";
    }
    damaged_ = false;
    original_.clear();
    check_printed();
  }

  /// The text up to where whole records end; everything where it cannot be read.
  static std::string whole_part(const std::string& text) {
    return text.substr(0, static_cast<std::size_t>(parse_journal(text, "journal").end.good_size));
  }
  /// A journal with something to go on with: its first record is whole.
  static bool is_whole(const std::string& text) {
    try {
      return parse_journal(text, "journal").end.records > 0;
    } catch (const ResultError&) {
      return false;
    }
  }

  /// What was printed as done is in the journal.
  void check_printed() {
    std::set<std::string> kept;
    if (is_whole(text()))
      for (const PointRecord& point : records_of<PointRecord>(parse_journal(text(), "journal").records))
        kept.insert(one_line(point));
    for (std::size_t at = 0; at < last_.err.size();) {
      const auto end = last_.err.find('\n', at);
      if (end == std::string::npos) break;  // killed within the line
      const std::string line = last_.err.substr(at, end - at);
      EXPECT_TRUE(!line.starts_with("s median=") || kept.contains(line)) << "printed and not kept: " << line;
      at = end + 1;
    }
  }

  Scratch folder_;
  Rng rng_;
  bool continues_;
  bool damaged_ = false;
  std::string original_;
  Ended last_;
};

class CampaignFaults : public testing::TestWithParam<int> {};

TEST_P(CampaignFaults, WhatWasKeptStaysAndWhatIsDamagedIsRefused) {
  Ordeal ordeal(static_cast<std::uint64_t>(GetParam()));
  for (int step = 0; step < 10 && !HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    ordeal.operation();
  }
  ordeal.finish();
}

INSTANTIATE_TEST_SUITE_P(Seeds, CampaignFaults, testing::Values(1, 2));

}  // namespace
}  // namespace assay::test
