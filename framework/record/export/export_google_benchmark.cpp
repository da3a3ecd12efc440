// SPDX-License-Identifier: Apache-2.0
// Rows as Google Benchmark writes them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/shown_value.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

using Members = Json::Object;

// Rows are many: each is written when it is made.
class BenchmarkRows {
 public:
  explicit BenchmarkRows(std::ostream& out) : out_(out) {}
  void add(const Members& row) {
    out_ << (first_ ? "\n" : ",\n") << to_text(row);
    first_ = false;
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

std::string fact(const std::vector<Record>& records, const std::string& key) {
  std::string value;
  for (const Record& record : records)
    if (const auto* session = std::get_if<SessionRecord>(&record)) {
      const auto found = std::ranges::find(session->facts, key, &Facts::value_type::first);
      value = found != session->facts.end() ? found->second : std::string();
    }
  return value;
}

// The number of a CPU; nothing for what cannot be one.
std::optional<std::int64_t> cpu_in(const std::string& text) {
  constexpr std::int64_t most = 1 << 20U;
  const auto value = parse_value(text);
  const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  return number != nullptr && *number >= 0 && *number < most ? std::optional(*number) : std::nullopt;
}

// How many CPUs a list such as "0-3,8" names; 0 where it is none.
std::int64_t cpus_in(const std::string& list) {
  std::int64_t cpus = 0;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find(',', at), list.size());
    const std::string range = list.substr(at, end - at);
    const auto dash = range.find('-');
    const auto first = cpu_in(range.substr(0, dash));
    const auto last = dash == range.npos ? first : cpu_in(range.substr(dash + 1));
    if (!first || !last || *last < *first) return 0;
    cpus += *last - *first + 1;
    at = end + 1;
  }
  return cpus;
}

Json context_json(const std::vector<Record>& records) {
  std::string started;
  for (const Record& record : records)
    if (const auto* session = std::get_if<SessionRecord>(&record)) started = session->started;
  return Members{{"date", started},
                 {"host_name", fact(records, "host.name")},
                 {"executable", "assay"},
                 {"num_cpus", cpus_in(fact(records, "cpu.usable"))},
                 {"mhz_per_cpu", 0},
                 {"cpu_scaling_enabled", false},
                 {"caches", Json::Array()},  // which they are stands in words among the facts
                 {"load_avg", Json::Array()},
                 {"library_version", fact(records, "assay.version")},
                 {"library_build_type", fact(records, "build.type")},
                 {"json_schema_version", 1},
                 {"assay_real_time",
                  "the quantity of a batch per event; of quantities that are no times, the wall time "
                  "of its slowest member per event, and the quantity is a key of its own"},
                 {"assay_cpu_time", "CPU time of all members of a batch per event"},
                 {"assay_rows",
                  "aggregates over clean batches, which are neither disturbed nor warm-up; with --observations a "
                  "row for each of them as well"}};
}

// What all rows of a result share.
struct Family {
  const SeriesGroup& group;
  const PointRecord& point;
  const Result& result;
  std::string name;
  std::int64_t index;
};

// Words between slashes, as programs that take names apart expect them.
std::string slashed(std::string name) {
  for (char& letter : name)
    if (letter == '/') letter = '_';
  return name;
}

std::string base_name(const PointRecord& point) {
  std::string name = slashed(point.series);
  for (const auto& level : point.point.levels())
    name += '/' + level.first + ':' + slashed(point.point.text(level.first));
  return name;
}

std::string family_name(const SeriesGroup& group, const PointRecord& point, const Result& result) {
  std::string name = base_name(point);
  const auto& quantities = group.series.quantities;
  if (quantities.empty() || quantities.front().name != result.quantity) name += "/quantity:" + slashed(result.quantity);
  if (result.regime != Regime::solo) name += "/regime:" + to_text(result.regime);
  return name + "/real_time";
}

std::int64_t members_of(const Point& point) {
  const Value* members = point.find("members");
  const auto* number = members != nullptr ? std::get_if<std::int64_t>(members) : nullptr;
  return number != nullptr ? *number : 1;
}

Members start_of(const std::string& name, std::int64_t index, const PointRecord& point) {
  return {{"name", name},
          {"family_index", index},
          {"per_family_instance_index", 0},
          {"run_name", name},
          {"run_type", "iteration"},
          {"repetitions", 1},
          {"repetition_index", 0},
          {"threads", members_of(point.point)}};
}

void set(Members& members, const std::string& key, Json value) {
  const auto found = std::ranges::find(members, key, &Members::value_type::first);
  if (found != members.end())
    found->second = std::move(value);
  else
    members.emplace_back(key, std::move(value));
}

// Parameters, and what a reader of the row must know, as further keys; none of them replaces one of the format's.
void add_parameters(Members& row, const PointRecord& point) {
  const auto add = [&](const std::string& key, Json value) {
    const bool taken = std::ranges::find(row, key, &Members::value_type::first) != row.end();
    row.emplace_back(taken ? "factor." + key : key, std::move(value));
  };
  add("series", point.series);
  for (const auto& [factor, level] : point.point.levels()) add(factor, level_json(level));
}

std::string label_of(const Family& family) {
  const auto marks = mark_words(family.point, family.result);
  return marks.empty() ? "" : joined(marks, ", ") + " (" + verdict_text(family.result) + ")";
}

// What the quantity is called where it is no time.
std::string counter_of(const Result& result) {
  if (result.unit == Unit::bytes_per_second) return "bytes_per_second";
  if (result.unit == Unit::per_second) return "items_per_second";
  return "value." + result.quantity;
}

void finish_family(Members& row, const Family& family, double value) {
  row.emplace_back("time_unit", "ns");
  if (family.result.unit != Unit::nanoseconds) row.emplace_back(counter_of(family.result), value);
  if (const auto label = label_of(family); !label.empty()) row.emplace_back("label", label);
  row.emplace_back("verdict", to_text(family.result.verdict.outcome));
  row.emplace_back("marks", joined(mark_words(family.point, family.result), " "));
  add_parameters(row, family.point);
}

void add_observations(BenchmarkRows& rows, const Family& family, const std::vector<LoggedObservation>& observations) {
  const bool is_time = family.result.unit == Unit::nanoseconds;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const LoggedObservation& one = observations[i];
    Members row = start_of(family.name, family.index, family.point);
    set(row, "repetitions", count_json(observations.size()));
    set(row, "repetition_index", count_json(i));
    row.emplace_back("iterations", one.reps.count);
    row.emplace_back("real_time", finite_json(is_time ? one.value : one.wall));
    row.emplace_back("cpu_time", finite_json(one.cpu));
    finish_family(row, family, one.value);
    rows.add(row);
  }
}

double mean_of(const std::vector<LoggedObservation>& observations, double LoggedObservation::*field) {
  double sum = 0;
  for (const LoggedObservation& one : observations) sum += one.*field;
  return sum / static_cast<double>(observations.size());
}

double median_of(const std::vector<LoggedObservation>& observations, double LoggedObservation::*field) {
  std::vector<double> values;
  for (const LoggedObservation& one : observations) values.push_back(one.*field);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// A statistic of a result: of its quantity, and of the time in the row.
struct Aggregate {
  const char* name;
  double value;
  double time;
};

// Of what is no time only mean and median: deviations and extremes of its times are not its own.
std::vector<Aggregate> aggregates_of(const Result& result, const std::vector<LoggedObservation>& observations) {
  const Summary& summary = result.summary;
  const double median = result.headline.value;
  if (result.unit != Unit::nanoseconds)
    return {{"mean", summary.mean, mean_of(observations, &LoggedObservation::wall)},
            {"median", median, median_of(observations, &LoggedObservation::wall)}};
  return {{"mean", summary.mean, summary.mean},
          {"median", median, median},
          {"stddev", summary.stddev, summary.stddev},
          {"min", summary.min, summary.min},
          {"max", summary.max, summary.max}};
}

void add_aggregates(BenchmarkRows& rows, const Family& family, const std::vector<LoggedObservation>& observations) {
  for (const Aggregate& aggregate : aggregates_of(family.result, observations)) {
    if (!std::isfinite(aggregate.value) || !std::isfinite(aggregate.time)) continue;
    Members row = start_of(family.name, family.index, family.point);
    std::erase_if(row, [](const auto& member) { return member.first == "repetition_index"; });
    set(row, "name", family.name + '_' + aggregate.name);
    set(row, "run_type", "aggregate");
    set(row, "repetitions", count_json(family.result.summary.n));
    row.emplace_back("aggregate_name", aggregate.name);
    row.emplace_back("aggregate_unit", "time");
    row.emplace_back("iterations", count_json(family.result.summary.n));
    row.emplace_back("real_time", aggregate.time);
    row.emplace_back("cpu_time", finite_json(mean_of(observations, &LoggedObservation::cpu)));
    finish_family(row, family, aggregate.value);
    rows.add(row);
  }
}

}  // namespace

Remarks write_google_benchmark(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  out << "{\"context\":" << to_text(context_json(source.records)) << ",\n\"benchmarks\":[";
  BenchmarkRows rows(out);
  std::int64_t index = 0;
  std::size_t lost = 0;
  std::size_t unknown = 0;
  const auto groups = group_by_series(source.records);
  const NumberedResults found = numbered_results(groups);
  for (const auto& [group, point, result] : found.rows) {
    const auto clean = source.observations.clean(*point, *result);
    if (clean.empty()) {
      ++lost;
      continue;
    }
    const Family family{*group, *point, *result, family_name(*group, *point, *result), index++};
    add_aggregates(rows, family, clean);
    if (!options.observations) continue;
    if (const auto observations = source.observations.of(*point, *result))
      add_observations(rows, family, *observations);
    else
      ++unknown;
  }
  out << "\n]}\n";
  Remarks remarks;
  if (lost > 0)
    remarks.push_back(counted(lost, "result") + " left out, since the journal does not contain their timings");
  if (unknown > 0)
    remarks.push_back(counted(unknown, "result") +
                      " without rows of observations: which of the journal's timings they are of is unknown");
  tell_numberless(remarks, found.numberless);
  return remarks;
}

}  // namespace assay
