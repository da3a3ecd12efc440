// SPDX-License-Identifier: Apache-2.0
// A process that writes a journal is killed at any instant: what it had acknowledged is there.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/rng.hpp"
#include "platform/clock/system_clock.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"

namespace assay {
namespace {

VisitRecord killed_visit(int number) {
  VisitRecord record{"s", {}, 0, 0, number, 0, {1}, {2}, 1, {}, {}};
  // Every tenth is long enough to stand in a file of its own.
  record.batches.assign(number % 10 == 9 ? 2000 : 8, {{Reps{3}, {{Nanoseconds{9}}}}, {}});
  return record;
}

// Writes without end; reports through the pipe how many records are durable.
[[noreturn]] void write_without_end(const std::string& directory, int acknowledgements) {
  const MonotonicClock clock;
  Journal journal(directory, clock);
  journal.write(CampaignRecord{});
  for (int i = 0;; ++i) {
    journal.write(killed_visit(i));
    if (i % 3 == 0) journal.write(NoteRecord{"done"});
    const std::int64_t durable = journal.durable();
    if (::write(acknowledgements, &durable, sizeof durable) != sizeof durable) ::_exit(1);
  }
}

std::int64_t last_of(int pipe) {
  std::int64_t last = 0;
  for (std::int64_t next = 0; ::read(pipe, &next, sizeof next) == sizeof next;) last = next;
  return last;
}

TEST(Faults, F01_sigkill_at_any_instant_loses_nothing_that_was_acknowledged) {
  Rng rng(5);
  std::int64_t most = 0;
  for (int i = 0; i < 25; ++i) {
    const test::Scratch scratch;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) write_without_end(scratch / "campaign", ends[1]);
    ::close(ends[1]);
    std::int64_t acknowledged = 0;
    // Mostly once it writes; occasionally while it still opens the journal.
    if (i % 4 != 0) {
      ASSERT_EQ(::read(ends[0], &acknowledged, sizeof acknowledged), ssize_t{sizeof acknowledged});
    }
    ::usleep(static_cast<useconds_t>(rng.below(12'000)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    acknowledged = std::max(acknowledged, last_of(ends[0]));
    ::close(ends[0]);
    if (!std::filesystem::exists(scratch / "campaign/journal.jsonl")) continue;
    const JournalContent content = read_journal(scratch / "campaign");
    ASSERT_GE(content.end.records, acknowledged);
    most = std::max(most, acknowledged);
    const MonotonicClock clock;
    Journal again(scratch / "campaign", content.end, clock);
    again.write(NoteRecord{"goes on"});
    ASSERT_EQ(read_journal(scratch / "campaign").end.torn, 0);
  }
  EXPECT_GT(most, 1);
}

}  // namespace
}  // namespace assay
