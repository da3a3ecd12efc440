// SPDX-License-Identifier: Apache-2.0
// Finds names in texts, and the texts of records.
#include "record/journal/anonymous.hpp"

#include <algorithm>
#include <array>

#include "base/escape.hpp"
#include "base/rng.hpp"

namespace assay {

namespace {

bool is_word_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

bool is_word(std::string_view text, std::size_t at, std::size_t size) {
  const bool begins = at == 0 || !is_word_letter(text[at - 1]);
  return begins && (at + size == text.size() || !is_word_letter(text[at + size]));
}

// Applies a replacement to every text of a record that can hold a foreign name.
struct Rewriter {
  const Anonymizer& replaced;

  void text(std::string& text) const { text = replaced(text); }
  void both(CorePair& pair) const {
    text(pair.first.node);
    text(pair.second.node);
  }
  void point(Point& point) const {
    Point rewritten;
    for (const auto& [factor, level] : point.levels()) {
      const auto* word = std::get_if<std::string>(&level);
      rewritten.set(factor, word != nullptr ? Value(replaced(*word)) : level);
    }
    point = std::move(rewritten);
  }

  void operator()(CampaignRecord& record) const {
    text(record.title);
    text(record.configuration);
  }
  void operator()(SessionRecord& record) const {
    text(record.command_line);
    text(record.configuration);
    for (auto& fact : record.facts) text(fact.second);
  }
  void operator()(SeriesRecord& record) const { text(record.series); }
  void operator()(BeginRecord& record) const { subject(record); }
  void operator()(IncarnationRecord& record) const { subject(record); }
  void operator()(VisitRecord& record) const {
    subject(record);
    for (std::string& node : record.nodes) text(node);
    for (NamedPart& part : record.parts) text(part.name);
  }
  void operator()(FailureRecord& record) const {
    subject(record);
    text(record.reason);
    text(record.output);
    for (ThreadState& thread : record.threads) text(thread.name);
  }
  void operator()(PointRecord& record) const {
    subject(record);
    text(record.reason);
    for (std::vector<Result>* results : {&record.results, &record.others})
      for (Result& result : *results) text(result.verdict.reason);
    for (CoreLevel& level : record.cores) text(level.node);
    for (NodeClocks& clocks : record.clocks) text(clocks.node);
    for (PairDistances& pair : record.pairs) both(pair.pair);
  }
  void operator()(DerivedRecord& record) const {
    text(record.series);
    text(record.name);
    text(record.formula);
    point(record.group);
    text(record.derived.reason);
  }
  void operator()(VariantRecord& record) const { text(record.variant); }
  void operator()(NoteRecord& record) const { text(record.text); }
  void operator()(EndRecord& record) const { text(record.reason); }
  void operator()(LaunchRecord& record) const {
    text(record.ended);
    for (LaunchedRank& rank : record.ranks) text(rank.node);
  }
  void operator()(AliveRecord& /*record*/) const {}
  void operator()(CoresRecord& record) const {
    text(record.node);
    for (CoreLevel& level : record.levels) text(level.node);
    for (NodeCores& node : record.nodes) text(node.node);
    for (NodeClocks& clocks : record.clocks) text(clocks.node);
    for (PairDistances& pair : record.pairs) both(pair.pair);
  }
  void operator()(NodeRecord& record) const {
    text(record.node);
    for (auto& fact : record.facts) text(fact.second);
  }
  void operator()(AnswerRecord& record) const { subject(record); }

  template <class Kind>
  void subject(Kind& record) const {
    text(record.series);
    point(record.point);
  }
};

// Adds the components that follow the directories of homes.
void add_users(std::string_view text, std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 3> homes{"/home/", "/Users/", "/users/"};
  for (const std::string_view home : homes)
    for (auto at = text.find(home); at != text.npos; at = text.find(home, at + 1)) {
      const auto rest = text.substr(at + home.size());
      names.emplace_back(rest.substr(0, std::min(rest.find_first_of("/ \t\n'\",;:"), rest.size())));
    }
}

}  // namespace

std::string anonymous_name(std::string_view name) {
  std::string digits = hex_of(stable_hash(name), 8);
  std::ranges::reverse(digits);  // as names were made from the beginning
  return "anon-" + digits;
}

namespace {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

// Each name with its anonymous one.
TextPairs paired(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return name.empty() || name == "root"; });
  TextPairs pairs;
  for (const std::string& name : names) pairs.emplace_back(name, anonymous_name(name));
  return pairs;
}

}  // namespace

Anonymizer::Anonymizer(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {
  std::ranges::stable_sort(pairs_, [](const Pair& a, const Pair& b) { return a.first.size() > b.first.size(); });
}

Anonymizer::Anonymizer(std::vector<std::string> names) : Anonymizer(paired(std::move(names))) {}

Anonymizer Anonymizer::undoing(const std::vector<std::string>& names) {
  TextPairs pairs = paired(names);
  for (auto& [name, anonymous] : pairs) std::swap(name, anonymous);
  return Anonymizer(std::move(pairs));
}

std::string Anonymizer::operator()(std::string_view text) const {
  if (pairs_.empty()) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::ranges::find_if(pairs_, [&](const Pair& pair) {
      return text.substr(at).starts_with(pair.first) && is_word(text, at, pair.first.size());
    });
    out += found != pairs_.end() ? found->second : std::string(1, text[at]);
    at += found != pairs_.end() ? found->first.size() : 1;
  }
  return out;
}

Record Anonymizer::operator()(Record record) const {
  std::visit(Rewriter{*this}, record);
  return record;
}

std::vector<std::string> names_in(const std::vector<Record>& records) {
  std::vector<std::string> names;
  for (const Record& record : records) {
    if (const auto* campaign = std::get_if<CampaignRecord>(&record)) add_users(campaign->configuration, names);
    if (const auto* node = std::get_if<NodeRecord>(&record)) names.push_back(node->node);
    const auto* session = std::get_if<SessionRecord>(&record);
    if (session == nullptr) continue;
    add_users(session->command_line, names);
    for (const auto& [key, value] : session->facts) {
      add_users(value, names);
      if (key != "host.name" || value.starts_with("not available")) continue;
      names.push_back(value);
      names.push_back(value.substr(0, value.find('.')));
    }
  }
  return names;
}

}  // namespace assay
