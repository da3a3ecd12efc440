// SPDX-License-Identifier: Apache-2.0
// How long `assay show` takes for a campaign of many points, and how much memory: reading its journal, and its tables.
// Arguments: points (10 000), visits to each (63, of nine batches), and a directory that keeps the journal.
#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

#include "app/results/results.hpp"
#include "record/journal/journal.hpp"
#include "record/table/table.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "unit/record/results.hpp"

namespace {

using namespace assay;

constexpr int points_per_series = 1000;
constexpr int incarnations = 5;

std::int64_t argument(int count, char** arguments, int index, std::int64_t standard) {
  if (count <= index) return standard;
  const std::string_view text = arguments[index];
  std::from_chars(text.data(), text.data() + text.size(), standard);
  return standard;
}

// MiB, the most this process has had.
long peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

VisitRecord visit_of(std::int64_t number) {
  VisitRecord visit{"", {}, 0, 0, static_cast<int>(number), 0, {12345.5}, {67890.25}, 1, {}, {}};
  JudgedBatch batch{{Reps{1200}, {{}}}, {}};
  batch.batch.members[0].claims.set(0, 354'000.5);
  batch.batch.members[0].cpu = {425'600.25};
  batch.batch.members[0].wall = {425'650.75};
  visit.batches.assign(9, batch);
  return visit;
}

std::string series_of(std::int64_t point) { return "series-" + std::to_string(point / points_per_series); }

Point levels_of(std::int64_t point) {
  return test::point_of({{"channel", Value(std::string(point % 2 == 0 ? "flag" : "futex"))}, {"bytes", Value(point)}});
}

// In rounds, as a campaign visits its points; records of points at the end.
void write_campaign(const std::string& directory, std::int64_t points, std::int64_t visits) {
  const test::FakeClock clock;
  Journal journal(directory, clock, {{Durability::Mode::none, {}}, false});
  journal.write(CampaignRecord{"many", "[campaign]\n", 1, "interleaved"});
  journal.write(SessionRecord{0, "2026-01-01T00:00:00Z", "assay run many.ini", {}});
  for (std::int64_t first = 0; first < points; first += points_per_series)
    journal.write(SeriesRecord{series_of(first), "logp/round_trip", {{.name = "time"}}, "median-ci"});
  for (std::int64_t round = 0; round < visits; ++round)
    for (std::int64_t point = 0; point < points; ++point) {
      VisitRecord visit = visit_of(round * points + point);
      visit.series = series_of(point);
      visit.point = levels_of(point);
      visit.incarnation = static_cast<int>(round % incarnations);
      if (round < incarnations)
        journal.write(IncarnationRecord{visit.series, visit.point, 0, visit.incarnation, 4711, {0, 1}});
      journal.write(BeginRecord{visit.series, visit.point, 0, 0, visit.visit, false});
      journal.write(visit);
    }
  for (std::int64_t point = 0; point < points; ++point) {
    Result result = test::plain_result(100 + static_cast<double>(point % 977), 0.01);
    for (int i = 0; i < incarnations; ++i) result.processes.push_back({0, i, result.headline.value + i, 100});
    journal.write(test::finished_point(series_of(point), levels_of(point), result));
  }
  journal.write(EndRecord{0, "complete", static_cast<int>(points), 0, seconds(1000)});
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void show(const std::string& directory) {
  const auto start = std::chrono::steady_clock::now();
  const auto records = read_results("many_results", directory, std::cerr);
  const double reading = since(start);
  std::ostringstream table;
  print_results(table, records);
  std::cout << "read in " << reading << " s, shown in " << since(start) << " s, " << table.str().size()
            << " bytes of tables, peak " << peak_memory() << " MiB" << std::endl;
}

}  // namespace

int main(int count, char** arguments) {
  const auto points = argument(count, arguments, 1, 10'000);
  const auto visits = argument(count, arguments, 2, 63);
  const test::Scratch scratch;
  const std::string directory = count > 3 ? arguments[3] : scratch / "campaign";
  if (!std::filesystem::exists(directory)) write_campaign(directory, points, visits);
  const auto size = std::filesystem::file_size(journal_file(directory));
  std::cout << points << " points, " << points * visits * 8 << " observations, journal of " << (size >> 20) << " MiB"
            << std::endl;
  for (int i = 0; i < 3; ++i) show(directory);
  return 0;
}
