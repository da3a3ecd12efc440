// SPDX-License-Identifier: Apache-2.0
// Commands as tasks: what is claimed is what the kernel accounts, failures say why, and nothing stays.
#include "command/run.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catalog.hpp"
#include "support/environment/scratch.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

using test::Levels;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double mib = 1024.0 * 1024;

Point point_of(const Levels& levels) {
  Registry registry;
  register_all(registry, "command/run");
  Point point;
  for (const Factor& factor : registry.find("command/run")->description.factors)
    point.set(factor.name, factor.standard);
  for (const auto& [factor, level] : levels) point.set(factor, level);
  return point;
}

Value text(const std::string& words) { return words; }

struct Runs {
  explicit Runs(const Levels& levels) : setup(point_of(levels), 1), task(setup) {}
  Claims operator()(std::int64_t reps = 1) { return task.run(member, Reps{reps}); }

  std::atomic<std::int64_t> beats{0};
  Member member{0, 1, Stopwatch(), beats};
  test::PointSetup setup;
  CommandRun task;
};

/// How a command fails; empty where it does not.
std::string failure_of(const Levels& levels) {
  try {
    Runs runs(levels);
    runs();
  } catch (const std::exception& failure) {
    return failure.what();
  }
  return {};
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

rusage children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return usage;
}

double microseconds_in(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

TEST(Command, EndsAsExpectedOrSaysHow) {
  EXPECT_EQ(failure_of({{"command", text("/bin/true")}}), "");
  EXPECT_EQ(failure_of({{"command", text("/bin/false")}, {"exit-code", std::int64_t{1}}}), "");
  EXPECT_THAT(failure_of({{"command", text("/bin/false")}}), AllOf(HasSubstr("'/bin/false'"), HasSubstr("1")));
  EXPECT_THAT(failure_of({{"command", text("sh -c 'echo one >&2; echo two >&2; exit 3'")}}),
              AllOf(HasSubstr("3"), HasSubstr("one"), HasSubstr("two")));
  EXPECT_THAT(failure_of({{"command", text("sh -c 'kill -9 $$'")}}), HasSubstr("SIGKILL"));
}

TEST(Command, WhatIsMissingIsUnsupported) {
  EXPECT_THROW(Runs({{"command", text("assay-no-such-program")}}), Unsupported);
  EXPECT_THROW(Runs({{"command", text("true")}, {"directory", text("/no/such/folder")}}), Unsupported);
  EXPECT_THROW(Runs({{"command", text("true")}, {"environment", text("=x")}}), Unsupported);
  EXPECT_THROW(Runs({{"command", text("")}}), Unsupported);
  Runs unreadable({{"command", text("true")}, {"input", text("/no/such/file")}});
  EXPECT_THROW(unreadable(), Unsupported);
  EXPECT_THAT(failure_of({{"command", text("/no/such/program")}}), HasSubstr("/no/such/program"));
  EXPECT_THAT(failure_of({{"command", text("assay-no-such-program")}}), HasSubstr("assay-no-such-program"));
}

TEST(Command, TimeAndSwitchesAreThoseOfTheKernel) {
  Runs runs({{"command", text("sh -c 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; sleep 0.001'")}});
  constexpr int reps = 3;
  const rusage before = children();
  const Claims claims = runs(reps);
  const rusage after = children();
  const auto grown = [&](auto field) { return static_cast<double>(after.*field - before.*field); };
  EXPECT_NEAR(claims[CommandRun::user] / 1e3, microseconds_in(after.ru_utime) - microseconds_in(before.ru_utime),
              2 * reps);
  EXPECT_NEAR(claims[CommandRun::system] / 1e3, microseconds_in(after.ru_stime) - microseconds_in(before.ru_stime),
              2 * reps);
  EXPECT_EQ(claims[CommandRun::voluntary], grown(&rusage::ru_nvcsw));
  EXPECT_EQ(claims[CommandRun::involuntary], grown(&rusage::ru_nivcsw));
  EXPECT_GE(claims[CommandRun::voluntary], reps) << "each slept";
  EXPECT_GE(claims[CommandRun::wall], reps * 1e6);
}

TEST(Command, MemoryIsThatOfTheLargestProcessOrNotTold) {
  Runs large({{"command", text("dd if=/dev/zero of=/dev/null bs=200M count=1")}});
  const Claims claims = large();
  if (own_peak() >= 200 * mib) GTEST_SKIP() << "this process has more memory itself, a sanitizer's for instance";
  ASSERT_TRUE(claims.has(CommandRun::memory));
  EXPECT_GE(claims[CommandRun::memory], 200 * mib);
  EXPECT_LE(claims[CommandRun::memory], static_cast<double>(children().ru_maxrss) * 1024);
  Runs small({{"command", text("true")}});
  const Claims of_small = small();
  EXPECT_TRUE(!of_small.has(CommandRun::memory) || of_small[CommandRun::memory] > own_peak());
}

TEST(Command, RunsWithItsFolderEnvironmentFilesAndLevels) {
  const test::Scratch folder;
  std::ofstream(folder.path() / "in put") << "from the input\n";
  Runs runs({{"command", text("sh -c 'cat; pwd; echo $ASSAY_COLOUR; echo \"$1\"' x {what}-{n}")},
             {"what", text("a b")},
             {"n", std::int64_t{7}},
             {"directory", text("'" + folder.path().string() + "'")},
             {"environment", text("ASSAY_COLOUR='light blue'")},
             {"input", text("'in put'")},
             {"output", text("out")}});
  runs(2);
  EXPECT_EQ(content_of(folder.path() / "out"),
            "from the input\n" + std::filesystem::canonical(folder.path()).string() + "\nlight blue\na b-7\n")
      << "of the last run alone";
}

TEST(Command, IsPreparedAndCleanedUpAroundEachRepetition) {
  const test::Scratch folder;
  const Levels levels{{"prepare", text("sh -c 'echo p >> log; ! test -e there; touch there'")},
                      {"command", text("sh -c 'echo c >> log; test -e there; exit {code}'")},
                      {"cleanup", text("sh -c 'echo e >> log; rm there'")},
                      {"directory", text(folder.path().string())}};
  Levels good = levels;
  good.emplace_back("code", std::int64_t{0});
  Runs runs(good);
  runs(2);
  EXPECT_EQ(content_of(folder.path() / "log"), "p\nc\ne\np\nc\ne\n");
  Levels bad = levels;
  bad.emplace_back("code", std::int64_t{1});
  EXPECT_THAT(failure_of(bad), StartsWith("command"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "there")) << "cleaned up after a failure, too";
  EXPECT_THAT(failure_of({{"prepare", text("false")}}), StartsWith("preparation"));
  EXPECT_THAT(failure_of({{"cleanup", text("false")}}), StartsWith("cleanup"));
}

TEST(Command, ALimitEndsItsWholeGroup) {
  const test::Scratch folder;
  const std::string file = (folder.path() / "pid").string();
  EXPECT_THAT(failure_of({{"command", text("sh -c 'sleep 1000 & echo $! > " + file + "; wait'")},
                          {"limit", std::int64_t{500'000'000}}}),
              HasSubstr("500ms"));
  const int grandchild = std::atoi(content_of(file).c_str());
  ASSERT_GT(grandchild, 0);
  // It may take a moment to die, and be a zombie until the process that inherits it waits for it.
  const auto lives = [&] {
    const std::string stat = content_of("/proc/" + std::to_string(grandchild) + "/stat");
    return !stat.empty() && stat.find(") Z") == stat.npos && stat.find(") X") == stat.npos;
  };
  for (int looks = 0; lives() && looks < 20'000; ++looks) ::usleep(1000);
  EXPECT_FALSE(lives());
  EXPECT_EQ(failure_of({{"command", text("true")}, {"limit", std::int64_t{60'000'000'000}}}), "");
}

TEST(Command, AScratchFolderIsItsOwnAndGoes) {
  const test::Scratch folder;
  const std::string file = (folder.path() / "name").string();
  {
    Runs runs({{"command", text("sh -c 'mkdir -p {scratch}/a/b; echo {scratch} > " + file + "'")}});
    runs();
    std::string made = content_of(file);
    made.pop_back();
    EXPECT_TRUE(std::filesystem::is_directory(made + "/a/b"));
    Runs another({{"command", text("sh -c 'test ! -e {scratch}/a'")}});
    another();
    EXPECT_TRUE(std::filesystem::is_directory(made + "/a/b")) << "no other takes it for abandoned";
  }
  std::string gone = content_of(file);
  gone.pop_back();
  EXPECT_FALSE(std::filesystem::exists(gone));
}

TEST(Command, WhatAKilledOwnerLeftIsRemovedByTheNext) {
  const test::Scratch folder;
  const char* before = std::getenv("TMPDIR");
  const std::string former = before != nullptr ? before : "";
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  std::filesystem::create_directories(folder.path() / "assay-scratch-aaaaaa" / "b");
  std::filesystem::create_directories(folder.path() / "another");
  { const ScratchFolder scratch; }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "assay-scratch-aaaaaa"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "another"));
  before != nullptr ? ::setenv("TMPDIR", former.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST(Command, ATeamRunsIt) {
  const auto one = test::run_named("command/run", {}, {{"command", text("echo {n}")}, {"n", std::int64_t{3}}}, Reps{2});
  EXPECT_GT(one.value("wall"), 0);
  EXPECT_EQ(one.value("voluntary"), std::floor(2 * one.value("voluntary")) / 2);
}

}  // namespace
}  // namespace assay
