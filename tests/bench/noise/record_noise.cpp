// SPDX-License-Identifier: Apache-2.0
// Records this machine's noise: stretches of consecutive timings of each cell, medians of many fresh processes, cells
// interleaved, or batches with readings of the core between them.
#include <boost/program_options.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include "base/rng.hpp"
#include "bench/noise/core_visits.hpp"
#include "bench/noise/fresh_process.hpp"
#include "bench/noise/noise_cells.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/machine/machine.hpp"
#include "record/provenance.hpp"
#include "stats/sample/summary.hpp"
#include "support/traces/trace.hpp"

namespace assay::bench {
namespace {

namespace options = boost::program_options;

struct Request {
  std::string mode;
  std::string directory;
  std::string circumstances;
  std::int64_t timings = 0;
  std::int64_t stretch = 0;
  double spacing = 0;
  int rounds = 0;
  double pause = 0;
  std::uint64_t seed = 0;
  VisitsAsked visits;
};

std::string file_text(const std::string& name) {
  std::ifstream in(name);
  std::string line;
  std::getline(in, line);
  return line;
}

Nanoseconds clock_step() {
  const MonotonicClock clock;
  std::vector<std::int64_t> stamps(2000);
  for (int pass = 0; pass < 2; ++pass)  // the first one maps the clock's page
    for (std::int64_t& stamp : stamps) stamp = clock.now().ns;
  std::vector<std::int64_t> differences;
  for (std::size_t i = 1; i < stamps.size(); ++i) differences.push_back(stamps[i] - stamps[i - 1]);
  return clock_facts(stamps, differences, 1).step;
}

/// What is told before anything is measured; the host's name is left out on purpose.
test::Circumstances circumstances_at_start(const Request& request) {
  test::Circumstances facts{{"date", utc_now()}, {"program", version_line()}};
  for (const Fact& fact : machine_facts(Topology::this_machine()))
    for (const char* key : {"cpu.model", "cpu.usable", "kernel.release", "clock.source", "virtual.hypervisor"})
      if (fact.key == key) facts.emplace_back(fact.key, fact.value);
  facts.emplace_back("circumstances", request.circumstances);
  facts.emplace_back("warm-up", "5 ms of the action, not kept");
  facts.emplace_back("load.start", file_text("/proc/loadavg"));
  return facts;
}

void save(const std::string& directory, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(directory);
  const std::string file = directory + '/' + name;
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
  std::cout << file << ": " << text.size() << " bytes\n" << std::flush;
}

void record_timings(const Request& request) {
  const auto spacing_ns = static_cast<std::int64_t>(1e9 * request.spacing);
  for (const NoiseCell& cell : noise_cells()) {
    test::Timings trace{cell.name, cell.reps_consecutive, clock_step().count, {}, circumstances_at_start(request)};
    trace.circumstances.emplace_back("kept", std::to_string(request.stretch) +
                                                 " timings in a row, one such stretch in " + to_text(request.spacing) +
                                                 " s of an uninterrupted run");
    trace.all = in_fresh_process(cell, trace.reps, {request.timings, request.stretch, spacing_ns});
    trace.circumstances.emplace_back("load.end", file_text("/proc/loadavg"));
    save(request.directory, cell.name + ".txt", test::to_text(trace));
  }
}

void record_processes(const Request& request) {
  test::Processes trace{{}, circumstances_at_start(request)};
  trace.circumstances.emplace_back("clock.step", to_text(clock_step().count));
  trace.circumstances.emplace_back("timings-per-run", std::to_string(request.timings));
  std::vector<std::size_t> order;
  for (const NoiseCell& cell : noise_cells()) {
    order.push_back(order.size());
    trace.cells.push_back({cell.name, cell.reps_process, {}});
  }
  Rng rng = Rng(request.seed).substream("order of cells");
  const auto from = std::chrono::steady_clock::now();
  for (int round = 0; round < request.rounds; ++round) {
    for (const std::size_t index : rng.shuffled(order)) {
      const std::chrono::duration<double> at = std::chrono::steady_clock::now() - from;
      test::ProcessCell& cell = trace.cells[index];
      std::vector<double> values;
      for (const std::int64_t elapsed :
           in_fresh_process(noise_cells()[index], cell.reps, {request.timings, request.timings, 0}))
        values.push_back(static_cast<double>(elapsed) / static_cast<double>(cell.reps));
      cell.runs.push_back({round, at.count(), median(std::move(values))});
    }
    // Asked for by the user: the noise of a longer period.
    std::this_thread::sleep_for(std::chrono::duration<double>(request.pause));
  }
  trace.circumstances.emplace_back("load.end", file_text("/proc/loadavg"));
  save(request.directory, "processes.txt", test::to_text(trace));
}

void record_states(const Request& request) {
  VisitsAsked asked = request.visits;
  asked.rounds = request.rounds;
  asked.longest_pause = request.pause;
  asked.seed = request.seed;
  const test::Circumstances facts = circumstances_at_start(request);
  test::StateTrace trace = record_visits(asked);
  trace.circumstances = facts;
  trace.circumstances.emplace_back("cpu", std::to_string(asked.cpu));
  trace.circumstances.emplace_back("load.end", file_text("/proc/loadavg"));
  save(request.directory, "states.txt", test::to_text(trace));
}

options::options_description described(Request& request) {
  options::options_description known("record_noise timings|processes|states, with");
  auto add = known.add_options();
  add("mode", options::value(&request.mode)->required(), "what to record");
  add("output", options::value(&request.directory)->required(), "directory of the files");
  add("circumstances", options::value(&request.circumstances)->required(), "in words: what else the machine does");
  add("timings", options::value(&request.timings), "per cell (20000), or per process (200)");
  add("stretch", options::value(&request.stretch)->default_value(1000), "timings in a row that are kept (timings)");
  add("spacing", options::value(&request.spacing)->default_value(0.25), "seconds from stretch to stretch (timings)");
  add("rounds", options::value(&request.rounds)->default_value(300),
      "processes (processes) or visits (states) per cell");
  add("pause", options::value(&request.pause)->default_value(0),
      "seconds between rounds (processes); the longest between visits (states)");
  add("seed", options::value(&request.seed)->default_value(1), "of the order of cells (processes, states)");
  add("cpu", options::value(&request.visits.cpu)->default_value(0), "to be bound to (states)");
  add("stretches", options::value(&request.visits.stretches)->default_value(20), "visits of 200 batches (states)");
  return known;
}

int record(const std::vector<std::string>& words) {
  Request request;
  const options::options_description known = described(request);
  if (words.empty()) {
    std::cout << known;
    return 2;
  }
  options::variables_map given;
  options::positional_options_description positions;
  positions.add("mode", 1);
  options::store(options::command_line_parser(words).options(known).positional(positions).run(), given);
  options::notify(given);
  const std::map<std::string, std::pair<std::int64_t, void (*)(const Request&)>> modes{
      {"timings", {20'000, record_timings}}, {"processes", {200, record_processes}}, {"states", {0, record_states}}};
  const auto mode = modes.find(request.mode);
  if (mode == modes.end()) throw options::error("the mode is timings, processes or states");
  if (request.timings == 0) request.timings = mode->second.first;
  mode->second.second(request);
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (const auto done = assay::bench::serve_fresh_process(words)) return *done;
    return assay::bench::record(words);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
