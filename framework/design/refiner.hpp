// SPDX-License-Identifier: Apache-2.0
// Adaptive levels of one quantitative factor on one line: where to measure next, what to measure again, when to stop.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/factor.hpp"
#include "design/axis.hpp"
#include "design/curve.hpp"
#include "design/design.hpp"

namespace assay {

/// Refines one curve y(x) until its interpolant is accurate to the tolerance of its domain, by the key, basis and noise
/// term of the method described in doc/method.md. Pure function of its inputs: the same responses give the same
/// levels.
class Refiner {
 public:
  /// Something worth measuring.
  struct Proposal {
    double x = 0;
    double key = 0;      ///< worth of a new level; proposals of several lines compete by it
    bool again = false;  ///< a level that was measured already: costs no new point
    bool peak = false;   ///< again, because its value stands alone
  };

  /// `domain.refine` is the tolerance. Levels are integers when all listed ones are. All listed levels are measured,
  /// whatever `most_at_start` is. Throws std::invalid_argument when a level is a word.
  Refiner(const Domain& domain, std::size_t most_at_start);

  /// What to measure next, best first: levels to measure again before the gaps beside them are split, then midpoints of
  /// gaps. First of all the start levels; empty while answers are outstanding, and when nothing is worth measuring.
  std::vector<Proposal> proposals() const;
  /// Takes a proposal on; returns its request with a point of the one factor. A level is measured again at most once as
  /// a peak and twice with half the relative accuracy, so that refining always ends.
  PointRequest ask(const Proposal& proposal, const std::string& factor);
  /// The answer for a level that was asked for; that of a level measured again replaces the earlier one. Throws
  /// std::invalid_argument for another level. An unusable answer keeps the level, but the curve is drawn without it.
  void tell(const Value& level, const Response& response);
  bool outstanding() const;
  /// Levels asked for so far.
  std::size_t points() const { return levels_.size(); }
  /// Brackets of jumps, peaks that were not confirmed, and the accuracy reached with the reason why refining ended
  /// (`out_of_points`: another line or this one spent the last). Empty while answers are outstanding.
  std::vector<std::string> findings(const std::string& factor, bool out_of_points) const;

 private:
  struct Known {
    Value level;
    int asked = 0;  ///< times
    bool answered = false;
    int sharpened = 0;
    Response response{};
    std::optional<Response> peak{};  ///< the answer that stood alone
  };
  std::vector<Node> nodes() const;
  std::vector<Gap> gaps() const;
  bool worth_splitting(const Gap& gap) const;
  bool splits(const Gap& gap) const;
  std::size_t unusable_inside(const Gap& gap) const;
  std::optional<double> candidate(const Gap& gap) const;
  std::vector<bool> hold_back(const std::vector<Gap>& gaps, std::vector<Proposal>& found) const;
  void propose_sharper(const std::vector<Gap>& gaps, std::size_t i, std::vector<Proposal>& found) const;
  std::string place(const Gap& gap, const std::string& factor) const;
  std::string verdict(const std::vector<Gap>& known, const std::string& factor, bool out_of_points) const;

  Axis axis_;
  double tolerance_;
  std::size_t most_at_start_;
  std::map<double, Known> levels_;
  Basis basis_ = Basis::linear;
  std::size_t basis_chosen_at_ = 0;  ///< number of usable points when the basis was chosen
};

}  // namespace assay
