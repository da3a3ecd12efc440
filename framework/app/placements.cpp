// SPDX-License-Identifier: Apache-2.0
// Words to placements, and everything that can be wrong with them.
#include "app/placements.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/suggest.hpp"
#include "base/value.hpp"

namespace assay {

namespace {

using Words = std::vector<std::string>;

bool is_list(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

std::ptrdiff_t list_size(std::string_view word) { return 1 + std::count(word.begin(), word.end(), '+'); }

std::string counted(int members) { return members == 1 ? "one member" : std::to_string(members) + " members"; }

Words class_words() {
  Words words = {"representative", "all", "unbound", "bound"};
  for (const Relation& relation : Topology::relations()) words.push_back(relation);
  return words;
}

// Why a word cannot mean anything for that many members, on whatever machine; empty when it can.
std::string misfit(const std::string& word, int members) {
  if (is_list(word)) {
    if (list_size(word) == members) return {};
    return "the list names " + std::to_string(list_size(word)) + " CPUs for " + counted(members);
  }
  if (word == "unbound") return {};
  if (word == "bound" && members > 1) return "'bound' is for one member; there are " + counted(members);
  if (word != "bound" && members == 1) return "'" + word + "' relates members to each other; there is one member";
  return {};
}

// Collects the levels of one series.
class Resolver {
 public:
  Resolver(const SeriesContext& series, const std::vector<int>& members) : series_(series), members_(members) {}

  PlacementLevels resolve() {
    const Setting standard{"representative", {}};
    const Setting* given = series_.own("placement");
    const Setting& setting = given != nullptr ? *given : standard;
    const auto read = parse_domain(setting.value, FactorKind::categorical);
    if (read.error) {
      const auto& error = *read.error;
      series_.problems.add(within(setting, error.offset), "placement: " + error.what, {}, error.remedy);
      return {};
    }
    for (const Value& level : read.domain.levels) add(std::get<std::string>(level), setting);
    return std::move(levels_);
  }

 private:
  void add(const std::string& word, const Setting& setting) {
    if (word == "representative") return add_representative();
    if (word == "all") return add_all(setting);
    const Where at = item_of(setting, word);
    if (!is_placement_word(word)) {
      return series_.problems.add(at, "unknown placement " + shown(word), {}, suggestion(word, class_words()));
    }
    auto attempt = attempt_for(word);
    if (!attempt.found.empty()) return add_level(word, std::move(attempt));
    if (attempt.why_not.empty()) {
      return series_.problems.add(at, "impossible placement " + shown(word), attempt.misfit, "choose another");
    }
    series_.problems.add_environment(at, "this machine cannot have placement " + shown(word), attempt.why_not,
                                     "'assay list placements' shows what can be had");
  }

  // What a word gives over all numbers of members.
  struct Attempt {
    std::vector<Placement> found;
    std::string misfit;   ///< why it cannot be meant for some number
    std::string why_not;  ///< why this machine cannot have it for some number
  };

  Attempt attempt_for(const std::string& word) const {
    Attempt attempt;
    for (const int members : members_) {
      if (auto why = misfit(word, members); !why.empty()) {
        attempt.misfit = std::move(why);
      } else if (auto choice = place(series_.topology, word, members); choice.placement) {
        attempt.found.push_back({word, std::move(choice.placement->cpus)});
      } else {
        attempt.why_not = counted(members) + ": " + choice.why_not;
      }
    }
    return attempt;
  }

  bool has_level(const std::string& word) const {
    const auto& known = levels_.domain.levels;
    return std::find(known.begin(), known.end(), Value(word)) != known.end();
  }

  void add_level(const std::string& word, Attempt attempt) {
    if (has_level(word)) return;
    levels_.domain.levels.emplace_back(word);
    std::move(attempt.found.begin(), attempt.found.end(), std::back_inserter(levels_.placements));
    if (!attempt.why_not.empty()) levels_.refused.push_back(word + " for " + attempt.why_not);
  }

  // What any number of members has here; a point whose number lacks it then says so.
  void add_representative() {
    for (const int members : members_)
      for (const std::string& word : placement_words(series_.topology, members)) add_level(word, attempt_for(word));
  }

  void add_all(const Setting& setting) {
    const auto& cpus = series_.topology.usable();
    if (members_.size() > 1 || members_.front() > 2) {
      return series_.problems.add(item_of(setting, "all"), "placement 'all' is for one or two members", {},
                                  "list the CPUs by rank, as in 0+1+2");
    }
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      const auto first = std::to_string(cpus[i]);
      if (members_.front() == 1) add_level(first, attempt_for(first));
      for (std::size_t j = i + 1; members_.front() == 2 && j < cpus.size(); ++j) {
        const auto pair = first + "+" + std::to_string(cpus[j]);
        add_level(pair, attempt_for(pair));
      }
    }
  }

  const SeriesContext& series_;
  const std::vector<int>& members_;
  PlacementLevels levels_;
};

}  // namespace

PlacementLevels placement_levels(const SeriesContext& series, const std::vector<int>& members) {
  return Resolver(series, members).resolve();
}

}  // namespace assay
