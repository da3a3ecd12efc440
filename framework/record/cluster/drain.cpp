// SPDX-License-Identifier: Apache-2.0
// Verdicts as updates of Slurm's nodes.
#include "record/cluster/drain.hpp"

#include <algorithm>
#include <utility>

#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay::cluster {

namespace {

constexpr std::string_view in_names = "_-";
constexpr std::string_view in_reasons = " .,:;()[]+-/_%";

bool is_letter_or_digit(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

/// Quotes are left out, ends of lines and tabs are blanks, all else that a shell or Slurm could interpret is a dot.
std::string plain_reason(std::string_view text) {
  std::string plain;
  for (const char letter : text) {
    if (letter == '\'' || letter == '"' || letter == '`') continue;
    const bool is_blank = letter == '\n' || letter == '\t' || letter == '\r';
    const char kept = is_letter_or_digit(letter) || in_reasons.find(letter) != in_reasons.npos ? letter : '.';
    plain += is_blank ? ' ' : kept;
  }
  return plain;
}

std::string shortened(std::string text, std::size_t most) {
  constexpr std::string_view more = "...";
  if (text.size() <= most) return text;
  text.resize(most - more.size());
  if (const auto blank = text.rfind(' '); blank != text.npos && blank > reason_prefix.size()) text.resize(blank);
  return text + std::string(more);
}

/// Of all nodes together, since most of a small cluster may be.
std::string unclear_text(const std::vector<NodeVerdict>& nodes) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const NodeVerdict& node : nodes)
    if (node.standing == Standing::unclear) names.push_back(printable(node.node));
  return names.empty() ? "" : "unclear, and not drained: " + joined(names, ", ", most);
}

/// The value behind "KEY=" in Slurm's answer, up to the next blank.
std::string_view word_behind(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == text.npos) return {};
  const auto rest = text.substr(at + key.size());
  return rest.substr(0, std::min(rest.find_first_of(" \n"), rest.size()));
}

}  // namespace

std::string slurm_name(std::string_view host) {
  const std::string name(host.substr(0, std::min(host.find('.'), host.size())));
  const auto is_of_a_name = [](char letter) {
    return is_letter_or_digit(letter) || in_names.find(letter) != in_names.npos;
  };
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](char letter) {
    return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
  });
  const bool is_name = !name.empty() && is_letter_or_digit(name.front()) && std::ranges::all_of(name, is_of_a_name);
  return is_name && lower != "all" && lower != "default" ? name : std::string();
}

std::string drain_reason(const NodeVerdict& verdict) {
  std::string text(reason_prefix);
  text += verdict.standing == Standing::lacking ? "lacks results of " : "slow in ";
  // The worst one first: lists of nodes show the beginning only.
  std::vector<std::string> series = verdict.series;
  const bool names_worst = verdict.standing == Standing::slow && verdict.shift && !series.empty();
  if (names_worst) std::ranges::stable_partition(series, [&](const auto& one) { return one == verdict.shift_in; });
  if (names_worst) series.front() += " (" + against_others(*verdict.shift) + ")";
  text += joined(series, ", ", 3);
  for (const std::string& cause : verdict.causes) text += "; " + cause;
  return shortened(plain_reason(text), longest_reason);
}

DrainPlan drain_plan(const Verdicts& verdicts) {
  DrainPlan plan;
  plan.compared = verdicts.compared;
  for (const NodeVerdict& node : verdicts.nodes) {
    if (node.standing != Standing::slow && node.standing != Standing::lacking) continue;
    const std::string name = slurm_name(node.node);
    if (name.empty())
      plan.spared.push_back(printable(node.node) + " is " + to_text(node.standing) +
                            ": not drained, since that is no name of a node of Slurm");
    else
      plan.nodes.push_back({name, drain_reason(node)});
  }
  if (const std::string unclear = unclear_text(verdicts.nodes); !unclear.empty()) plan.spared.push_back(unclear);
  for (const LinkVerdict& link : verdicts.links)
    plan.spared.push_back("link " + printable(link.node) + " - " + printable(link.peer) + " is " +
                          to_text(link.standing) + " in " + printable(link.series) +
                          ": drains neither node, since either may be at fault");
  for (const PartVerdict& part : verdicts.parts)
    plan.spared.push_back(printable(part.part) + " is slow in " + printable(part.series) +
                          ": drains no node, since it is no node's fault");
  return plan;
}

std::vector<std::string> drain_arguments(const Drain& drain) {
  return {"update", "NodeName=" + drain.node, "State=DRAIN", "Reason=" + drain.reason};
}

std::string drain_line(const Drain& drain) {
  return "scontrol update NodeName=" + drain.node + " State=DRAIN Reason=\"" + drain.reason + "\"";
}

std::string resume_line(const std::vector<Drain>& drains) {
  std::vector<std::string> names;
  for (const Drain& drain : drains) names.push_back(drain.node);
  return "scontrol update NodeName=" + joined(names, ",") + " State=RESUME";
}

SlurmNode parse_slurm_node(std::string_view text) {
  SlurmNode node;
  node.is_drained = word_behind(text, " State=").find("DRAIN") != text.npos;
  constexpr std::string_view reason = " Reason=";
  if (const auto at = text.find(reason); at != text.npos) {
    const auto rest = text.substr(at + reason.size());
    node.reason = trimmed(rest.substr(0, std::min({rest.find('\n'), rest.find(" ["), rest.size()})));
  }
  return node;
}

}  // namespace assay::cluster
