// SPDX-License-Identifier: Apache-2.0
// Misses of one-sided extrapolation and their noise.
#include "design/curve.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

struct Miss {
  double size = 0;
  double noise = 0;
  double beyond(double deviations) const {
    const double n = deviations * noise;
    return std::sqrt(std::max(0.0, size * size - n * n));
  }
};

bool positive(std::span<const Node> nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.x > 0 && n.y > 0; });
}

double line(double x0, double y0, double x1, double y1, double x) { return y1 + (x - x1) * (y1 - y0) / (x1 - x0); }

double straight(const Node& a, const Node& b, double x, Basis basis) {
  if (basis == Basis::linear) return line(a.x, a.y, b.x, b.y, x);
  return std::exp(line(std::log(a.x), std::log(a.y), std::log(b.x), std::log(b.y), std::log(x)));
}

// Values that change sign have no relative error; the largest one then is the measure.
double measure_of(std::span<const Node> nodes, const Node& b, const Node& c) {
  if (positive(nodes)) return std::min(b.y, c.y);
  double largest = 0;
  for (const Node& n : nodes) largest = std::max(largest, std::abs(n.y));
  return largest > 0 ? largest : 1;
}

Miss linear_miss(const Node& a, const Node& b, const Node& target, double measure) {
  const double r = std::abs((target.x - b.x) / (b.x - a.x));
  const double size = std::abs(target.y - line(a.x, a.y, b.x, b.y, target.x));
  const double noise = std::hypot(target.sigma, (1 + r) * b.sigma, r * a.sigma);
  return {size / measure, noise / measure};
}

Miss logarithmic_miss(const Node& a, const Node& b, const Node& target) {
  const double r = std::abs(std::log(target.x / b.x) / std::log(b.x / a.x));
  const double size = std::abs(std::log(target.y / straight(a, b, target.x, Basis::logarithmic)));
  return {size, std::hypot(target.sigma / target.y, (1 + r) * b.sigma / b.y, r * a.sigma / a.y)};
}

// Nothing but the two ends is known: a quarter of their difference.
Miss difference(const Node& b, const Node& c, double measure) {
  if (b.y > 0 && c.y > 0) return {std::abs(std::log(c.y / b.y)) / 4, std::hypot(b.sigma / b.y, c.sigma / c.y) / 4};
  return {std::abs(c.y - b.y) / measure / 4, std::hypot(b.sigma, c.sigma) / measure / 4};
}

class Assessor {
 public:
  Assessor(std::span<const Node> nodes, Basis basis) : nodes_(nodes), basis_(basis) {}

  std::vector<Miss> misses(std::size_t i, bool from_left, bool from_right) const {
    std::vector<Miss> found;
    if (from_left && i > 0) found.push_back(miss(i - 1, i, i + 1, i));
    if (from_right && i + 2 < nodes_.size()) found.push_back(miss(i + 2, i + 1, i, i));
    if (found.empty()) found.push_back(difference(nodes_[i], nodes_[i + 1], measure(i)));
    return found;
  }

 private:
  double measure(std::size_t gap) const { return measure_of(nodes_, nodes_[gap], nodes_[gap + 1]); }
  Miss miss(std::size_t from, std::size_t through, std::size_t to, std::size_t gap) const {
    if (basis_ == Basis::logarithmic) return logarithmic_miss(nodes_[from], nodes_[through], nodes_[to]);
    return linear_miss(nodes_[from], nodes_[through], nodes_[to], measure(gap));
  }

  std::span<const Node> nodes_;
  Basis basis_;
};

double mean_beyond(const std::vector<Miss>& misses, double deviations) {
  double sum = 0;
  for (const Miss& m : misses) sum += m.beyond(deviations);
  return sum / static_cast<double>(misses.size());
}

// Beside a jump only one side misses; across it both do.
bool is_jump(const Gap& gap, const std::vector<Miss>& misses, const Axis& axis, double tolerance) {
  if (gap.width >= least_width && axis.split(gap.low, gap.high)) return false;
  return std::all_of(misses.begin(), misses.end(), [&](const Miss& m) { return m.beyond(2) > tolerance; });
}

double leave_one_out(std::span<const Node> nodes, const Axis& axis, Basis basis) {
  double error = 0;
  double weight = 0;
  for (std::size_t i = 1; i + 1 < nodes.size(); ++i) {
    const double w = axis.width(nodes[i - 1].x, nodes[i + 1].x);
    const double there = straight(nodes[i - 1], nodes[i + 1], nodes[i].x, basis);
    error += w * std::min(1.0, std::abs(there - nodes[i].y) / measure_of(nodes, nodes[i], nodes[i]));
    weight += w;
  }
  return weight > 0 ? error / weight : 0;
}

}  // namespace

double Gap::key() const {
  constexpr double exploring = 0.01;
  return (error + exploring) * std::pow(width, 0.75);
}

double interpolate(std::span<const Node> nodes, double x, Basis basis) {
  std::size_t i = 1;
  while (i + 1 < nodes.size() && nodes[i].x < x) ++i;
  return straight(nodes[i - 1], nodes[i], x, basis);
}

Basis choose_basis(std::span<const Node> nodes, const Axis& axis) {
  if (!positive(nodes)) return Basis::linear;
  const bool linear = leave_one_out(nodes, axis, Basis::linear) <= leave_one_out(nodes, axis, Basis::logarithmic);
  return linear ? Basis::linear : Basis::logarithmic;
}

std::vector<Gap> assess(std::span<const Node> nodes, Basis basis, const Axis& axis, double tolerance) {
  const Assessor assessor(nodes, positive(nodes) ? basis : Basis::linear);
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    Gap gap{nodes[i].x, nodes[i + 1].x, axis.width(nodes[i].x, nodes[i + 1].x)};
    gap.jump = is_jump(gap, assessor.misses(i, true, true), axis, tolerance);
    gaps.push_back(gap);
  }
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const bool from_left = i > 0 && !gaps[i - 1].jump;
    const bool from_right = i + 1 < gaps.size() && !gaps[i + 1].jump;
    const auto misses = assessor.misses(i, from_left, from_right);
    gaps[i].error = mean_beyond(misses, 1);
    gaps[i].certain = mean_beyond(misses, 2);
  }
  return gaps;
}

}  // namespace assay
