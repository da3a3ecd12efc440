// SPDX-License-Identifier: Apache-2.0
// `assay describe`: all that can be said of one measurement, one stopping rule, or the keys of one section.
#include <algorithm>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/config/factors.hpp"
#include "base/value.hpp"
#include "record/table/table.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::size_t text_width = 96;

// A label, and a text broken between words that stays to the right of it.
void print_beside(std::ostream& out, const std::string& label, std::string_view text) {
  const std::string indent(label.size(), ' ');
  const std::size_t width = text_width - label.size();
  out << label;
  while (text.size() > width) {
    const auto end = text.rfind(' ', width);
    if (end == text.npos || end == 0) break;
    out << text.substr(0, end) << "\n" << indent;
    text.remove_prefix(end + 1);
  }
  out << text << "\n";
}

void print_rule(std::ostream& out, const std::string& name) {
  const RuleHelp help = rule_help(name);
  print_beside(out, name + ": ", help.summary);
  print_beside(out, "  stops when  ", help.stops);
  print_beside(out, "  reports     ", help.reports);
  print_beside(out, "  defaults    ", help.standard);
  print_beside(out, "  expect      ", help.expect);
}

std::string combine_text(const Quantity& quantity) {
  switch (quantity.combine) {
    case Combine::only:
      return "member " + std::to_string(quantity.claimant);
    case Combine::slowest:
      return "slowest member";
    case Combine::fastest:
      return "fastest member";
    case Combine::mean:
      return "mean of members";
    case Combine::sum:
      return "sum of members";
  }
  return {};
}

void print_quantities(std::ostream& out, const Description& description) {
  out << "\nQuantities, the first being the primary one:\n";
  TextTable table({"quantity", "unit", "per", "of", "what it is"});
  for (const Quantity& quantity : description.quantities)
    table.add({quantity.name, symbol(quantity.unit), quantity.per == Per::event ? "event" : "batch",
               combine_text(quantity), quantity.summary});
  table.print(out);
}

void print_core_cycles(std::ostream& out, const Description& description) {
  if (description.core_cycles == CoreCycles::never) return;
  out << "Times of an event follow the core's clock"
      << (description.core_cycles == CoreCycles::always ? "" : " while all members are bound to one CPU")
      << ": --unit cycles shows core cycles in addition.\n";
}

std::string levels_text(const Factor& factor) {
  if (factor.is_pattern) return "text with {FACTOR}s";
  if (factor.kind == FactorKind::categorical) return factor.words.empty() ? "any words" : joined(factor.words);
  return factor.unit == Unit::nanoseconds ? "times" : "numbers";
}

void print_factors(std::ostream& out, const Description& description) {
  auto factors = description.factors;
  factors.push_back(vehicle_factor(description));
  factors.push_back(members_factor(description));
  factors.push_back(policy_factor());
  const auto vehicles = vehicles_of(description);
  if (std::ranges::find(vehicles, "mpi") != vehicles.end())
    factors.push_back(start_factor(description, description.members.least, description.members.least));
  if (description.members.least == 1) factors.push_back(bystander_factor());
  out << "\nFactors, each a key of the series:\n";
  TextTable table({"factor", "default", "levels", "what it is"});
  for (const Factor& factor : factors)
    table.add({factor.name, to_text(factor.standard), levels_text(factor), factor.summary});
  table.add({"placement", description.placement, "see 'assay placements'", "which CPUs the members are bound to"});
  table.print(out);
  if (std::ranges::any_of(description.factors, &Factor::is_pattern))
    out << "A name in braces is a user-defined factor: {threads} and a key threads = 1, 2. {NAME...} expands\n"
           "to the words of its level, and to none for the level none. A literal brace is written twice.\n";
}

std::string waiting_text(const Traits& traits) {
  if (traits.simulated) return "simulated";
  switch (traits.waiting) {
    case Waiting::none:
      return "never wait";
    case Waiting::spins:
      return "spin";
    case Waiting::blocks:
      return "sleep";
    case Waiting::either:
      return "spin, then sleep";
    case Waiting::yields:
      return "yield or are preempted";
    case Waiting::watches:
      return "run continuously and record preemptions";
    case Waiting::polls:
      return "poll, and yield where they share a CPU";
  }
  return {};
}

void print_traits(std::ostream& out, const Description& description) {
  if (description.selected.empty()) return;
  out << "\nBy " << description.selector << ":\n";
  TextTable table({description.selector, "vehicles", "members", "events per repetition"});
  for (const auto& [level, traits] : description.selected)
    table.add({level, joined(traits.vehicles), waiting_text(traits), to_text(traits.events_per_rep)});
  table.print(out);
}

void print_example(std::ostream& out, const Description& description) {
  out << "\nExample:\n  [series.example]\n  measurement = " << description.name << "\n";
  for (const Factor& factor : description.factors)
    out << "  " << factor.name << " = " << to_text(Domain{{factor.standard}, {}, false}) << "\n";
}

void print_measurement(std::ostream& out, const Description& description) {
  out << description.name << ": " << description.summary << "\n";
  print_quantities(out, description);
  print_core_cycles(out, description);
  print_factors(out, description);
  print_traits(out, description);
  print_example(out, description);
}

void print_section(std::ostream& out, const std::string& section) {
  TextTable table({"key", "type", "default", "what it is"});
  for (const OptionInfo& option : options_of(section))
    table.add({option.name, option.type.name, option.standard.empty() ? "-" : option.standard, option.help});
  table.print(out);
}

void print_precision(std::ostream& out) {
  out << "Keys of [precision], and of each series, where they override [precision]:\n";
  print_section(out, "precision");
  out << "\nRules, a name with parameters where they differ from the keys of the section: stddev(eps=5%, "
         "max-time=1s).\n"
         "Parameters are eps, alpha, floor, min-visits, min-timings, max-timings and max-time; those of all(...) and\n"
         "any(...) are listed among the parts and apply to all of them, max-timings and max-time to the whole.\n";
  for (const std::string& rule : rule_names()) {
    out << "\n";
    print_rule(out, rule);
  }
}

void print_series(std::ostream& out) {
  out << "Keys of [series.NAME]; the factors of its measurement ('assay describe MEASUREMENT') and the keys of\n"
         "[precision] are keys of it too:\n";
  print_section(out, "series");
  out << "\nDerived values over the points of a series:\n"
         "  derive.NAME = difference FACTOR A B\n  derive.NAME = ratio FACTOR A B\n  derive.NAME = slope FACTOR\n"
         "  derive.NAME = plateaus FACTOR\n"
         "  each of the first quantity, or of the one named after it: derive.NAME = slope FACTOR of QUANTITY\n"
         "\nDomains: a, b, c | a..b +STEP | a..b *FACTOR | with suffix: refine R. Numbers: 4Ki, 10k, 1ms, 2%.\n";
}

void print_campaign(std::ostream& out) {
  out << "Keys of [campaign]:\n";
  print_section(out, "campaign");
  out << "\nPrecedence: --set, then the environment (ASSAY_CAMPAIGN_TIME_LIMIT, ASSAY_PRECISION_EPS), then the file.\n";
}

void print_variant(std::ostream& out) {
  out << "Keys of [variant.NAME]; NAME is then a level of factor variant, beside plain, which changes nothing:\n";
  print_section(out, "variant");
  out << "env.NAME = VALUE sets an environment variable of the variant's workers.\n";
}

[[noreturn]] void refuse(const std::string& name, const std::vector<Description>& known) {
  std::vector<std::string> names = {"campaign", "precision", "series", "variant"};
  for (const Description& description : known) names.push_back(description.name);
  for (const std::string& rule : rule_names()) names.push_back(rule);
  const auto near = nearest(name, names);
  throw ConfigError(Problem{{"assay describe"},
                            "nothing is named " + shown(name),
                            "",
                            near.empty()
                                ? "'assay list' names the measurements, 'assay list rules' the rules; campaign, "
                                  "precision, series and variant can be described too"
                                : "did you mean '" + near + "'?"});
}

int run_describe(const CommandLine& line, const Registry& registry, AppContext& context) {
  const std::string& name = line.operands.front();
  const auto known = descriptions_of(registry, line);
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == name; });
  if (name == "precision") {
    print_precision(context.out);
  } else if (name == "series") {
    print_series(context.out);
  } else if (name == "variant") {
    print_variant(context.out);
  } else if (name == "campaign") {
    print_campaign(context.out);
  } else if (found != known.end()) {
    print_measurement(context.out, *found);
  } else if (const auto rules = rule_names(); std::find(rules.begin(), rules.end(), name) != rules.end()) {
    print_rule(context.out, name);
  } else {
    refuse(name, known);
  }
  return ExitCode::ok;
}

}  // namespace

CommandInfo describe_command() {
  CommandInfo command;
  command.name = "describe";
  command.synopsis = "describe MEASUREMENT|RULE|campaign|precision|series|variant [--plugin PATH]...";
  command.summary =
      "Explains a measurement with its quantities and factors, a stopping rule, or the keys of a section.";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {plugin_option(), help_option()};
  command.operands = {{"NAME", ValueKind::topic}};
  command.exits = {ExitCode::environment};
  command.examples = {{"assay describe logp/round_trip", "a measurement, with its quantities and factors"},
                      {"assay describe precision", "the keys of section [precision], and all stopping rules"}};
  command.run = &run_describe;
  return command;
}

}  // namespace assay
