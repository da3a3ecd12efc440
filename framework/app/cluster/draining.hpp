// SPDX-License-Identifier: Apache-2.0
// Draining nodes by a scheduler's own command, and what came of it.
#pragma once
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "record/cluster/drain.hpp"

namespace assay {

/// What a command left.
struct ScontrolEnd {
  bool ok = false;
  std::string ending;  ///< "exited 1", why it could not be started
  std::string output;
};
/// Runs `scontrol` with these arguments.
using Scontrol = std::function<ScontrolEnd(const std::vector<std::string>& arguments)>;

/// Prints the commands for a shell, a line for each node, and as comments what is spared, and how to undo it.
void print_drains(std::ostream& out, const cluster::DrainPlan& plan);

/// How many nodes may be drained at once without a word: a tenth of those compared, one at least. A fault of the whole
/// cluster, or of the measurement, is not to empty it.
std::size_t most_drained(const cluster::DrainPlan& plan);

/// Drains the nodes, and prints a line for each with what came of it. Nodes that are drained already are left as they
/// are, with the reason that they have, unless that begins as ours do. True where no command failed.
bool drain(std::ostream& out, const cluster::DrainPlan& plan, const Scontrol& scontrol);

}  // namespace assay
