// SPDX-License-Identifier: Apache-2.0
// Results of a machine whose costs are known, and of what follows from them by the formulas.
#pragma once
#include <cstdint>
#include <string>

#include "support/records/result_journal.hpp"

namespace assay::test {

/// Parameters of the machine, in ns, and what it was measured to do.
struct MachineTruth {
  double load = 26;
  double store = 35;
  double add = 29;
  double turn = 8;
  double flags = 97;  ///< twice 48.766, the mean of max(S + R/2, S/2 + R + q) with q from 0 to the turn: 97.5
  double pair = 5;
  double barrier = 71;  ///< 48.8 + 29, and a quarter of a load less: 71.2, of two members
  double one_line = 63;
  double ring = 98;  ///< 97 + 10, and a quarter of 97 - 63 less: 98.5
};

/// Levels of members at the placement that all parameters are of.
inline ResultJournal::Levels place_levels(ResultJournal::Levels levels, int members = 2) {
  levels.insert(levels.end(), {{"vehicle", std::string("thread")},
                               {"members", std::int64_t{members}},
                               {"placement", std::string(members == 1 ? "bound" : "same-l3")}});
  return levels;
}

/// A campaign that measured the parameters, the round trip of flags, a lock's ring and the central barrier of two.
inline ResultJournal machine_results(const MachineTruth& truth, double half = 0.01) {
  ResultJournal journal;
  const auto text = [](const char* word) { return std::string(word); };
  const auto line = [&](const char* operation, const char* state, const char* holder, double time) {
    journal.point(place_levels({{"operation", text(operation)},
                                {"line", text(state)},
                                {"holder", text(holder)},
                                {"access", text("dependent")}}),
                  {time}, half);
  };
  journal.series("lines", "sync/line", {"time"});
  line("load", "modified", "other", truth.load);
  line("store", "shared", "both", truth.store);
  line("fetch-add", "modified", "other", truth.add);
  journal.series("polls", "sync/poll", {"time"});
  journal.point(place_levels({}, 1), {truth.turn}, half);
  journal.series("trips", "logp/round_trip", {"rtt"});
  for (const auto& [channel, time] :
       {std::pair{"flag", truth.flags}, {"flag-one-line", truth.one_line}, {"spinlock-ring", truth.ring}})
    journal.point(place_levels({{"channel", text(channel)}, {"work", text("none")}, {"stop", text("lease")}}), {time},
                  half);
  journal.series("locks", "sync/lock", {"time"});
  journal.point(place_levels({{"lock", text("spinlock")}}, 1), {truth.pair}, half);
  journal.series("barriers", "sync/barrier", {"time"});
  journal.point(place_levels({{"barrier", text("central")}, {"work", text("none")}, {"checked", text("no")}}),
                {truth.barrier}, half);
  return journal;
}

/// The records with every result of a regime, as members that poll have it.
inline std::vector<Record> spinning(std::vector<Record> records) {
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record))
      for (Result& result : point->results) result.regime = Regime::spin;
  return records;
}

}  // namespace assay::test
