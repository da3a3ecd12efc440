// SPDX-License-Identifier: Apache-2.0
// Surfaces, three ways to place points on them, and how wrong the interpolation between lines is.
#include "surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "design/design.hpp"
#include "strategy.hpp"

namespace assay::test {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{4} << 20;
constexpr std::int64_t most_threads = 64;

struct Surface {
  std::string name;
  std::function<double(double bytes, double threads)> y;
};

std::vector<Surface> surfaces() {
  const auto steps = known_curve("protocol").y;
  return {
      {"jumps x kink", [=](double s, double t) { return steps(s) * (t <= 16 ? 1 + .02 * t : 1.32 + .12 * (t - 16)); }},
      {"footprint",
       [](double s, double t) { return (3 + s * 2e-4) * (1 + 2 / (1 + std::exp((20 - std::log2(s * t)) / .3))); }},
      {"smooth", [](double s, double t) { return (5 + s * 1e-4) * (1 + .3 * std::log2(t)); }},
      {"corner", [](double s, double t) {
         return (5 + s * 1e-4) * (1 + 1.5 * std::max(0.0, std::log2(s) - 16) / 6 * std::max(0.0, std::log2(t) - 4) / 2);
       }}};
}

/// Measured lines over the size, by number of threads.
class Lines {
 public:
  Lines(const Surface& surface, double noise, std::uint64_t seed) : surface_(&surface), noise_(noise), rng_(seed) {}
  double measure(std::int64_t bytes, std::int64_t threads) {
    const double y =
        surface_->y(static_cast<double>(bytes), static_cast<double>(threads)) * (1 + noise_ * rng_.normal());
    return lines_[threads][bytes] = y;
  }
  std::size_t points() const {
    std::size_t sum = 0;
    for (const auto& [threads, line] : lines_) sum += line.size();
    return sum;
  }
  /// Straight in logarithms along the lines, then between them.
  double at(double bytes, double threads) const {
    std::vector<Node> across;
    for (const auto& [t, line] : lines_) {
      std::vector<Node> along;
      for (const auto& [x, y] : line) along.push_back({static_cast<double>(x), y});
      across.push_back({static_cast<double>(t), interpolate(along, bytes, Basis::logarithmic)});
    }
    return interpolate(across, threads, Basis::logarithmic);
  }
  Accuracy accuracy() const {
    std::vector<double> errors;
    for (const std::int64_t bytes : log_grid(1, most_bytes, 160))
      for (const std::int64_t threads : log_grid(1, most_threads, 40)) {
        const auto x = static_cast<double>(bytes);
        const auto t = static_cast<double>(threads);
        errors.push_back(std::abs(at(x, t) / surface_->y(x, t) - 1));
      }
    return accuracy_of(std::move(errors), 0.05);
  }

 private:
  const Surface* surface_;
  double noise_;
  Rng rng_;
  std::map<std::int64_t, std::map<std::int64_t, double>> lines_;
};

using Place = std::function<void(Lines&, const Surface&, double noise, std::size_t points)>;

/// Generations of whole lines from 6 sizes and 3 numbers of threads on, until the next would not fit.
void adaptive_lines(Lines& lines, const Surface&, double noise, std::size_t points) {
  const auto domain = [](std::int64_t most, std::size_t start) {
    Domain listed{{}, 0.05, false};
    for (const std::int64_t x : log_grid(1, most, start)) listed.levels.emplace_back(x);
    return listed;
  };
  const auto design = adaptive({{"bytes", domain(most_bytes, 6)}, {"threads", domain(most_threads, 3)}}, points);
  for (auto next = design->ask(); !next.empty() && lines.points() + next.size() <= points; next = design->ask())
    for (const auto& [point, attempt, sharpen] : next) {
      const auto level = [&](const char* factor) { return std::get<std::int64_t>(point.level(factor)); };
      design->tell(point, {true, lines.measure(level("bytes"), level("threads")), 1.96 * noise});
    }
}

void tensor_grid(Lines& lines, const Surface&, double, std::size_t points) {
  const auto sizes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(points) * 22 / 6)));
  for (const std::int64_t threads : log_grid(1, most_threads, std::max<std::size_t>(2, points / sizes)))
    for (const std::int64_t bytes : log_grid(1, most_bytes, sizes)) lines.measure(bytes, threads);
}

void skampi_per_line(Lines& lines, const Surface& surface, double, std::size_t points) {
  for (const std::int64_t threads : log_grid(1, most_threads, 6)) {
    const auto t = static_cast<double>(threads);
    const Curve curve{"line", 1, most_bytes, [&](double x) { return surface.y(x, t); }};
    Oracle exact(curve, 0, 1);
    // What SKaMPI chooses without noise, measured with noise: no worse for it than choosing with noise.
    skampi_autorefine()->run(exact, curve, points / 6);
    for (const Node& node : exact.nodes()) lines.measure(static_cast<std::int64_t>(node.x), threads);
  }
}

}  // namespace

void print_surfaces(double noise, int seeds) {
  const std::pair<const char*, Place> places[] = {{"Assay, adaptive lines", adaptive_lines},
                                                  {"tensor log grid", tensor_grid},
                                                  {"SKaMPI per line", skampi_per_line}};
  std::printf("\nTwo variables, %g %% noise, mean over four surfaces\n%-22s %6s %7s %7s %7s %7s\n", 100 * noise,
              "strategy", "points", "used", "mean%", "p99%", "wrong%");
  for (const auto& [name, place] : places)
    for (const std::size_t points : {48U, 96U, 192U}) {
      Accuracy sum;
      double used = 0;
      const double share = 1.0 / (4 * seeds);
      for (const Surface& surface : surfaces())
        for (int seed = 1; seed <= seeds; ++seed) {
          Lines lines(surface, noise, static_cast<std::uint64_t>(seed));
          place(lines, surface, noise, points);
          const Accuracy a = lines.accuracy();
          used += share * static_cast<double>(lines.points());
          sum.mean += share * a.mean;
          sum.most += share * a.most;
          sum.wrong += share * a.wrong;
        }
      std::printf("%-22s %6zu %7.1f %7.2f %7.1f %7.2f\n", name, points, used, 100 * sum.mean, 100 * sum.most,
                  100 * sum.wrong);
    }
}

}  // namespace assay::test
