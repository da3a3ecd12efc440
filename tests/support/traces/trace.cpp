// SPDX-License-Identifier: Apache-2.0
// Writing and reading of recorded noise.
#include "support/traces/trace.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "base/value.hpp"
#include "support/traces/trace_text.hpp"

namespace assay::test {
namespace {

/// The largest unit of which all values are whole multiples.
std::int64_t common_unit(const std::vector<std::int64_t>& values) {
  std::int64_t unit = 0;
  for (const std::int64_t value : values) unit = std::gcd(unit, value);
  return std::max<std::int64_t>(unit, 1);
}

/// Every run with its cell's index, in order of time.
std::vector<std::pair<std::size_t, ProcessRun>> in_order(const std::vector<ProcessCell>& cells) {
  std::vector<std::pair<std::size_t, ProcessRun>> runs;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (const ProcessRun& run : cells[cell].runs) runs.emplace_back(cell, run);
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.second.at < b.second.at; });
  return runs;
}

}  // namespace

std::vector<double> Timings::values() const {
  std::vector<double> values;
  values.reserve(all.size());
  for (const std::int64_t elapsed : all) values.push_back(static_cast<double>(elapsed) / static_cast<double>(reps));
  return values;
}

std::string to_text(const Timings& timings) {
  const std::int64_t unit = common_unit(timings.all);
  Circumstances facts = timings.circumstances;
  facts.insert(facts.begin(), {{"cell", timings.cell},
                               {"reps", std::to_string(timings.reps)},
                               {"clock.step", assay::to_text(timings.step)},
                               {"unit", std::to_string(unit)},
                               {"timings", std::to_string(timings.all.size())}});
  WrappedWords words;
  for (const std::int64_t elapsed : timings.all) words.add(elapsed / unit);
  return sealed(trace_head("timings", facts) + words.text());
}

std::string to_text(const Processes& processes) {
  std::vector<TraceCell> cells;
  for (const ProcessCell& cell : processes.cells) cells.push_back({cell.cell, cell.reps});
  const auto runs = in_order(processes.cells);
  Circumstances facts = processes.circumstances;
  facts.insert(facts.begin(), {{"cells", cells_text(cells)}, {"runs", std::to_string(runs.size())}});
  std::string text = trace_head("processes", facts);
  for (const auto& [cell, run] : runs) {
    const double batch = run.median * static_cast<double>(processes.cells[cell].reps);
    text += std::to_string(run.round) + ' ' + std::to_string(std::llround(1e3 * run.at)) + ' ' + std::to_string(cell) +
            ' ' + std::to_string(std::llround(10 * batch)) + '\n';
  }
  return sealed(text);
}

Timings read_timings(const std::string& file) {
  TraceBody body(file, "timings");
  Timings timings;
  timings.cell = body.take("cell");
  timings.reps = body.take_number<std::int64_t>("reps");
  timings.step = body.take_number<double>("clock.step");
  const auto unit = body.take_number<std::int64_t>("unit");
  const auto count = body.take_number<std::size_t>("timings");
  for (std::string_view word = body.word(); !word.empty(); word = body.word())
    timings.all.push_back(unit * body.number_of<std::int64_t>(word));
  if (timings.all.size() != count) body.refuse_content("has another number of timings than it tells");
  timings.circumstances = body.circumstances();
  return timings;
}

Processes read_processes(const std::string& file) {
  TraceBody body(file, "processes");
  Processes processes;
  for (TraceCell& cell : take_cells(body)) processes.cells.push_back({std::move(cell.name), cell.reps, {}});
  const auto count = body.take_number<std::size_t>("runs");
  for (std::size_t i = 0; i < count; ++i) {
    ProcessRun run;
    run.round = body.number<int>();
    run.at = 1e-3 * body.number<double>();
    const auto cell = body.number<std::size_t>();
    if (cell >= processes.cells.size()) body.refuse_content("names a cell that it does not list");
    const auto reps = static_cast<double>(processes.cells[cell].reps);
    run.median = 0.1 * body.number<double>() / reps;
    processes.cells[cell].runs.push_back(run);
  }
  if (!body.word().empty()) body.refuse_content("has more runs than it tells");
  processes.circumstances = body.circumstances();
  return processes;
}

}  // namespace assay::test
