// SPDX-License-Identifier: Apache-2.0
// Measurements that change what belongs to the whole process: a note names them, and no worker inherits the change.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <clocale>
#include <set>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* plugin = ASSAY_SDK "/plugins/faults.so";

std::vector<Record> records_with(const std::string& name) {
  const Scratch folder;
  const auto finished = run_campaign_text(
      folder, "[campaign]\nplugins = " + std::string(plugin) +
                  "\n[precision]\nrule = fixed:24\nbatches = 8\nincarnations = 1\nwarm-up = 0\n[series.bad]\n"
                  "measurement = fixture/" +
                  name + "\n");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  return campaign_records(folder);
}

void expect_note(const std::string& name, const std::string& what) {
  const auto records = records_with(name);
  EXPECT_THAT(records_of<NoteRecord>(records),
              Contains(Field(&NoteRecord::text, AllOf(HasSubstr("fixture/" + name), HasSubstr(plugin), HasSubstr(what),
                                                      HasSubstr("the worker was replaced")))))
      << name;
  std::set<int> processes;
  for (const IncarnationRecord& one : records_of<IncarnationRecord>(records)) processes.insert(one.process);
  EXPECT_GE(processes.size(), 3U) << name << ": one for each visit";
  EXPECT_EQ(points_of(records, "bad").at(0).results.size(), 1U) << name;
}

TEST(Meddling, WithTheProcessIsNotedAndTheWorkerReplaced) {
  expect_note("changes-signal-mask", "blocked signals (was none, is 12)");
  expect_note("chdir", "working directory (was ");
  expect_note("changes-limit", "limits (was ");
  expect_note("closes-stderr", "descriptor 2 (was ");
}

TEST(Meddling, WithTheLocaleIsNoted) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  if (std::setlocale(LC_NUMERIC, "C.UTF-8") == nullptr) GTEST_SKIP() << "there is no locale but C";
  std::setlocale(LC_NUMERIC, before.c_str());
  expect_note("sets-locale", "locale (was C, is ");
}

TEST(Meddling, WithTheBindingIsNoted) {
  cpu_set_t all;
  CPU_ZERO(&all);
  sched_getaffinity(0, sizeof all, &all);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one usable CPU only: it cannot be left";
  expect_note("changes-affinity", "CPUs (was ");
}

TEST(Meddling, IsNotSuspectedOfAnybodyElse) {
  EXPECT_THAT(records_of<NoteRecord>(records_with("ok")),
              Each(Field(&NoteRecord::text, Not(HasSubstr("changed its process")))));
}

}  // namespace
}  // namespace assay::test
