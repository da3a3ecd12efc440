// SPDX-License-Identifier: Apache-2.0
// Streams over traces and laws.
#include "bench/source.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "bench/peers/peer.hpp"
#include "stats/sample/summary.hpp"

namespace assay::bench {
namespace {

constexpr std::size_t draws_for_truth = 200'000;

Stream consecutive(const std::vector<double>& values, Rng& rng) {
  return [&values, at = rng.below(values.size())]() mutable {
    if (at == values.size()) at = 0;
    return values[at++];
  };
}

Stream spread(const std::vector<double>& values, Rng& rng) {
  return [&values, &rng, at = std::size_t{0}, left = std::size_t{0}]() mutable {
    if (left == 0) {
      at = rng.below(values.size() - visit_length + 1);
      left = visit_length;
    }
    --left;
    return values[at++];
  };
}

/// Density 1.5 / (x / 100)^2.5 above 100: finite mean, infinite variance.
test::Law pareto() {
  return {"Pareto 1.5", 100 * std::pow(2, 1 / 1.5), 300,
          [](Rng& rng) { return 100 * std::pow(1 - rng.uniform(), -1 / 1.5); }};
}

/// Twenty times as long in 2 % of the cases. The mixture's median and mean are left to the draws.
test::Law interrupted_floor() {
  const test::Law floor = test::shifted_exponential(100, 10);
  test::Law law{"floor, 2 % interrupted", 0, floor.mean * (1 + 0.02 * 19),
                [floor](Rng& rng) { return floor(rng) * (rng.uniform() < 0.02 ? 20 : 1); }};
  // P(value <= m) = 0.98 (1 - exp(-(m - 100) / 10)) = 1/2 below twenty floors.
  law.median = 100 - 10 * std::log1p(-0.5 / 0.98);
  return law;
}

}  // namespace

Source::Source(const test::Timings& trace) : name_(trace.cell), values_(trace.values()) {
  if (values_.size() < visit_length) throw std::invalid_argument("trace " + name_ + " is shorter than one visit");
  typical_ = median(values_);
  mean_ = mean_of(values_);
}

Source::Source(test::Law law) : name_(law.name), typical_(law.median), mean_(law.mean), law_(std::move(law)) {
  Rng rng = Rng(20260102).substream(name_);
  const test::Law fresh = *law_;
  values_.resize(draws_for_truth);
  for (double& value : values_) value = fresh(rng);
}

Stream Source::stream(Design design, Rng& rng) const {
  if (law_) return [law = *law_, &rng] { return law(rng); };
  return design == Design::consecutive ? consecutive(values_, rng) : spread(values_, rng);
}

std::vector<double> Source::whole(Design design) const {
  if (law_ || design == Design::consecutive) return values_;
  std::vector<std::size_t> visits(values_.size() / visit_length);
  for (std::size_t i = 0; i < visits.size(); ++i) visits[i] = i;
  std::vector<double> arranged;
  for (const std::size_t visit : Rng(20260103).shuffled(std::move(visits))) {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(visit * visit_length);
    arranged.insert(arranged.end(), first, first + visit_length);
  }
  return arranged;
}

std::vector<Source> traces_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".txt" && test::trace_kind(entry.path()) == "timings")
      files.push_back(entry.path());
  if (files.empty()) throw std::runtime_error("no traces below " + folder + "; record some with record_noise");
  std::sort(files.begin(), files.end());
  std::vector<Source> sources;
  for (const std::string& file : files) {
    test::Timings trace = test::read_timings(file);
    trace.cell = std::filesystem::path(file).parent_path().filename().string() + '/' + trace.cell;
    sources.emplace_back(trace);
  }
  return sources;
}

std::vector<Source> independent_laws() {
  std::vector<Source> sources;
  for (const test::Law& law :
       {test::normal(100, 5), test::normal(100, 20), test::log_normal(100, 0.3), interrupted_floor(), pareto(),
        test::bimodal(100, 130, 0.3, 2), test::quantised(test::normal(100, 5), 4)})
    sources.emplace_back(law);
  return sources;
}

Source dependent_law() { return Source(test::autoregressive(100, 10, 0.9)); }

Source warm_up_law() {
  return Source(test::Law{"50 slow ones first", 100, 100, [drawn = 0](Rng& rng) mutable {
                            const double slower = drawn < 50 ? 1.5 - 0.01 * drawn : 1;
                            ++drawn;
                            return slower * (100 + 5 * rng.normal());
                          }});
}

}  // namespace assay::bench
