// SPDX-License-Identifier: Apache-2.0
// How long opening a long journal takes, and how much memory: scanned for its points, and for nothing.
#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "platform/clock/system_clock.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"
#include "support/records/long_journal.hpp"

namespace {

using namespace assay;

// MiB, the most this process has had.
long peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void scan(const std::string& path, const char* name, const Wanted& wanted) {
  std::size_t taken = 0;
  const auto start = std::chrono::steady_clock::now();
  const JournalEnd end = scan_journal(path, wanted, [&](const Record&) { ++taken; });
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::cout << name << ": " << end.records << " records, " << (end.good_size >> 20) << " MiB, " << taken << " taken, "
            << time.count() << " s, peak " << peak_memory() << " MiB" << std::endl;
}

}  // namespace

int main(int count, char** arguments) {
  std::int64_t visits = 1'000'000;
  if (count > 1) {
    const std::string_view text = arguments[1];
    std::from_chars(text.data(), text.data() + text.size(), visits);
  }
  const test::Scratch scratch;
  test::write_long_journal(scratch / "campaign", visits);
  for (int i = 0; i < 3; ++i) {
    scan(scratch / "campaign", "heads", [](const RecordHead&) { return false; });
    scan(scratch / "campaign", "points", [](const RecordHead& head) { return head.type == "point"; });
  }
  return 0;
}
