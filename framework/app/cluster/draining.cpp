// SPDX-License-Identifier: Apache-2.0
// scontrol, node by node.
#include "app/cluster/draining.hpp"

#include <algorithm>
#include <ostream>

#include "text/number_format.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

/// The last line that is not empty: where programs say what went wrong.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n");
  if (end == text.npos) return {};
  const auto before = text.rfind('\n', end);
  return text.substr(before == text.npos ? 0 : before + 1, end - (before == text.npos ? 0 : before + 1) + 1);
}

std::string failure_of(const ScontrolEnd& end) {
  const std::string said = last_line(end.output);
  return "scontrol " + end.ending + (said.empty() ? "" : ": " + printable(said));
}

bool drain_one(std::ostream& out, const cluster::Drain& one, const Scontrol& scontrol) {
  const ScontrolEnd shown = scontrol({"--oneliner", "show", "node", one.node});
  if (!shown.ok) {
    out << one.node << ": not drained: " << failure_of(shown) << '\n';
    return false;
  }
  const cluster::SlurmNode node = cluster::parse_slurm_node(shown.output);
  if (node.is_drained && !node.reason.starts_with(cluster::reason_prefix)) {
    out << one.node
        << ": drained already: " << (node.reason.empty() ? std::string("without a reason") : printable(node.reason))
        << '\n';
    return true;
  }
  const ScontrolEnd updated = scontrol(cluster::drain_arguments(one));
  out << one.node << ": " << (updated.ok ? "drained: " + one.reason : "not drained: " + failure_of(updated)) << '\n';
  return updated.ok;
}

void print_close(std::ostream& out, const cluster::DrainPlan& plan) {
  for (const std::string& text : plan.spared) out << "# " << text << '\n';
  if (plan.nodes.empty())
    out << "# no node to drain: of " << counted(plan.compared, "node") << " none is slow or lacks results\n";
  else
    out << "# undo: " << cluster::resume_line(plan.nodes) << '\n';
}

}  // namespace

void print_drains(std::ostream& out, const cluster::DrainPlan& plan) {
  for (const cluster::Drain& one : plan.nodes) out << cluster::drain_line(one) << '\n';
  print_close(out, plan);
}

std::size_t most_drained(const cluster::DrainPlan& plan) {
  constexpr std::size_t one_in = 10;
  return std::max<std::size_t>(1, plan.compared / one_in);
}

bool drain(std::ostream& out, const cluster::DrainPlan& plan, const Scontrol& scontrol) {
  bool is_good = true;
  for (const cluster::Drain& one : plan.nodes) is_good = drain_one(out, one, scontrol) && is_good;
  print_close(out, plan);
  return is_good;
}

}  // namespace assay
