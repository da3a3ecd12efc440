// SPDX-License-Identifier: Apache-2.0
// Rules made of rules: all of them, or any of them.
#include <algorithm>
#include <vector>

#include "stats/rule/rule_text.hpp"
#include "stats/rule/rules.hpp"

namespace assay {
namespace {

bool is_satisfied(const Verdict& verdict) {
  return verdict.outcome == Outcome::converged || verdict.outcome == Outcome::no_promise;
}

/// Parts and what each says of a sample.
class Combination : public BoundedRule {
 public:
  Combination(const RuleSpec& spec, const Budget& budget) : BoundedRule(spec, budget) {
    for (const RuleSpec& part : spec.parts) parts_.push_back(make_part(part));
  }
  bool is_look(int visits) const override {
    return std::any_of(parts_.begin(), parts_.end(), [visits](const auto& part) { return part->is_look(visits); });
  }

  std::string statistic() const override { return parts_.front()->statistic(); }

 protected:
  using Parts = std::vector<std::unique_ptr<BoundedRule>>;
  const Parts& parts() const { return parts_; }
  using Verdicts = std::vector<Verdict>;
  Verdicts decided(const Sample& sample, const Spent& spent) const {
    Verdicts verdicts;
    for (const auto& part : parts_) verdicts.push_back(part->decide(sample, spent));
    return verdicts;
  }
  /// "median-ci (half-width 3 % > 2 %)".
  std::string words_of(const Verdicts& verdicts, std::size_t part) const {
    std::string reason = verdicts[part].reason;
    if (reason.ends_with(',')) reason.pop_back();
    return rule_heading(parts_[part]->spec()) + " (" + reason + ")";
  }
  /// The words of the parts for which `chosen` holds, joined by "and".
  template <class Chosen>
  std::string words_where(const Verdicts& verdicts, Chosen chosen) const {
    std::string words;
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      if (chosen(verdicts[i])) words += (words.empty() ? "" : " and ") + words_of(verdicts, i);
    return words;
  }

 private:
  Parts parts_;
};

class All final : public Combination {
 public:
  using Combination::Combination;

 private:
  MinimumEffort minimum_of_criterion(int incarnations, int batches) const override {
    MinimumEffort minimum;
    for (const auto& part : parts()) {
      const MinimumEffort one = part->minimum_as_part(incarnations, batches);
      minimum = {std::max(minimum.visits, one.visits), std::max(minimum.time, one.time)};
    }
    return minimum;
  }
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const auto verdicts = decided(sample, spent);
    Verdict result = verdicts.front();
    // A part that gave up can never be satisfied, nor can the whole.
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      if (verdicts[i].stop() && !is_satisfied(verdicts[i]))
        return {verdicts[i].outcome, words_of(verdicts, i), result.estimate};
    const std::string waiting = words_where(verdicts, [](const Verdict& v) { return !v.stop(); });
    result.reason = waiting.empty() ? words_where(verdicts, is_satisfied) : "waiting for " + waiting;
    if (!waiting.empty()) result.outcome = Outcome::open;
    return result;
  }
};

class Any final : public Combination {
 public:
  using Combination::Combination;

 private:
  MinimumEffort minimum_of_criterion(int incarnations, int batches) const override {
    MinimumEffort minimum = parts().front()->minimum_as_part(incarnations, batches);
    for (const auto& part : parts()) {
      const MinimumEffort one = part->minimum_as_part(incarnations, batches);
      minimum = {std::min(minimum.visits, one.visits), std::min(minimum.time, one.time)};
    }
    return minimum;
  }
  Verdict assess(const Sample& sample, const Spent& spent) const override {
    const auto verdicts = decided(sample, spent);
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      if (is_satisfied(verdicts[i])) return {verdicts[i].outcome, words_of(verdicts, i), verdicts[i].estimate};
    Verdict result = verdicts.front();
    const std::string waiting = words_where(verdicts, [](const Verdict& v) { return !v.stop(); });
    result.reason =
        waiting.empty() ? words_where(verdicts, [](const Verdict&) { return true; }) : "waiting for " + waiting;
    if (!waiting.empty()) result.outcome = Outcome::open;
    return result;
  }
};

}  // namespace

constinit const RuleEntry all_rule{
    .name = "all",
    .parameters = all_parameters,
    .combines = true,
    .make = &made<All>,
    .summary = "all of several rules are satisfied: all(median-ci, time:1s)",
    .stops = "Every part is satisfied; or one has found that it never can be.",
    .reports = "The first part's statistic and interval. The verdict is that of the first part, the reason names all.",
    .expect = "The coverage of the first part, at the cost of the slowest.",
};

constinit const RuleEntry any_rule{
    .name = "any",
    .parameters = all_parameters,
    .combines = true,
    .make = &made<Any>,
    .summary = "one of several rules is satisfied: any(median-ci, fixed:500)",
    .stops = "The first part in the order written is satisfied; or all have found that they never can be.",
    .reports = "The statistic and interval of the satisfied part, which the reason names.",
    .expect = "The cost of the quickest, and its guarantee: any(median-ci, stderr) is as good as stderr.",
};

}  // namespace assay
