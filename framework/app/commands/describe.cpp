// SPDX-License-Identifier: Apache-2.0
// `assay describe`: all that can be said of a name.
#include <algorithm>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/config/factors.hpp"
#include "app/results/listing.hpp"
#include "app/results/topics.hpp"
#include "app/shell/guide.hpp"
#include "base/value.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/suggest.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::size_t text_width = 96;

// A label, and a text broken between words that stays to the right of it.
void print_beside(std::ostream& out, const std::string& label, std::string_view text) {
  const std::string indent(label.size(), ' ');
  const std::size_t width = text_width - label.size();
  bool is_first = true;
  for (const std::string& line : wrapped(text, width)) {
    out << (is_first ? label : indent) << line << "\n";
    is_first = false;
  }
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
  Listing table{"quantities", {"quantity", "unit", "per", "of", "what it is"}};
  for (const Quantity& quantity : description.quantities)
    table.add({quantity.name, symbol(quantity.unit), quantity.per == Per::event ? "event" : "batch",
               combine_text(quantity), quantity.summary});
  print_wrapped(out, table);
}

void print_core_cycles(std::ostream& out, const Description& description) {
  if (description.core_cycles == CoreCycles::never) return;
  print_beside(out, "",
               std::string("Times of an event follow the core's clock") +
                   (description.core_cycles == CoreCycles::always ? "" : " while all members are bound to one CPU") +
                   ": --unit cycles shows core cycles in addition.");
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
  Listing table{"factors", {"factor", "default", "levels", "what it is"}};
  for (const Factor& factor : factors)
    table.add({factor.name, to_text(factor.standard), levels_text(factor), factor.summary});
  table.add({"placement", description.placement, "see 'assay placements'", "which CPUs the members are bound to"});
  print_wrapped(out, table);
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
  Listing table{"traits", {description.selector, "vehicles", "members", "events per repetition"}};
  for (const auto& [level, traits] : description.selected)
    table.add({level, joined(traits.vehicles), waiting_text(traits), to_text(traits.events_per_rep)});
  print_wrapped(out, table);
}

void print_example(std::ostream& out, const Description& description) {
  out << "\nExample:\n  [series.example]\n  measurement = " << description.name << "\n";
  for (const Factor& factor : description.factors)
    out << "  " << factor.name << " = " << to_text(Domain{{factor.standard}, {}, false}) << "\n";
}

void print_measurement(std::ostream& out, const Description& description) {
  print_beside(out, "", description.name + ": " + description.summary);
  print_quantities(out, description);
  print_core_cycles(out, description);
  print_factors(out, description);
  print_traits(out, description);
  print_example(out, description);
}

void print_section(std::ostream& out, const std::string& section) {
  Listing table{"keys", {"key", "type", "default", "what it is"}};
  for (const OptionInfo& option : options_of(section))
    table.add({option.name, option.type.name, option.standard.empty() ? "-" : option.standard, option.help});
  print_wrapped(out, table);
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
         "  derive.NAME = tail P ... of each point: quantiles of its observations, 0.5 < P < 1\n"
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

bool is_section(const std::string& name) {
  return name == "campaign" || name == "precision" || name == "series" || name == "variant";
}

[[noreturn]] void refuse(const std::string& name, const std::vector<Topic>& topics) {
  std::vector<std::string> names;
  for (const Topic& topic : topics) names.push_back(topic.name);
  const auto near = nearest(name, names);
  throw ConfigError(Problem{{"assay describe"},
                            "nothing is named " + shown(name) + ", and no name contains it",
                            "",
                            near.empty() ? "'assay list' names the measurements; verdicts, marks, columns, codes, keys "
                                           "and rules can be described too"
                                         : "did you mean '" + near + "'?"});
}

// All that has the name, or contains it, each with its kind.
void print_topics(std::ostream& out, const std::vector<Topic>& topics) {
  for (const Topic& topic : topics) print_beside(out, topic.name + " (" + topic.kind + "): ", topic.text);
}

// What has that name or contains it, and the parts of what has it: keys of a section, quantities and factors of a
// measurement.
Listing listing_of(const std::string& name, const std::vector<Topic>& topics, const std::vector<Description>& known) {
  Listing listing{"topics", {"kind", "name", "text"}};
  for (const Topic& topic : topics) listing.add({topic.kind, topic.name, topic.text});
  if (is_section(name))
    for (const OptionInfo& option : options_of(name))
      listing.add({"key of [" + option.section + "]", option.name, option.help});
  if (const auto found = std::ranges::find(known, name, &Description::name); found != known.end()) {
    for (const Quantity& quantity : found->quantities) listing.add({"quantity", quantity.name, quantity.summary});
    for (const Factor& factor : found->factors) listing.add({"factor", factor.name, factor.summary});
  }
  return listing;
}

void print_in_full(std::ostream& out, const std::string& name, const std::vector<Description>& known) {
  const auto found = std::ranges::find(known, name, &Description::name);
  if (name == "precision") return print_precision(out);
  if (name == "series") return print_series(out);
  if (name == "variant") return print_variant(out);
  if (name == "campaign") return print_campaign(out);
  if (found != known.end()) return print_measurement(out, *found);
  print_rule(out, name);
}

// Outputs advise some of them.
void add_options(std::vector<Topic>& topics) {
  for (const CommandInfo& command : shown_commands())
    for (const CommandOption& option : command.options)
      if (option.name != "help") topics.push_back({"option of " + command.name, "--" + option.name, option.help});
}

bool is_printed_in_full(const Topic& topic) {
  return topic.kind == "measurement" || topic.kind == "rule" || topic.kind == "section";
}

// What has more to be said of than a line.
bool has_full_text(const std::string& name, const std::vector<Description>& known) {
  const auto rules = rule_names();
  return is_section(name) || std::ranges::find(known, name, &Description::name) != known.end() ||
         std::ranges::find(rules, name) != rules.end();
}

int run_describe(const CommandLine& line, const Registry& registry, AppContext& context) {
  const std::string& name = line.operands.front();
  const auto known = descriptions_of(registry, line);
  auto topics = all_topics(known);
  add_options(topics);
  const auto found = topics_about(name, topics);
  const bool is_full = has_full_text(name, known);
  if (found.empty() && !is_full) refuse(name, topics);
  const ListingFormat format = listing_format(line);
  if (format != ListingFormat::table) {
    write_listing(context.out, listing_of(name, found, known), format);
  } else if (is_full) {
    print_in_full(context.out, name, known);
    for (const Topic& topic : found)
      if (topic.name == name && !is_printed_in_full(topic)) print_topics(context.out, {topic});
  } else {
    print_topics(context.out, found);
  }
  return ExitCode::ok;
}

}  // namespace

CommandInfo describe_command() {
  CommandInfo command;
  command.name = "describe";
  command.synopsis = "describe NAME [--format FORMAT] [--plugin PATH]...";
  command.summary = "Explains a name: a measurement, stopping rule, section, or anything that outputs contain.";
  command.details =
      "NAME is a measurement, quantity, factor, stopping rule, layout, section (campaign, precision, series, variant)\n"
      "or key, or what stands in an output: a verdict, mark, column or its heading, word of trust, regime, state, an\n"
      "option without its hyphens, or a code such as N1 or G-VIRT. All kinds that have the name are listed, then\n"
      "everything whose name contains it.\n";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {listing_option(), plugin_option(), help_option()};
  command.operands = {{"NAME", ValueKind::topic}};
  command.exits = {ExitCode::environment};
  command.examples = {{"assay describe logp/round_trip", "a measurement, with its quantities and factors"},
                      {"assay describe too-noisy", "a verdict of a table"},
                      {"assay describe lock", "everything whose name contains it"},
                      {"assay describe precision", "the keys of section [precision], and all stopping rules"}};
  command.run = &run_describe;
  return command;
}

}  // namespace assay
