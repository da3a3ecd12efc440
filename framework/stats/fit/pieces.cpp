// SPDX-License-Identifier: Apache-2.0
// How many pieces the noise lets be distinguished, how well each break is known, and the lines of each.
#include "stats/fit/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "stats/sample/distribution.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

constexpr std::size_t most_pieces = 10;
constexpr std::size_t most_at_once = 2;          // breaks: a plateau cannot be seen from one of its ends alone
constexpr double median_of_squares = 0.4549364;  // of a standard normal variate
constexpr double variance_of_medians = 5.4;      // of n such squares over their median, times n

using Starts = std::vector<std::size_t>;

/// Errors of which none is much less than its neighbours', relative to the values: an interval from a few processes is
/// narrow by chance occasionally, and a weight must not be.
std::vector<double> smoothed_errors(const Estimates& points) {
  constexpr std::size_t reach = 2;
  const std::vector<double> implied = implied_errors(points);
  double largest = 0;
  for (const Abscissa& point : points) largest = std::max(largest, std::abs(point.y.value));
  std::vector<double> errors;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<double> relative;
    for (std::size_t k = i - std::min(i, reach); k <= std::min(i + reach, points.size() - 1); ++k)
      if (points[k].y.value != 0) relative.push_back(implied[k] / std::abs(points[k].y.value));
    std::ranges::sort(relative);
    const double usual = std::max(least_relative_error, relative.empty() ? 0 : quantile(relative, 0.5));
    errors.push_back(std::max(implied[i], usual * std::abs(points[i].y.value)));
    if (errors.back() <= 0) errors.back() = largest > 0 ? least_relative_error * largest : 1;
  }
  return errors;
}

/// The usable estimates in ascending order, one per abscissa: of several, the last.
Weighed weighed(const Estimates& estimates) {
  Weighed quantity;
  Estimates points = estimates;
  std::erase_if(points, [](const Abscissa& point) { return !flaw_of(point).empty(); });
  std::ranges::stable_sort(points, {}, &Abscissa::x);
  for (Abscissa& point : points) {
    if (!quantity.points.empty() && quantity.points.back().x == point.x) quantity.points.pop_back();
    quantity.points.push_back(std::move(point));
  }
  quantity.errors = smoothed_errors(quantity.points);
  return quantity;
}

/// The variance about the line through both neighbours, in units of what the errors imply, by its median; upwards by
/// the standard error of so few squares, because too little noise makes breaks.
double scatter_of(const Weighed& quantity) {
  std::vector<double> squares;
  for (std::size_t i = 1; i + 1 < quantity.points.size(); ++i) {
    const Abscissa& a = quantity.points[i - 1];
    const Abscissa& b = quantity.points[i];
    const Abscissa& c = quantity.points[i + 1];
    const double share = (b.x - a.x) / (c.x - a.x);
    const double residual = b.y.value - (1 - share) * a.y.value - share * c.y.value;
    const double error =
        std::hypot(quantity.errors[i], (1 - share) * quantity.errors[i - 1], share * quantity.errors[i + 1]);
    squares.push_back(residual / error * residual / error);
  }
  if (squares.empty()) return 1;
  std::ranges::sort(squares);
  const double upwards = 1 + std::sqrt(variance_of_medians / static_cast<double>(squares.size()));
  return std::max(1.0, upwards * quantile(squares, 0.5) / median_of_squares);
}

/// Errors that are no less than the scatter about the neighbours.
std::vector<Weighed> with_model_error(std::vector<Weighed> quantities) {
  for (Weighed& quantity : quantities) {
    const double factor = std::sqrt(scatter_of(quantity));
    for (double& error : quantity.errors) error *= factor;
  }
  return quantities;
}

/// Whether the finer division is better than the best of all places is by chance.
bool is_evident(const Segmentation& all, const Misfit& coarse, const Misfit& fine, std::size_t breaks, double alpha) {
  if (fine.parameters <= coarse.parameters || all.observations() <= fine.parameters) return false;
  const auto spent = static_cast<double>(fine.parameters - coarse.parameters);
  const auto freedom = static_cast<double>(all.observations() - fine.parameters);
  const double gain = std::max(0.0, coarse.residuals - fine.residuals) / spent;
  return fisher_above(gain, spent, freedom) * binomial_coefficient(all.abscissas().size() - 1, breaks) <=
         alpha / most_at_once;
}

Starts best_starts(const Segmentation& all, double alpha) {
  auto known = all.divided(1);
  if (!known) return {};
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t more = 1; more <= most_at_once && !grows && known->size() + more <= most_pieces; ++more) {
      auto finer = all.divided(known->size() + more);
      if (!finer || !is_evident(all, all.misfit(*known), all.misfit(*finer), more, alpha)) continue;
      known = std::move(finer);
      grows = true;
    }
  }
  return *known;
}

/// The abscissas between which the piece begins, all others held.
Interval start_of(const Segmentation& all, const Starts& starts, std::size_t piece, double alpha) {
  const auto& x = all.abscissas();
  if (piece == 0) return {x.front(), x.front(), 1};
  const std::size_t from = starts[piece - 1];
  const std::size_t to = piece + 1 < starts.size() ? starts[piece + 1] : x.size();
  const auto cost = [&](std::size_t start) {
    return all.misfit(from, start - 1).cost() + all.misfit(start, to - 1).cost();
  };
  const double least = cost(starts[piece]);
  const double allowed = least - 2 * std::log(1 - std::sqrt(1 - alpha));
  std::size_t low = starts[piece];
  std::size_t high = low;
  for (std::size_t start = from + 1; start < to; ++start) {
    if (cost(start) > allowed) continue;
    low = std::min(low, start);
    high = std::max(high, start);
  }
  return {x[low - 1], x[high], 1 - alpha};
}

struct Run {
  std::span<const Abscissa> points;
  std::span<const double> errors;
};

Run run_of(const Weighed& quantity, const Piece& piece) {
  const auto begin = std::ranges::lower_bound(quantity.points, piece.first, {}, &Abscissa::x);
  const auto end = std::ranges::upper_bound(quantity.points, piece.last, {}, &Abscissa::x);
  const auto from = static_cast<std::size_t>(begin - quantity.points.begin());
  const auto count = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, end - begin));
  return {std::span(quantity.points).subspan(from, count), std::span(quantity.errors).subspan(from, count)};
}

Derived within(double value, double half, double alpha) {
  return {value, {value - half, value + half, 1 - alpha}, true, {}};
}

/// The lines of one quantity over all pieces.
void add_lines(std::vector<Piece>& pieces, const Weighed& quantity, double alpha) {
  double residuals = 0;
  std::size_t freedom = 0;
  std::vector<LineFit> fits;
  for (const Piece& piece : pieces) {
    const Run run = run_of(quantity, piece);
    fits.push_back(run.points.size() < Segmentation::fewest ? LineFit{} : fit_line(run.points, run.errors));
    residuals += fits.back().residuals;
    freedom += run.points.size() < Segmentation::fewest ? 0 : run.points.size() - 2;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t count = run_of(quantity, pieces[i]).points.size();
    if (count < Segmentation::fewest) {
      const Derived none =
          not_derived(counted(count, "value") + " in this piece, of at least " + std::to_string(Segmentation::fewest));
      pieces[i].lines.push_back({none, none});
      continue;
    }
    const auto degrees = static_cast<double>(freedom);
    const double quantile = student_quantile(1 - alpha / 2, degrees) * std::sqrt(std::max(1.0, residuals / degrees));
    pieces[i].lines.push_back({within(fits[i].intercept, quantile * std::sqrt(fits[i].intercept_factor), alpha),
                               within(fits[i].slope, quantile * std::sqrt(fits[i].slope_factor), alpha)});
  }
}

}  // namespace

std::vector<Piece> pieces(std::span<const Estimates> quantities, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of pieces lies between 0 and 1");
  std::vector<Weighed> usable;
  for (const Estimates& estimates : quantities) usable.push_back(weighed(estimates));
  const Segmentation all(with_model_error(usable));
  const Starts starts = best_starts(all, alpha);
  std::vector<Piece> found;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : all.abscissas().size();
    found.push_back({all.abscissas()[starts[i]], all.abscissas()[end - 1], start_of(all, starts, i, alpha)});
  }
  for (const Weighed& quantity : usable) add_lines(found, quantity, alpha);
  return found;
}

namespace {

void add_run(Misfit& misfit, const Weighed& quantity, double low, double high) {
  const auto begin = std::ranges::lower_bound(quantity.points, low, {}, &Abscissa::x);
  const auto end = std::ranges::upper_bound(quantity.points, high, {}, &Abscissa::x);
  const auto from = static_cast<std::size_t>(begin - quantity.points.begin());
  const auto count = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, end - begin));
  misfit.parameters += std::min<std::size_t>(count, 2);
  if (count < Segmentation::fewest) return;  // a line through two points leaves nothing
  misfit.admissible = true;
  misfit.residuals +=
      fit_line(std::span(quantity.points).subspan(from, count), std::span(quantity.errors).subspan(from, count))
          .residuals;
}

}  // namespace

Segmentation::Segmentation(std::span<const Weighed> quantities) {
  for (const Weighed& quantity : quantities) {
    observations_ += quantity.points.size();
    for (const Abscissa& point : quantity.points) abscissas_.push_back(point.x);
  }
  std::ranges::sort(abscissas_);
  abscissas_.erase(std::ranges::unique(abscissas_).begin(), abscissas_.end());
  const std::size_t n = abscissas_.size();
  misfits_.resize(n * n);
  for (std::size_t first = 0; first < n; ++first)
    for (std::size_t last = first; last < n; ++last)
      for (const Weighed& quantity : quantities)
        add_run(misfits_[first * n + last], quantity, abscissas_[first], abscissas_[last]);
}

std::optional<std::vector<std::size_t>> Segmentation::divided(std::size_t count) const {
  const std::size_t n = abscissas_.size();
  if (n == 0 || count == 0) return std::nullopt;
  // cost[k][j]: of the first j abscissas in k pieces; from[k][j]: where the last of them begins.
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> cost(count + 1, std::vector<double>(n + 1, never));
  std::vector<std::vector<std::size_t>> from(count + 1, std::vector<std::size_t>(n + 1, 0));
  cost[0][0] = 0;
  for (std::size_t k = 1; k <= count; ++k)
    for (std::size_t j = 1; j <= n; ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const double sum = cost[k - 1][i] + misfit(i, j - 1).cost();
        if (sum >= cost[k][j]) continue;
        cost[k][j] = sum;
        from[k][j] = i;
      }
  if (cost[count][n] == never) return std::nullopt;
  std::vector<std::size_t> starts;
  for (std::size_t k = count, j = n; k > 0; j = from[k][j], --k) starts.push_back(from[k][j]);
  std::ranges::reverse(starts);
  return starts;
}

Misfit Segmentation::misfit(const std::vector<std::size_t>& starts) const {
  Misfit sum{.admissible = true};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : abscissas_.size();
    const Misfit& piece = misfit(starts[i], end - 1);
    sum.residuals += piece.residuals;
    sum.parameters += piece.parameters;
    sum.admissible = sum.admissible && piece.admissible;
  }
  return sum;
}

}  // namespace assay
