// SPDX-License-Identifier: Apache-2.0
// Writing and reading of recorded states.
#include "support/traces/state_trace.hpp"

#include <cstdlib>
#include <numeric>

namespace assay::test {
namespace {

void add(WrappedWords& words, const KeptReading& reading) {
  words.add(reading.wide.front());
  for (std::size_t i = 1; i < KeptReading::tries; ++i) words.add(reading.wide[i] - reading.wide.front());
  words.add(reading.chain);
  words.add(reading.walk);
}

KeptReading next_reading(TraceBody& body) {
  KeptReading reading;
  reading.wide.fill(body.number<std::int64_t>());
  for (std::size_t i = 1; i < KeptReading::tries; ++i) reading.wide[i] += body.number<std::int64_t>();
  reading.chain = body.number<std::int64_t>();
  reading.walk = body.number<std::int64_t>();
  return reading;
}

KeptVisit next_visit(TraceBody& body, std::size_t cells) {
  KeptVisit visit;
  visit.at = body.number<std::int64_t>();
  visit.cell = body.number<std::size_t>();
  if (visit.cell >= cells) body.refuse_content("names a cell that it does not list");
  const auto batches = body.number<std::size_t>();
  for (std::size_t i = 0; i < batches; ++i) {
    visit.readings.push_back(next_reading(body));
    const auto elapsed = body.number<std::int64_t>();
    visit.batches.push_back({std::abs(elapsed), elapsed < 0});
  }
  visit.readings.push_back(next_reading(body));
  return visit;
}

}  // namespace

CoreReading StateTrace::of_tries(const KeptReading& kept, std::size_t first, std::size_t count) const {
  const auto from = kept.wide.begin() + static_cast<std::ptrdiff_t>(first);
  const std::int64_t wide = std::accumulate(from, from + static_cast<std::ptrdiff_t>(count), std::int64_t{0});
  CoreReading reading;
  reading.wide = {static_cast<double>(wide) / static_cast<double>(static_cast<std::int64_t>(count) * additions)};
  reading.chain = {static_cast<double>(kept.chain) / static_cast<double>(steps)};
  return reading;
}

std::string to_text(const StateTrace& trace) {
  Circumstances facts = trace.circumstances;
  facts.insert(facts.begin(), {{"cells", cells_text(trace.cells)},
                               {"additions", std::to_string(trace.additions)},
                               {"steps", std::to_string(trace.steps)},
                               {"lines", std::to_string(trace.lines)},
                               {"cycles-per-step", std::to_string(trace.cycles_per_step)},
                               {"visits", std::to_string(trace.visits.size())}});
  WrappedWords words;
  std::int64_t last = 0;
  for (const KeptVisit& visit : trace.visits) {
    words.add(visit.at - last);
    last = visit.at;
    words.add(static_cast<std::int64_t>(visit.cell));
    words.add(static_cast<std::int64_t>(visit.batches.size()));
    for (std::size_t i = 0; i < visit.batches.size(); ++i) {
      add(words, visit.readings[i]);
      words.add(visit.batches[i].switched ? -visit.batches[i].elapsed : visit.batches[i].elapsed);
    }
    add(words, visit.readings.back());
  }
  return sealed(trace_head("states", facts) + words.text());
}

StateTrace read_states(const std::string& file) {
  TraceBody body(file, "states");
  StateTrace trace;
  trace.cells = take_cells(body);
  trace.additions = body.take_number<std::int64_t>("additions");
  trace.steps = body.take_number<std::int64_t>("steps");
  trace.lines = body.take_number<std::int64_t>("lines");
  trace.cycles_per_step = body.take_number<int>("cycles-per-step");
  const auto visits = body.take_number<std::size_t>("visits");
  std::int64_t at = 0;
  for (std::size_t i = 0; i < visits; ++i) {
    trace.visits.push_back(next_visit(body, trace.cells.size()));
    at += trace.visits.back().at;
    trace.visits.back().at = at;
  }
  if (!body.word().empty()) body.refuse_content("has more visits than it tells");
  trace.circumstances = body.circumstances();
  return trace;
}

}  // namespace assay::test
