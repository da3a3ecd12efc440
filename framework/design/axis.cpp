// SPDX-License-Identifier: Apache-2.0
// Start levels, widths and midpoints of a refined factor.
#include "design/axis.hpp"

#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace assay {
namespace {

constexpr std::size_t enough_listed = 3;

bool inside(double low, double x, double high) { return low < x && x < high; }

// Four digits are finer than the smallest gap and keep tables readable.
double to_four_digits(double x) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, x, std::chars_format::scientific, 3).ptr;
  std::from_chars(digits, end, x);
  return x;
}

std::map<double, Value> thinned(const std::map<double, Value>& levels, std::size_t most) {
  if (levels.size() <= most || most < 2) return levels;
  std::map<double, Value> kept;
  for (std::size_t i = 0; i < most; ++i)
    kept.insert(*std::next(levels.begin(), static_cast<std::ptrdiff_t>(i * (levels.size() - 1) / (most - 1))));
  return kept;
}

}  // namespace

Axis::Axis(const Domain& domain) : open_range_(domain.open_range), multiple_(static_cast<double>(domain.multiple)) {
  for (const Value& level : domain.levels) {
    const auto x = number_of(level);
    if (!x) throw std::invalid_argument("level '" + to_text(level) + "' cannot be refined: it is a word");
    listed_.emplace(*x, level);
    integral_ = integral_ && std::holds_alternative<std::int64_t>(level);
  }
  if (listed_.empty()) throw std::invalid_argument("a domain without levels cannot be refined");
  low_ = listed_.begin()->first;
  high_ = listed_.rbegin()->first;
  logarithmic_ = low_ >= 1 && high_ >= 8 * low_;
}

std::map<double, Value> Axis::start(std::size_t most) const {
  // Through two levels any curve looks straight, and one between them may look so by chance.
  return open_range_ || listed_.size() < enough_listed ? thinned(between_ends(), most) : listed_;
}

std::map<double, Value> Axis::between_ends() const {
  auto levels = listed_;
  const bool few_integers = integral_ && low_ >= 0 && high_ - low_ < 32;
  if (logarithmic_ || few_integers)
    add_powers(levels);
  else
    for (int i = 1; i < 4; ++i) {
      const double x = low_ + (high_ - low_) * i / 4;
      add_between(levels, integral_ ? std::floor(x) : x);
    }
  return levels;
}

/// Adds a level between the ends, or the multiple that is nearest to it.
void Axis::add_between(std::map<double, Value>& levels, double x) const {
  const auto level = multiple_ > 1 ? multiple_near(x, low_, high_) : std::optional(x);
  if (level && *level >= low_ && *level <= high_) levels.emplace(*level, value(*level));
}

/// The nearest multiple inside a gap, or the one below or above it.
std::optional<double> Axis::multiple_near(double x, double low, double high) const {
  const double share = x / multiple_;
  for (const double times : {std::round(share), std::floor(share), std::ceil(share)})
    if (inside(low, times * multiple_, high)) return times * multiple_;
  return std::nullopt;
}

void Axis::add_powers(std::map<double, Value>& levels) const {
  const double base = high_ <= 4096 ? 2 : 4;
  for (double x = 1; x < high_; x *= base)
    if (x > low_) add_between(levels, x);
}

double Axis::width(double low, double high) const {
  return logarithmic_ ? std::log(high / low) : (high - low) / (high_ - low_);
}

std::optional<double> Axis::split(double low, double high) const {
  const double arithmetic = low + (high - low) / 2;
  const double middle = logarithmic_ ? std::sqrt(low) * std::sqrt(high) : arithmetic;
  if (multiple_ > 1) return multiple_near(middle, low, high);
  for (const double x :
       {integral_ ? std::round(middle) : to_four_digits(middle), integral_ ? std::floor(arithmetic) : middle})
    if (inside(low, x, high)) return x;
  return std::nullopt;
}

Value Axis::value(double x) const {
  if (const auto known = listed_.find(x); known != listed_.end()) return known->second;
  if (integral_) return static_cast<std::int64_t>(x);
  return x;
}

}  // namespace assay
