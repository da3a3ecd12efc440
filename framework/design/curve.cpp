// SPDX-License-Identifier: Apache-2.0
// Misses of one-sided extrapolation and their noise.
#include "design/curve.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

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

// The target against the line through a and b, which may lie on one side of it or on both.
Miss linear_miss(const Node& a, const Node& b, const Node& target, double measure) {
  const double r = (target.x - b.x) / (b.x - a.x);
  const double size = std::abs(target.y - line(a.x, a.y, b.x, b.y, target.x));
  const double noise = std::hypot(target.sigma, (1 + r) * b.sigma, r * a.sigma);
  return {size / measure, noise / measure};
}

Miss logarithmic_miss(const Node& a, const Node& b, const Node& target) {
  const double r = std::log(target.x / b.x) / std::log(b.x / a.x);
  const double size = std::abs(std::log(target.y / straight(a, b, target.x, Basis::logarithmic)));
  return {size, std::hypot(target.sigma / target.y, (1 + r) * b.sigma / b.y, r * a.sigma / a.y)};
}

// Nothing but the two ends is known: a quarter of their difference.
Miss difference(const Node& b, const Node& c, double measure) {
  if (b.y > 0 && c.y > 0) return {std::abs(std::log(c.y / b.y)) / 4, std::hypot(b.sigma / b.y, c.sigma / c.y) / 4};
  return {std::abs(c.y - b.y) / measure / 4, std::hypot(b.sigma, c.sigma) / measure / 4};
}

double mean_beyond(const std::vector<Miss>& misses, double deviations) {
  double sum = 0;
  for (const Miss& m : misses) sum += m.beyond(deviations);
  return misses.empty() ? 0 : sum / static_cast<double>(misses.size());
}

bool every_side_misses(const std::vector<Miss>& misses, double tolerance) {
  return !misses.empty() &&
         std::all_of(misses.begin(), misses.end(), [&](const Miss& m) { return m.beyond(2) > tolerance; });
}

/// Extrapolates the neighbours of gaps; gap i lies between nodes i and i + 1.
class Assessor {
 public:
  Assessor(std::span<const Node> nodes, Basis basis) : nodes_(nodes), basis_(positive(nodes) ? basis : Basis::linear) {}

  std::vector<Miss> misses(std::size_t gap, bool from_left = true, bool from_right = true) const {
    std::vector<Miss> found;
    if (from_left && gap > 0) found.push_back(miss(gap - 1, gap, gap + 1));
    if (from_right && gap + 2 < nodes_.size()) found.push_back(miss(gap + 2, gap + 1, gap));
    return found;
  }
  Miss ends(std::size_t gap) const {
    return difference(nodes_[gap], nodes_[gap + 1], measure_of(nodes_, nodes_[gap], nodes_[gap + 1]));
  }
  /// The node at `to` against the line through two others.
  Miss miss(std::size_t from, std::size_t through, std::size_t to) const {
    const Node& b = nodes_[through];
    const Node& target = nodes_[to];
    if (basis_ == Basis::logarithmic) return logarithmic_miss(nodes_[from], b, target);
    return linear_miss(nodes_[from], b, target, measure_of(nodes_, b, target));
  }

 private:
  std::span<const Node> nodes_;
  Basis basis_;
};

/// Which gaps hold a jump or a bend for certain, and which of these are closed.
struct Suspects {
  std::vector<bool> suspect;
  std::vector<bool> located;
};

Suspects suspects_of(const Assessor& assessor, const std::vector<Gap>& gaps, const Axis& axis, double tolerance) {
  Suspects found;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const bool closed = gaps[i].width < least_width || !axis.split(gaps[i].low, gaps[i].high);
    auto misses = assessor.misses(i);
    if (misses.empty()) misses.push_back(assessor.ends(i));
    found.suspect.push_back(every_side_misses(misses, tolerance));
    found.located.push_back(closed && found.suspect.back());
  }
  return found;
}

// An end gap beside an inner one that will be split waits for it: there is no other line to judge it by.
bool waits(const Suspects& known, std::size_t i) {
  const std::size_t last = known.suspect.size() - 1;
  if (last < 2 || (i > 0 && i < last)) return false;
  const std::size_t beside = i == 0 ? 1 : last - 1;
  return known.suspect[beside] && !known.located[beside];
}

std::vector<Miss> telling_misses(const Assessor& assessor, const Suspects& known, std::size_t i) {
  if (waits(known, i)) return {};
  const auto usable = [&](const std::vector<bool>& bad) {
    return assessor.misses(i, i > 0 && !bad[i - 1], i + 1 < bad.size() && !bad[i + 1]);
  };
  auto misses = usable(known.suspect);
  if (misses.empty()) misses = usable(known.located);
  if (misses.empty()) misses.push_back(assessor.ends(i));
  return misses;
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

/// A node against its neighbours: between them inside, beyond the next two at an end.
Miss stand_out(const Assessor& assessor, std::size_t i, std::size_t last) {
  if (i == 0) return assessor.miss(2, 1, 0);
  if (i == last) return assessor.miss(last - 2, last - 1, last);
  return assessor.miss(i - 1, i + 1, i);
}

// The curve without one node: true when no side misses where the node was.
bool quiet_without(std::span<const Node> nodes, std::size_t i, Basis basis, double tolerance) {
  std::vector<Node> others(nodes.begin(), nodes.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
  const Assessor assessor(others, basis);
  const std::size_t gap = std::min(i == 0 ? 0 : i - 1, others.size() - 2);
  const auto misses = assessor.misses(gap);
  return std::none_of(misses.begin(), misses.end(), [&](const Miss& m) { return m.beyond(2) > tolerance; });
}

}  // namespace

double Miss::beyond(double deviations) const {
  const double explained = deviations * noise;
  return std::sqrt(std::max(0.0, size * size - explained * explained));
}

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

Basis logarithmic_if_positive(std::span<const Node> nodes) {
  return positive(nodes) ? Basis::logarithmic : Basis::linear;
}

std::vector<Gap> assess(std::span<const Node> nodes, Basis basis, const Axis& axis, double tolerance,
                        Neighbours neighbours) {
  const Assessor assessor(nodes, basis);
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    gaps.push_back({nodes[i].x, nodes[i + 1].x, axis.width(nodes[i].x, nodes[i + 1].x)});
  Suspects known = suspects_of(assessor, gaps, axis, tolerance);
  if (neighbours == Neighbours::all) known.suspect = known.located;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const auto misses = telling_misses(assessor, known, i);
    gaps[i].jump = known.located[i];
    gaps[i].error = mean_beyond(misses, 1);
    gaps[i].certain = mean_beyond(misses, 2);
    gaps[i].evident = mean_beyond(misses, 4);
    for (const Miss& m : misses) gaps[i].noise += m.noise / static_cast<double>(misses.size());
  }
  return gaps;
}

std::vector<std::size_t> lone_peaks(std::span<const Node> nodes, Basis basis, double tolerance) {
  std::vector<std::size_t> found;
  if (nodes.size() < 5) return found;  // fewer cannot distinguish a peak from a bend
  const Assessor assessor(nodes, basis);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (stand_out(assessor, i, nodes.size() - 1).beyond(2) > tolerance / 4 && quiet_without(nodes, i, basis, tolerance))
      found.push_back(i);
  return found;
}

}  // namespace assay
