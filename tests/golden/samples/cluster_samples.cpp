// SPDX-License-Identifier: Apache-2.0
// The records behind the golden file of the layout `cluster`.
#include "golden/samples/cluster_samples.hpp"

#include <string>

#include "unit/record/results.hpp"

namespace assay::test {

namespace {

Value word(const std::string& text) { return text; }

// Five incarnations a little apart; `offset` keeps those of different points from tying.
Result spread_result(const char* quantity, double median, int offset, Unit unit = Unit::nanoseconds) {
  Result result = plain_result(median, 0.01, unit);
  result.quantity = quantity;
  for (int i = 0; i < 5; ++i)
    result.processes.push_back({0, i, median * (1 + 0.003 * (i - 2) + 0.00001 * offset), 128});
  return result;
}

void add_point(std::vector<Record>& records, const char* series, const Point& point, std::vector<Result> results) {
  PointRecord record = finished_point(series, point, results.front());
  record.results = std::move(results);
  records.emplace_back(std::move(record));
}

// n3 is slow as a whole, and so is the link from n0 to n1 alone.
void add_links(std::vector<Record>& records) {
  records.emplace_back(SeriesRecord{"trip", "mpi/round_trip", {{.name = "rtt"}}, "median-ci(eps=0.02)"});
  int offset = 0;
  for (int from = 0; from < 5; ++from)
    for (int to = from + 1; to < 5; ++to) {
      const Point point = point_of({{"node", word("n" + std::to_string(from))},
                                    {"peer", word("n" + std::to_string(to))},
                                    {"bytes", std::int64_t{8}}});
      const bool is_slow_node = from == 3 || to == 3;
      const bool is_slow_link = from == 0 && to == 1;
      if (from == 1 && to == 4) {
        records.emplace_back(
            PointRecord{"trip", "mpi/round_trip", point, Outcome::failed, "rank 4 is gone", "", Reps{0}, {}});
        continue;
      }
      Result result = spread_result("rtt", is_slow_node ? 4100 : (is_slow_link ? 3300 : 2050), ++offset);
      result.regime = from == 2 && to == 4 ? Regime::blocked : Regime::spin;
      add_point(records, "trip", point, {result});
    }
}

void add_nodes(std::vector<Record>& records) {
  records.emplace_back(SeriesRecord{"copy",
                                    "memory/copy",
                                    {{.name = "rate", .unit = Unit::bytes_per_second}, {.name = "time"}},
                                    "median-ci(eps=0.02)"});
  for (int i = 0; i < 6; ++i) {
    const double rate = i == 2 ? 6.1e9 : 9.8e9;
    add_point(records, "copy", point_of({{"node", word("n" + std::to_string(i))}}),
              {spread_result("rate", rate, i, Unit::bytes_per_second), spread_result("time", 1e15 / rate, i)});
  }
}

void add_cpus(std::vector<Record>& records) {
  records.emplace_back(SeriesRecord{
      "selfish", "os/noise-selfish", {{.name = "lost", .unit = Unit::ratio}, {.name = "longest"}}, "fixed(count=10)"});
  int cpu = 0;
  for (const double lost : {0.0, 0.031, 0.0}) {
    Result share = spread_result("lost", lost, cpu, Unit::ratio);
    const std::string name = std::to_string(cpu++);
    add_point(records, "selfish", point_of({{"placement", word(name)}}),
              {share, spread_result("longest", lost > 0 ? 4.1e6 : 0, cpu)});
  }
}

// n2 had its cores to itself for a quarter of the time.
void add_cores(std::vector<Record>& records) {
  for (int i = 0; i < 6; ++i) {
    CoresRecord cores;
    cores.cycles_per_step = 3;
    cores.levels = {{0, 0.081, {1.04}, AloneBecause::throughput, 4000, 3800}};
    cores.alone = i == 2 ? 0.25 : 0.98;
    cores.shared = 0.95 - cores.alone * 0.95;
    cores.node = "n" + std::to_string(i);
    records.emplace_back(cores);
  }
}

}  // namespace

std::vector<Record> cluster_records() {
  std::vector<Record> records{CampaignRecord{"nodes", "[campaign]\nlayout = cluster\n", 42, "interleaved"}};
  add_links(records);
  add_nodes(records);
  add_cpus(records);
  add_cores(records);
  records.emplace_back(EndRecord{0, "complete", 19, 1, seconds(60)});
  return records;
}

}  // namespace assay::test
