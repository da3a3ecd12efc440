// SPDX-License-Identifier: Apache-2.0
// What the cores of a node that is slow were like, where that explains it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay::cluster {

/// What is to be explained.
struct Symptom {
  std::string node;
  /// How many times as long it takes as the others (or how much less it yields, as that ratio); nothing where it lacks
  /// a result because its cores were hardly ever alone.
  std::optional<double> slowdown;
  bool is_of_lone_cores = false;  ///< the value is of cores that were alone: nobody who shared them is to blame
  bool by_ranks = false;          ///< of launches between nodes
};

/// The causes that readings of the cores give for it, in words: "its cores were shared 80 % of the time, the others' 3
/// %", "its clock is 2.1 GHz, the others' 2.9 GHz". Empty where they say nothing, or too little: it takes two other
/// nodes that were read; the cores shared for 40 % of the time at least, and twice as long as theirs; or a clock that
/// is slower by 5 % at least and by half of the slowdown (as a power). Whoever shares a core costs less than 2.5 times.
std::vector<std::string> causes_in_cores(const std::vector<const CoresRecord*>& nodes, const Symptom& symptom);

/// The records of nodes' cores in a report.
std::vector<const CoresRecord*> cores_of_nodes(const std::vector<Record>& records);

}  // namespace assay::cluster
