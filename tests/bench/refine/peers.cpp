// SPDX-License-Identifier: Apache-2.0
// The other strategies, from their published algorithms.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "strategy.hpp"

namespace assay::test {
namespace {

double line(const Node& p, const Node& q, double x) {
  return p.x == q.x ? (p.y + q.y) / 2 : p.y + (x - p.x) * (q.y - p.y) / (q.x - p.x);
}

class Uniform final : public Strategy {
 public:
  std::string name() const override { return "uniform in log x"; }
  void run(Oracle& oracle, const Curve& curve, std::size_t points) const override {
    for (const std::int64_t x : log_grid(curve.low, curve.high, points)) oracle.once(x);
  }
};

class Skampi final : public Strategy {
 public:
  std::string name() const override { return "SKaMPI autorefine"; }
  void run(Oracle& oracle, const Curve& curve, std::size_t points) const override {
    for (const std::int64_t x : log_grid(curve.low, curve.high, points / 2)) oracle.once(x);
    while (oracle.points() < points) {
      const auto next = candidate(oracle.nodes());
      if (!next) return;
      oracle.once(*next);
    }
  }

 private:
  static std::optional<std::int64_t> candidate(const std::vector<Node>& n) {
    std::optional<std::int64_t> best;
    double largest = -1;
    for (std::size_t i = 0; i + 1 < n.size(); ++i) {
      const Node& a = n[i > 0 ? i - 1 : 0];  // the ends stand in for the neighbours they lack
      const Node& d = n[std::min(i + 2, n.size() - 1)];
      const auto middle = static_cast<std::int64_t>((n[i].x + n[i + 1].x) / 2);
      const double miss =
          std::max(std::abs(line(n[i + 1], d, n[i].x) - n[i].y), std::abs(line(a, n[i], n[i + 1].x) - n[i + 1].y));
      const bool is_new = static_cast<double>(middle) > n[i].x;
      if (!is_new || miss * (d.x - a.x) <= largest) continue;
      largest = miss * (d.x - a.x);
      best = middle;
    }
    return best;
  }
};

class LogpMpi final : public Strategy {
 public:
  std::string name() const override { return "logp_mpi, 20 % rule"; }
  void run(Oracle& oracle, const Curve& curve, std::size_t points) const override {
    std::vector<std::int64_t> levels;
    for (std::int64_t x = curve.low; x < curve.high; x *= 2) levels.push_back(x);
    levels.push_back(curve.high);
    if (levels.size() > points) levels = log_grid(curve.low, curve.high, points);
    for (const std::int64_t x : levels) oracle.once(x);
    for (std::size_t i = 2; i < levels.size();)
      if (oracle.points() < points && off(oracle, levels, i))
        levels.insert(levels.begin() + static_cast<std::ptrdiff_t>(i), (levels[i - 1] + levels[i]) / 2);
      else
        ++i;
  }

 private:
  static bool off(Oracle& oracle, const std::vector<std::int64_t>& levels, std::size_t i) {
    const auto node = [&](std::size_t k) { return Node{static_cast<double>(levels[k]), oracle.once(levels[k])}; };
    const double narrow = std::max(32.0, 0.03 * static_cast<double>(levels[i]));
    if (static_cast<double>(levels[i] - levels[i - 1]) <= narrow) return false;
    return std::abs(line(node(i - 2), node(i - 1), node(i).x) - node(i).y) > 0.2 * node(i).y;
  }
};

}  // namespace

std::vector<std::int64_t> log_grid(std::int64_t low, std::int64_t high, std::size_t points) {
  std::vector<std::int64_t> levels;
  const auto least = static_cast<double>(low);
  const double ratio = static_cast<double>(high) / least;
  for (std::size_t i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(points, 2) - 1);
    const auto x = std::llround(least * std::pow(ratio, share));
    if (levels.empty() || x > levels.back()) levels.push_back(x);
  }
  return levels;
}

std::unique_ptr<Strategy> skampi_autorefine() { return std::make_unique<Skampi>(); }
std::unique_ptr<Strategy> logp_mpi_bisection() { return std::make_unique<LogpMpi>(); }
std::unique_ptr<Strategy> uniform_log() { return std::make_unique<Uniform>(); }

}  // namespace assay::test
