// SPDX-License-Identifier: Apache-2.0
// Words to placements, and everything that can be wrong with them.
#include "app/config/placements.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "app/config/factors.hpp"
#include "base/value.hpp"
#include "platform/placement/machine_parts.hpp"
#include "platform/placement/placer.hpp"
#include "team/ranks/rank_map.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t standard_most = 4096;
constexpr std::string_view home_token_word = "classes@memory";

bool is_list(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

std::ptrdiff_t list_size(std::string_view word) { return 1 + std::count(word.begin(), word.end(), '+'); }

std::string members_text(int members) { return members == 1 ? "one member" : std::to_string(members) + " members"; }

Words class_words() {
  Words words = {"representative", "classes",      "close",   "spread", "all",
                 "each-numa",      "each-package", "unbound", "bound"};
  for (const Relation& relation : Topology::relations()) words.push_back(relation);
  return words;
}

// Why a word cannot mean anything for that many members, on whatever machine; empty when it can.
std::string misfit(const std::string& word, int members) {
  const std::string base(placement_base(word));
  if (is_list(base)) {
    if (list_size(base) == members) return {};
    return "the list names " + std::to_string(list_size(base)) + " CPUs for " + members_text(members);
  }
  if (base == "unbound" || is_part_name(base)) return {};
  const bool alone = base.starts_with("bound");
  if (alone && members > 1) return "'bound' is for one member; there are " + members_text(members);
  if (!alone && members == 1) return "'" + base + "' relates members to each other; there is one member";
  return {};
}

// A word that stands for many, and the home of memory for all of them.
struct Many {
  std::string word;
  std::string home;  ///< "@memory=1", or empty
};

Many many_of(const std::string& word) {
  if (word == home_token_word) return {word, {}};
  const auto at = std::min(word.find("@memory="), word.size());
  return {word.substr(0, at), word.substr(at)};
}

// Collects the levels of one series.
class Resolver {
 public:
  Resolver(const SeriesContext& series, const std::vector<int>& members)
      : series_(series),
        members_(members),
        representatives_(count("representatives", 1)),
        most_(count("max-placements", standard_most)),
        placer_(series.topology, most_) {}

  PlacementLevels resolve() {
    const Setting standard{series_.measurement.placement, {}};
    const Setting* given = series_.own("placement");
    const Setting& setting = given != nullptr ? *given : standard;
    const auto read = parse_domain(setting.value, FactorKind::categorical);
    if (read.error) {
      add_problem(series_, setting, "placement", *read.error);
      return {};
    }
    for (const Value& level : read.domain.levels) add(std::get<std::string>(level), setting);
    return std::move(levels_);
  }

 private:
  std::size_t count(const std::string& key, std::size_t standard) const {
    const Setting* setting = series_.own(key);
    const auto given = setting == nullptr ? std::nullopt : setting->as<std::int64_t>();
    return given ? static_cast<std::size_t>(*given) : standard;
  }

  void add(const std::string& word, const Setting& setting) {
    const Many many = many_of(word);
    if (many.word == "representative") return add_representative(many.home);
    if (many.word == "all" || many.word == "classes" || many.word == home_token_word)
      return add_many(many, setting, item_of(setting, word));
    const Where at = item_of(setting, word);
    if (const auto kind = part_kind(word)) return add_parts(word, *kind, at);
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

  Attempt attempt_for(const std::string& word) {
    Attempt attempt;
    for (const int members : members_) {
      if (auto why = misfit(word, members); !why.empty()) {
        attempt.misfit = std::move(why);
      } else if (auto choice = placer_.place(word, members); choice.placement) {
        attempt.found.push_back(std::move(*choice.placement));
      } else {
        attempt.why_not = members_text(members) + ": " + choice.why_not;
      }
    }
    return attempt;
  }

  bool add_name(const std::string& name) {
    if (!names_.insert(name).second) return false;
    levels_.domain.levels.emplace_back(name);
    return true;
  }

  // How many placements a word gives where it is asked for alone: several for what names a class.
  std::size_t wanted_of(const std::string& word) const {
    const bool is_class =
        !is_list(word) && word != "close" && word != "spread" && !is_part_name(word) && placement_base(word) == word;
    return is_class && members_.size() == 1 ? representatives_ : 1;
  }

  void add_level(const std::string& word, Attempt attempt) {
    if (!add_name(word)) return;
    for (const Placement& first : attempt.found)
      for (Placement& one : placer_.representatives(first, wanted_of(word)))
        if (one.name == word || add_name(one.name)) levels_.placements.push_back(std::move(one));
    if (!attempt.why_not.empty()) levels_.refused.push_back(word + " for " + attempt.why_not);
  }

  // Parts that have too few CPUs for some number of members are left out, as long as there are others.
  void add_parts(const std::string& word, PartKind kind, const Where& at) {
    std::string why_not;
    for (const MachinePart& part : machine_parts(series_.topology, kind)) {
      Attempt attempt = attempt_for(part.name);
      if (!attempt.why_not.empty()) why_not += (why_not.empty() ? "" : "; ") + attempt.why_not;
      if (!attempt.found.empty()) add_level(part.name, std::move(attempt));
    }
    if (levels_.domain.levels.empty())
      series_.problems.add_environment(at, "this machine cannot have placement " + shown(word), why_not,
                                       "set fewer members, or members = numa, package or cores");
  }

  // What any number of members has here; a point whose number lacks it then says so.
  void add_representative(const std::string& home) {
    for (const int members : members_)
      for (const std::string& word : placement_words(series_.topology, members))
        add_level(word + home, attempt_for(word + home));
  }

  // Whether a word for many is possible with these members.
  bool is_meant(const Many& many, const Where& at) {
    const bool limited = many.word != "all" && members_.front() > PlacementClasses::most_members;
    if (members_.size() == 1 && !limited) return true;
    series_.problems.add(
        at, "placement " + shown(many.word) + " cannot be had here",
        limited ? "classes are enumerated for up to six members"
                : "it stands for other placements for each number of members",
        limited ? "list the CPUs by rank, or write close, spread or representative" : "make a series for each number");
    return false;
  }

  void add_many(const Many& many, const Setting& setting, const Where& at) {
    if (!is_meant(many, at)) return;
    try {
      for (Placement& one : all_of(many)) {
        if (!many.home.empty()) {
          auto choice = placer_.place(one.name + many.home, members_.front());
          if (!choice.placement)
            return series_.problems.add_environment(at, "this machine cannot have placement " + shown(setting.value),
                                                    choice.why_not, "'assay placements' shows the memory nodes");
          one = std::move(*choice.placement);
        }
        if (add_name(one.name)) levels_.placements.push_back(std::move(one));
      }
    } catch (const std::length_error& number) {
      series_.problems.add(at, "placement " + shown(many.word) + " stands for " + number.what(),
                           "the most is " + std::to_string(most_),
                           "set max-placements, or choose classes, close or spread");
    } catch (const std::out_of_range& lack) {
      series_.problems.add_environment(at, "this machine cannot have placement " + shown(many.word), lack.what());
    }
  }

  std::vector<Placement> all_of(const Many& many) {
    if (many.word == "all") return placer_.all(members_.front());
    return placer_.classes(members_.front(), many.word == home_token_word, representatives_);
  }

  const SeriesContext& series_;
  const std::vector<int>& members_;
  std::size_t representatives_;
  std::size_t most_;
  Placer placer_;
  std::set<std::string> names_;
  PlacementLevels levels_;
};

}  // namespace

PlacementLevels rank_placement_levels(const SeriesContext& series) {
  const Setting standard{std::string(rank_placements[0]), {}};
  const Setting* given = series.own("placement");
  const Setting& setting = given != nullptr ? *given : standard;
  auto read = parse_domain(setting.value, FactorKind::categorical);
  if (read.error) {
    add_problem(series, setting, "placement", *read.error);
    return {};
  }
  PlacementLevels levels;
  const Words words(std::begin(rank_placements), std::end(rank_placements));
  for (const Value& level : read.domain.levels) {
    const std::string word = std::get<std::string>(level);
    if (!is_rank_placement(word))
      series.problems.add(item_of(setting, word), "unknown placement of ranks " + shown(word),
                          "members under the vehicle mpi are placed by their launcher", suggestion(word, words));
    levels.placements.push_back(Placement{.name = word});  // unbound: for any number of members
  }
  levels.domain = std::move(read.domain);
  return levels;
}

PlacementLevels placement_levels(const SeriesContext& series, const std::vector<int>& members) {
  return Resolver(series, members).resolve();
}

}  // namespace assay
