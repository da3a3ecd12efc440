// SPDX-License-Identifier: Apache-2.0
// A node's readings held against those of the others.
#include "record/cluster/cluster_cause.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "stats/sample/summary.hpp"
#include "text/phrase.hpp"

namespace assay::cluster {
namespace {

constexpr std::size_t least_others = 2;
constexpr double often_shared = 0.4;     // less hardly moves a median
constexpr double than_others = 2;        // times
constexpr double most_by_sharing = 2.5;  // times as long
constexpr double yields_less = 1.2;      // a ratio
constexpr double slower_clock = 1.05;
constexpr double explained = 0.5;  // of the slowdown's logarithm

/// Something of a node's cores that is a number, or is not known.
using Trait = std::function<std::optional<double>(const CoresRecord&)>;

std::optional<double> over_cores(const CoresRecord& cores, const auto& value_of) {
  std::vector<double> values;
  for (const CoreLevel& level : cores.levels)
    if (const double value = value_of(level); value > 0) values.push_back(value);
  return values.empty() ? std::nullopt : std::optional(median(std::move(values)));
}

std::optional<double> shared_share(const CoresRecord& cores) {
  // Both are 0 where no core is known well enough to tell.
  return cores.alone + cores.shared > 0 ? std::optional(1 - cores.alone) : std::nullopt;
}

std::optional<double> chain_of(const CoresRecord& cores) {
  return over_cores(cores, [](const CoreLevel& level) { return level.chain.count; });
}

std::optional<double> ghz_of(const CoresRecord& cores) {
  const auto chain = chain_of(cores);
  return chain && cores.cycles_per_step > 0 ? std::optional(cores.cycles_per_step / *chain) : std::nullopt;
}

/// The least that an addition takes, whether or not it is known to be what a core alone takes.
std::optional<double> best_cost(const CoresRecord& cores) {
  return over_cores(cores, [](const CoreLevel& level) { return level.alone; });
}

bool is_proved(const CoreLevel& level) { return level.because != AloneBecause::nothing; }

std::optional<double> proved_cost(const CoresRecord& cores) {
  return std::ranges::all_of(cores.levels, is_proved) ? best_cost(cores) : std::nullopt;
}

/// A node beside the other ones.
class Comparison {
 public:
  Comparison(const std::vector<const CoresRecord*>& nodes, const Symptom& symptom) : symptom_(symptom) {
    for (const CoresRecord* cores : nodes) {
      if (cores->by_ranks != symptom.by_ranks) continue;
      if (cores->node == symptom.node)
        own_ = cores;
      else
        others_.push_back(cores);
    }
  }

  std::vector<std::string> causes() const {
    std::vector<std::string> causes;
    if (own_ == nullptr) return causes;
    for (auto& cause : {sharing(), always_shared(), clock()})
      if (!cause.empty()) causes.push_back(cause);
    return causes;
  }

 private:
  /// The median over the other nodes where enough of them have it.
  std::optional<double> of_others(const Trait& trait) const {
    std::vector<double> values;
    for (const CoresRecord* cores : others_)
      if (const auto value = trait(*cores)) values.push_back(*value);
    return values.size() < least_others ? std::nullopt : std::optional(median(std::move(values)));
  }

  bool may_be_sharing() const { return !symptom_.is_of_lone_cores && symptom_.slowdown.value_or(1) <= most_by_sharing; }

  std::string sharing() const {
    const auto own = shared_share(*own_);
    const auto others = of_others(shared_share);
    if (!may_be_sharing() || !own || !others || *own < often_shared || *own < than_others * *others) return {};
    return "its cores were shared " + percent(*own) + " of the time, the others' " + percent(*others);
  }

  std::string always_shared() const {
    const auto own = best_cost(*own_);
    const auto others = of_others(proved_cost);
    if (!may_be_sharing() || !own || !others || std::ranges::any_of(own_->levels, is_proved)) return {};
    if (*own < yields_less * *others) return {};
    return "its cores never yielded more than " + percent(*others / *own) +
           " of what the others' do alone: shared all the time, or of another kind";
  }

  std::string clock() const {
    const auto own = chain_of(*own_);
    const auto others = of_others(chain_of);
    if (!symptom_.slowdown || !own || !others || *own < slower_clock * *others) return {};
    if (std::log(*own / *others) < explained * std::log(*symptom_.slowdown)) return {};
    const auto own_ghz = ghz_of(*own_);
    const auto others_ghz = of_others(ghz_of);
    if (!own_ghz || !others_ghz) return "its clock is " + rounded(*others / *own) + " times the others'";
    return "its clock is " + rounded(*own_ghz) + " GHz, the others' " + rounded(*others_ghz) + " GHz";
  }

  const Symptom& symptom_;
  const CoresRecord* own_ = nullptr;
  std::vector<const CoresRecord*> others_;
};

}  // namespace

std::vector<std::string> causes_in_cores(const std::vector<const CoresRecord*>& nodes, const Symptom& symptom) {
  return Comparison(nodes, symptom).causes();
}

std::vector<const CoresRecord*> cores_of_nodes(const std::vector<Record>& records) {
  std::vector<const CoresRecord*> found;
  for (const Record& record : records)
    if (const auto* cores = std::get_if<CoresRecord>(&record); cores != nullptr && !cores->node.empty())
      found.push_back(cores);
  return found;
}

}  // namespace assay::cluster
