// SPDX-License-Identifier: Apache-2.0
// Results of sync/line on a machine of known costs.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "support/records/result_journal.hpp"

namespace assay::test {

/// What a machine is made of, in ns.
struct LineTruth {
  double local = 1.5;
  double remote = 130;
  double memory = 140;
  double cas = 4;
  double sharer = 60;
};

/// A point of sync/line, on one CPU or on two.
inline Point line_point(const std::string& operation, const std::string& line, const std::string& holder, int members) {
  return point_of({{"operation", operation},
                   {"line", line},
                   {"holder", holder},
                   {"access", std::string("dependent")},
                   {"vehicle", std::string("thread")},
                   {"members", std::int64_t{members}},
                   {"placement", std::string(members == 1 ? "bound" : "same-l3")}});
}

/// Accesses to lines of a machine of that truth; `changed` may alter the time of one.
inline ResultJournal line_results(
    const LineTruth& truth,
    const std::function<double(const Point&, double)>& changed = [](const Point&, double time) { return time; }) {
  ResultJournal journal;
  journal.series("lines", "sync/line", {"time"});
  const auto add = [&](const Point& point, double time) {
    journal.point({point.levels().begin(), point.levels().end()}, {changed(point, time)}, 0.005);
  };
  for (const auto& [operation, cost] : {std::pair{"load", 0.0}, {"cas", truth.cas}}) {
    add(line_point(operation, "modified", "self", 1), truth.local + cost);
    add(line_point(operation, "exclusive", "self", 1), truth.local + cost);
    add(line_point(operation, "invalid", "self", 1), truth.memory + cost);
    add(line_point(operation, "modified", "other", 2), truth.remote + cost);
    add(line_point(operation, "exclusive", "other", 2), truth.remote + cost);
    const double invalidation = std::string(operation) == "load" ? 0 : truth.sharer;
    add(line_point(operation, "shared", "self", 2), truth.local + cost + invalidation);
    add(line_point(operation, "owned", "both", 2), truth.local + cost + invalidation);
  }
  return journal;
}

}  // namespace assay::test
