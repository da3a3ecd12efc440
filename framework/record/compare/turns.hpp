// SPDX-License-Identifier: Apache-2.0
// Whether what is compared was measured in turn, by the order of its visits.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// Share of its visits in turn below which a pair was not measured in turn.
inline constexpr double least_in_turn = 0.9;

/// The visits of points at the levels of a factor, as they followed each other. In an interleaved campaign two levels
/// need not have been measured in turn: one may have begun later, or have gone on after the other was finished.
class Turns {
 public:
  explicit Turns(std::string factor) : factor_(std::move(factor)) {}
  /// Visits of points without the factor are ignored.
  void add(const VisitRecord& visit);
  /// Share of the visits of a point, named without the factor, at levels `a` and `b` after which neither was ahead by
  /// more than two visits, of the same incarnation or of all in the session, whichever is more; 1 when there are no
  /// visits. Those of a session that visited one of the two only are not in turn, however few each process made: a
  /// kernel may have been booted in between.
  double share(const std::string& series, const Point& point, const std::string& a, const std::string& b) const;

 private:
  using Process = std::pair<int, int>;                 // session and incarnation
  using Visits = std::map<Process, std::vector<int>>;  // numbers through the campaign
  static std::string name_of(const std::string& series, const Point& point, const std::string& level);
  static std::size_t count_of(const Visits& visits);
  static Visits by_session(const Visits& visits);
  static int in_turn_of(const Visits& a, const Visits& b);
  static bool has_session(const Visits& visits, int session);
  const Visits& visits_of(const std::string& name) const;

  std::string factor_;
  std::map<std::string, Visits> visits_;
};

}  // namespace assay
