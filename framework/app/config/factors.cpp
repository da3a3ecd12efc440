// SPDX-License-Identifier: Apache-2.0
// Reads domains and checks their levels against what the measurement permits.
#include "app/config/factors.hpp"

#include <algorithm>
#include <utility>

#include "app/config/series_factors.hpp"
#include "base/value.hpp"
#include "platform/thread/scheduling.hpp"
#include "team/ranks/batch_start.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr std::string_view separators = ", \t";

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string word_of(const Value& level) {
  const auto* word = std::get_if<std::string>(&level);
  return word != nullptr ? *word : to_text(level);
}

// "all" stands for every word of a factor, unless it is one itself.
void expand_all(const Factor& factor, Domain& domain) {
  const Value all = std::string("all");
  if (domain.levels != std::vector<Value>{all} || factor.words.empty() || contains(factor.words, "all")) return;
  domain.levels.assign(factor.words.begin(), factor.words.end());
}

void check_words(const SeriesContext& series, const Factor& factor, const Setting& setting, const Domain& domain) {
  if (factor.words.empty()) return;
  for (const Value& level : domain.levels)
    if (const auto word = word_of(level); !contains(factor.words, word))
      series.problems.add(item_of(setting, word), "unknown level " + shown(word) + " of factor '" + factor.name + "'",
                          "measurement '" + series.measurement.name + "' does not have it",
                          suggestion(word, factor.words));
}

// Where a word of a shell stands outside quotes in a pattern, and what it is; an empty word for none.
std::pair<std::size_t, std::string_view> shell_word(std::string_view pattern) {
  static constexpr std::string_view shell_words[] = {"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"};
  char quote = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char letter = pattern[at];
    if (quote != 0) {
      if (letter == quote) quote = 0;
    } else if (letter == '\'' || letter == '"') {
      quote = letter;
    } else if (at > 0 && pattern[at - 1] == ' ') {
      const auto word = pattern.substr(at, pattern.find(' ', at) - at);
      if (std::ranges::find(shell_words, word) != std::end(shell_words)) return {at, word};
    }
  }
  return {};
}

// A program would get the words of a shell as arguments, and complain in its own way.
void check_no_shell(const SeriesContext& series, const Factor& factor, const Setting& setting) {
  const auto [at, word] = shell_word(setting.value);
  if (word.empty()) return;
  series.problems.add(within(setting, at), factor.name + ": " + shown(word) + " is meant for a shell",
                      "programs are started without one, and get it as an argument",
                      "write sh -c '...' around it; or quote it, where the program is to get it");
}

// The suffix of a number, "" for none: what follows its last digit.
std::string_view suffix_of(std::string_view item) {
  const auto last = item.find_last_of("0123456789.");
  return last == item.npos ? std::string_view() : item.substr(last + 1);
}

bool is_time(std::string_view suffix) { return suffix == "ns" || suffix == "us" || suffix == "ms" || suffix == "s"; }

void check_quantity(const SeriesContext& series, const Setting& setting, const Domain& domain) {
  if (domain.quantity.empty()) return;
  std::vector<std::string> names;
  for (const Quantity& quantity : series.measurement.quantities) names.push_back(quantity.name);
  if (!contains(names, domain.quantity))
    series.problems.add(item_of(setting, domain.quantity), "unknown quantity " + shown(domain.quantity) + " to refine",
                        "measurement '" + series.measurement.name + "' does not yield it",
                        suggestion(domain.quantity, names));
}

// Sizes below zero, and parts of a byte: no measurement takes them. A time may be an offset, which has a sign.
void check_sizes(const SeriesContext& series, const Factor& factor, const Setting& setting, const Domain& domain) {
  if (factor.unit != Unit::bytes) return;
  for (const Value& level : domain.levels) {
    const auto* whole = std::get_if<std::int64_t>(&level);
    const auto* real = std::get_if<double>(&level);
    const bool is_below = (whole != nullptr && *whole < 0) || (real != nullptr && *real < 0);
    if (is_below || real != nullptr)
      return series.problems.add(
          item_of(setting, to_text(level)),
          factor.name + ": " + to_text(level) + " is " + (is_below ? "below zero" : "no whole number"),
          "it is a number of bytes", is_below ? "write 0 or more" : "write a whole number");
  }
}

// Times for a factor that is none, and sizes for one that is a time.
void check_units(const SeriesContext& series, const Factor& factor, const Setting& setting) {
  const bool wants_time = factor.unit == Unit::nanoseconds;
  std::string_view rest = setting.value;
  while (!rest.empty()) {
    const auto length = std::min(rest.find_first_of(separators), rest.size());
    const auto item = rest.substr(0, length);
    const auto suffix = suffix_of(item);
    if (!suffix.empty() && item.find_first_of("0123456789") != item.npos && is_time(suffix) != wants_time)
      series.problems.add(item_of(setting, item), "wrong unit in " + shown(item),
                          "factor '" + factor.name + "' is " + (wants_time ? "a time" : "not a time"),
                          wants_time ? "the units are ns us ms s" : "the suffixes are Ki Mi Gi and k M G");
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
}

// In the form that the resolved configuration reads back: a real number that is whole becomes an integer.
Domain standard_domain(const Factor& factor) {
  const auto number = factor.kind == FactorKind::quantitative ? parse_number(to_text(factor.standard)) : std::nullopt;
  return {{number.value_or(factor.standard)}, std::nullopt, false};
}

bool is_quantitative(const Factor& factor) { return factor.kind == FactorKind::quantitative; }

void add_once(std::vector<std::string>& words, const std::vector<std::string>& more) {
  for (const std::string& word : more)
    if (!contains(words, word)) words.push_back(word);
}

// True when every level of the selector has traits of its own, so that the general ones never hold.
bool selects_always(const Description& measurement) {
  for (const Factor& factor : measurement.factors)
    if (factor.name == measurement.selector)
      return !factor.words.empty() && measurement.selected.size() >= factor.words.size();
  return false;
}

}  // namespace

Where item_of(const Setting& setting, std::string_view item) {
  const std::string_view value = setting.value;
  const auto is_edge = [](char letter) { return separators.find(letter) != separators.npos || letter == '"'; };
  for (auto at = value.find(item); at != value.npos; at = value.find(item, at + 1)) {
    const auto end = at + item.size();
    if ((at == 0 || is_edge(value[at - 1])) && (end == value.size() || is_edge(value[end]))) return within(setting, at);
  }
  return setting.at;
}

std::vector<std::string> vehicles_of(const Description& measurement) {
  std::vector<std::string> vehicles;
  if (!selects_always(measurement)) vehicles = measurement.traits.vehicles;
  for (const auto& [level, traits] : measurement.selected) add_once(vehicles, traits.vehicles);
  return vehicles;
}

Factor vehicle_factor(const Description& measurement) {
  const auto vehicles = vehicles_of(measurement);
  Factor factor{.name = "vehicle", .words = vehicles, .summary = "who executes"};
  factor.standard = vehicles.empty() ? std::string("thread") : vehicles.front();
  return factor;
}

Factor members_factor(const Description& measurement) {
  return {.name = "members",
          .kind = FactorKind::quantitative,
          .standard = std::int64_t{measurement.members.least},
          .words = {},
          .summary = "how many members take part"};
}

Factor policy_factor() {
  return {.name = "policy",
          .standard = std::string(inherited_policy),
          .words = policy_words(),
          .summary = "scheduling policy of all members; fifo and rr need permission (N8 without)"};
}

bool prefers_windows(const Description& measurement) {
  const auto prefers = [](const Traits& traits) { return traits.start == Start::window; };
  return prefers(measurement.traits) ||
         std::ranges::any_of(measurement.selected, [&](const auto& one) { return prefers(one.second); });
}

Factor start_factor(const Description& measurement, int most_members, int cpus) {
  const bool windows = prefers_windows(measurement) && most_members <= cpus;
  return {.name = "start",
          .standard = to_text(windows ? Start::window : Start::barrier),
          .words = start_words(),
          .summary = "how the batches of ranks start: after a barrier, or at a synchronized time (window)"};
}

Factor bystander_factor() {
  return {.name = "bystander",
          .standard = std::string("none"),
          .words = {"none", "present"},
          .summary = "a further, sleeping thread beside the member"};
}

void add_problem(const SeriesContext& series, const Setting& setting, const std::string& key,
                 const DomainError& error) {
  std::string why;
  if (error.earlier) {
    const Where earlier = within(setting, *error.earlier);
    why = earlier.line > 0
              ? "first at column " + std::to_string(earlier.column) + " of line " + std::to_string(earlier.line)
              : "first at byte " + std::to_string(*error.earlier);
  }
  series.problems.add(within(setting, error.offset), key + ": " + error.what, std::move(why), error.remedy);
}

Domain domain_of(const SeriesContext& series, const Factor& factor) {
  const Setting* setting = series.own(factor.name);
  if (setting == nullptr) return standard_domain(factor);
  auto read = factor.is_pattern ? pattern_domain(setting->value)
                                : parse_domain(setting->value, factor.kind, series.most_points);
  if (read.error) {
    add_problem(series, *setting, factor.name, *read.error);
    return standard_domain(factor);
  }
  if (factor.is_pattern) check_no_shell(series, factor, *setting);
  if (is_quantitative(factor)) {
    check_sizes(series, factor, *setting, read.domain);
    check_units(series, factor, *setting);
    check_quantity(series, *setting, read.domain);
  } else {
    expand_all(factor, read.domain);
    check_words(series, factor, *setting, read.domain);
  }
  return std::move(read.domain);
}

std::vector<FactorDomain> own_factors(const SeriesContext& series) {
  // Most patterns of most series are their standards, and would only lengthen the names of points.
  const bool only_given = has_patterns(series.measurement);
  std::vector<FactorDomain> factors;
  for (const Factor& factor : series.measurement.factors)
    if (!only_given || series.own(factor.name) != nullptr) factors.push_back({factor.name, domain_of(series, factor)});
  return factors;
}

}  // namespace assay
