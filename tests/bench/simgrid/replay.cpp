// SPDX-License-Identifier: Apache-2.0
// Replays of collective operations with the parameters of a campaign, for tests/bench/simgrid/run.py:
//   simgrid_replay DIR COMBINE OPERATION:RANKS:BYTES...                    calls one after the other, ns per call
//   simgrid_replay DIR COMBINE --noise DIR DRAWS OPERATION:RANKS:BYTES...  one call, quiet and with noise from random
//   phases
// COMBINE: ns per byte that two vectors take to be combined.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "record/collective/replay.hpp"
#include "record/journal/journal.hpp"
#include "record/simulator/measured_pieces.hpp"
#include "record/simulator/message_parameters.hpp"
#include "record/simulator/noise_trace.hpp"
#include "stats/sample/summary.hpp"

namespace assay::bench {
namespace {

using namespace collective;

struct Asked {
  Collective collective;
  Algorithm algorithm;
  int ranks;
  double bytes;
  std::string text;
};

// "allreduce:16:8", by the algorithms that both libraries are asked for.
Asked asked(const std::string& text) {
  const auto first = text.find(':'), second = text.find(':', first + 1);
  const auto collective = collective_named(text.substr(0, first)).value();
  const auto algorithm = collective == Collective::broadcast ? Algorithm::binomial : Algorithm::recursive_doubling;
  return {collective, algorithm, std::stoi(text.substr(first + 1)), std::stod(text.substr(second + 1)), text};
}

/// Calls one after the other, the root of each one rank further.
Schedule repeated(const Schedule& once, int calls) {
  Schedule all = once;
  all.operations.clear();
  all.first.assign(1, 0);
  const auto ranks = static_cast<std::size_t>(once.ranks);
  // Where the operations of a call and its virtual rank begin: each rank has another share of operations in each call.
  std::vector<std::vector<std::size_t>> begin(static_cast<std::size_t>(calls), std::vector<std::size_t>(ranks));
  const auto shifted = [&](std::size_t rank, std::size_t call) { return (rank + ranks - call % ranks) % ranks; };
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::uint32_t stage = 0;
    for (std::size_t call = 0; call < begin.size(); ++call) {
      const std::size_t as = shifted(rank, call);
      begin[call][as] = all.operations.size();
      std::uint32_t last = 0;
      for (Operation each : once.of(static_cast<int>(as))) {
        last = each.stage + 1;
        each.stage += stage;
        if (each.peer >= 0) each.peer = static_cast<std::int32_t>((static_cast<std::size_t>(each.peer) + call) % ranks);
        all.operations.push_back(each);
      }
      stage += last;
    }
    all.first.push_back(all.operations.size());
  }
  for (std::size_t call = 0; call < begin.size(); ++call)
    for (std::size_t as = 0; as < ranks; ++as)
      for (std::size_t i = once.first[as]; i < once.first[as + 1]; ++i) {
        const Operation& each = once.operations[i];
        if (each.peer < 0) continue;
        const auto peer = static_cast<std::size_t>(each.peer);
        all.operations[begin[call][as] + i - once.first[as]].match =
            static_cast<std::uint32_t>(begin[call][peer] + each.match - once.first[peer]);
      }
  return all;
}

double per_call(const Schedule& once, const std::vector<LogGp>& pieces) {
  const int calls = 8 * once.ranks;
  return (completion(repeated(once, 2 * calls), pieces) - completion(repeated(once, calls), pieces)) / calls;
}

struct Mean {
  double value = 0;
  double half = 0;  ///< of its 95 % interval
};
Mean mean_of(const std::vector<double>& values) {
  Mean mean;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) mean.value += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean.value) * (value - mean.value);
  mean.half = student_quantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n);
  return mean;
}

void print_noisy(const Schedule& schedule, const std::vector<LogGp>& pieces, const simulator::RecordedNoise& noise,
                 int draws, const std::string& text) {
  const double quiet = completion(schedule, pieces);
  Rng rng(20261125);
  std::vector<double> times;
  std::vector<RankNoise> ranks(static_cast<std::size_t>(schedule.ranks));
  const auto from = std::chrono::steady_clock::now();
  for (int draw = 0; draw < draws; ++draw) {
    for (RankNoise& each : ranks) each = {&noise.trace, rng.uniform() * noise.trace.length};
    times.push_back(completion(schedule, pieces, ranks));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  const Mean mean = mean_of(times);
  std::cout << text << ' ' << quiet << ' ' << mean.value << ' ' << mean.half << ' '
            << *std::max_element(times.begin(), times.end()) << ' ' << took.count() / draws << '\n';
}

simulator::RecordedNoise noise_of(const std::string& directory, double longest) {
  ObservationLog observations;
  const auto records = read_journal(directory).records;
  for (const Record& record : records) observations.add(record);
  auto noise = simulator::recorded_noise(records, observations, {}, "simgrid_replay").front();
  // What is left out is cut out of the time as well.
  std::vector<Detour> kept;
  double cut = 0, lost = 0;
  for (Detour detour : noise.trace.detours) {
    if (detour.duration > longest) {
      cut += detour.duration;
      continue;
    }
    lost += detour.duration;
    detour.start -= cut;
    kept.push_back(detour);
  }
  noise.trace = noise_trace(std::move(kept), noise.trace.length - cut);
  noise.lost = lost / noise.trace.length;
  return noise;
}

int run(const std::vector<std::string>& words) {
  const auto channel =
      simulator::through_measured(simulator::message_channel(read_journal(words.at(0)).records, {}, "simgrid_replay"));
  auto pieces = simulator::replay_parameters(channel);
  for (LogGp& piece : pieces) piece.combine_byte = std::stod(words.at(1));
  const bool is_noisy = words.size() > 2 && words[2] == "--noise";
  std::optional<simulator::RecordedNoise> noise;
  if (is_noisy) {
    noise = noise_of(words.at(3), std::stod(words.at(4)));
    std::cout << "# " << noise->trace.detours.size() << " detours in " << noise->trace.length / 1e9
              << " s: " << 100 * noise->lost << " % lost\n";
  }
  for (std::size_t i = is_noisy ? 6 : 2; i < words.size(); ++i) {
    const Asked each = asked(words[i]);
    const Schedule once = make(each.collective, each.algorithm, each.ranks, each.bytes);
    if (noise) print_noisy(once, pieces, *noise, std::stoi(words.at(5)), each.text);
    if (!noise) std::cout << each.text << ' ' << per_call(once, pieces) << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  try {
    return assay::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "simgrid_replay: " << error.what() << '\n';
    return 1;
  }
}
