// SPDX-License-Identifier: Apache-2.0
// Other harnesses as stopping rules: each takes timings one by one and says when it would stop, and what it would
// print.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay::bench {

/// What a harness prints when it has stopped.
struct Claim {
  double value = 0;
  Interval interval;      ///< not available where the harness has none
  bool converged = true;  ///< false: it stopped at a limit, with its own criterion unmet
};

/// One measurement by a harness. Floors of wall time are left out, which saves the harness timings.
class Peer {
 public:
  virtual ~Peer() = default;
  /// Takes the next timing; true when the harness stops after it.
  virtual bool add(double timing) = 0;
  /// What it prints if it stops now; meaningful once add has said so.
  virtual Claim claim() const = 0;
};

/// A harness with its settings.
struct PeerKind {
  std::string name;
  /// A fresh measurement. `typical` is about one timing, for harnesses whose plans are in units of time.
  std::function<std::unique_ptr<Peer>(double typical)> make;
  /// What its value estimates: the same statistic over very many timings in their order. Empty for the mean, which laws
  /// know exactly.
  std::function<double(std::span<const double> whole)> truth{};
};

/// SKaMPI 5: batches of `min`; stops when the standard error of all values is at most `threshold` of their mean, or at
/// `max`. Reports the mean of the middle half with the standard error of that half (source: its measurement loop).
PeerKind skampi(double threshold, std::size_t min, std::size_t max);
/// de Supinski and May 1999: the same loop, on the standard deviation; reports the mean with its t interval.
PeerKind standard_deviation(double threshold, std::size_t min, std::size_t max);
/// MPIBlib: t half-width of the mean at 95 % at most `eps` of it, from 30 repetitions on, at most `max` (1000).
PeerKind mpiblib(double eps, std::size_t max);
/// logp_mpi (Kielmann, Bal and Verstoep 2000): rounds of 3; one-sided 90 % t half-width at most twice `eps` of the
/// mean, at most `max` (72).
PeerKind logp_mpi(double eps, std::size_t max);

/// NVBench's stdrel: relative standard deviation below `noise` (0.005), or settled: of the last 512 such values, at
/// every 16th timing once there are more than 64, the standard deviation about the newest is below 5 % of it. From 10
/// timings on.
PeerKind nvbench_stdrel(double noise);
/// NVBench's entropy: the line through the last 299 entropies of the values seen so far rises by at most `angle`
/// degrees (0.048) a timing and explains at least 36 % of their variance, at every second timing from 10 on.
PeerKind nvbench_entropy(double angle);

/// Google Benchmark: batches that grow until one takes as long as `typical_timings` timings; the mean of the last one,
/// without an interval.
PeerKind google_benchmark(double typical_timings);
/// hyperfine: so many runs, decided once (10 where its three seconds ask for fewer); the mean, read with a t interval.
PeerKind hyperfine(std::size_t runs);
/// criterion.rs, linear mode: sums of d, 2 d, ... 100 d timings; the slope of the line through the origin with the
/// percentile interval of 1000 bootstrap resamples of the pairs.
PeerKind criterion(std::size_t d);
/// nanobench: 11 epochs of so many timings; the median of the epochs' means, with the median absolute relative
/// deviation from it (printed as err%) read as an interval.
PeerKind nanobench(std::size_t timings_per_epoch);

/// BenchmarkDotNet: iterations of so many timings; without values above the upper fence of Tukey, the 99.9 % t
/// half-width is below `error` (0.02) of the mean; 15 to `max` (100) iterations.
PeerKind benchmark_dot_net(std::size_t timings_per_iteration, double error, std::size_t max);
/// Hoefler and Belli 2015, rule 5 on the median: looks every 10 timings until its 95 % rank interval (normal
/// approximation) lies within `eps` of it, at most `max`.
PeerKind hoefler_belli(double eps, std::size_t max);

/// The arithmetic mean; values must not be empty.
double mean_of(std::span<const double> values);

}  // namespace assay::bench
