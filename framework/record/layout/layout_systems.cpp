// SPDX-License-Identifier: Apache-2.0
// Finding points and published numbers by measurement, levels and attributes.
#include "record/layout/layout_systems.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/escape.hpp"
#include "record/shown_value.hpp"
#include "stats/fit/propagation.hpp"
#include "text/ini.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

constexpr const char* variant_factor_name = "variant";
constexpr const char* series_name = "series";        // counts as a factor of every point
constexpr const char* absent = "-";                  // the level of a factor that a point has not
constexpr const char* unreadable = "not available";  // how the value of a fact begins that could not be read

// "same-pu" stands for every placement of that class.
bool is_level(const std::string& factor, const std::string& level, const std::string& wanted) {
  if (level == wanted) return true;
  if (factor != "placement" || !level.starts_with(wanted)) return false;
  const char next = level[wanted.size()];
  return next != '-' && (next < 'a' || next > 'z');
}

// Place of the first of the alternatives "a|b|c" that the level is; -1: none.
int rank_of(const std::string& factor, const std::string& level, const std::string& alternatives) {
  std::size_t from = 0;
  for (int rank = 0; from <= alternatives.size(); ++rank) {
    const std::size_t end = std::min(alternatives.find('|', from), alternatives.size());
    if (is_level(factor, level, alternatives.substr(from, end - from))) return rank;
    from = end + 1;
  }
  return -1;
}

// How well a point fits a value's conditions, the first alternatives best; -1: not at all.
int fit_of(const SeriesGroup& group, const PointRecord& point, const ValueSpec& value) {
  int fit = 0;
  for (const auto& [factor, wanted] : value.where) {
    const bool is_there = point.point.find(factor) != nullptr;
    const std::string level = factor == series_name ? group.series.series
                              : is_there            ? point.point.text(factor)
                                                    : absent;
    const int rank = rank_of(factor, level, wanted);
    if (rank < 0) return -1;
    fit += rank;
  }
  return fit;
}

bool has_levels(const PointRecord& point, const ValueSpec& value, const NamedTexts& levels) {
  return std::ranges::all_of(levels, [&](const auto& level) {
    if (text_for(value.where, level.first) != nullptr) return true;
    if (level.first == series_name) return point.series == level.second;
    if (point.point.find(level.first) == nullptr) return true;
    return point.point.text(level.first) == level.second;
  });
}

const Result* result_of(const SeriesGroup& group, const PointRecord& point, const std::string& quantity) {
  const bool is_primary = quantity.empty() && !group.series.quantities.empty();
  const std::string& name = is_primary ? group.series.quantities.front().name : quantity;
  const Result* found = nullptr;
  for (const Result& result : point.results)
    if (result.quantity == name && (found == nullptr || result.regime_share > found->regime_share)) found = &result;
  return found;
}

// The 95 % t interval, where visits hold one observation each: those of one visit are not independent of each other.
Interval mean_interval_of(const Result& result) {
  constexpr double alpha = 0.05;
  const bool is_single = std::cmp_less_equal(result.summary.n, result.visits);
  return is_single ? mean_interval(result.summary, alpha) : Interval{};
}

Estimate statistic_of(const Result& result, Statistic statistic) {
  switch (statistic) {
    case Statistic::mean:
      if (result.verdict.estimate.statistic == "mean") return result.verdict.estimate;
      return {"mean", result.summary.mean, mean_interval_of(result), ""};
    case Statistic::between:
      return {"spread between processes", result.between_spread, {}, ""};
    case Statistic::within:
      return {"spread within processes", result.within_spread, {}, ""};
    case Statistic::median:
      break;
  }
  return result.headline;
}

FoundValue found_at(const SeriesGroup& group, const PointRecord& point, const ValueSpec& value) {
  FoundValue found;
  found.point = &point;
  found.result = result_of(group, point, value.quantity);
  found.kind = found.result == nullptr ? FoundValue::Kind::lack : FoundValue::Kind::number;
  if (found.result != nullptr) {
    found.estimate = statistic_of(*found.result, value.statistic);
    found.marks = marks_of(point, *found.result);
  } else if (point.results.empty()) {
    found.lack = point.code.empty() ? to_text(point.outcome) : point.code;
    found.reason = point.reason;
  } else {
    found.lack = "N/A";
    found.reason = "no batch yielded " + in_quotes(value.quantity);
  }
  return found;
}

FoundValue several(const std::vector<PointRecord>& points) {
  FoundValue found;
  found.kind = FoundValue::Kind::lack;
  found.lack = "several";
  found.reason = std::to_string(points.size()) + " points fit";
  for (const std::string& factor : factors_of(points))
    if (varies(factor, points)) found.reason += "; say which " + factor + " is meant, in the layout's [values]";
  return found;
}

// The levels of `variant` as the campaign's configuration lists them.
std::vector<std::string> listed_variants(const std::string& configuration) {
  std::vector<std::string> variants;
  for (const IniEntry& entry : parse_ini(configuration, "configuration").entries) {
    if (entry.key != variant_factor_name || !entry.section.starts_with("series.")) continue;
    std::istringstream levels(entry.value);
    for (std::string level; std::getline(levels, level, ',');)
      if (std::string name = plain_text(trimmed(level)); std::ranges::find(variants, name) == variants.end())
        variants.push_back(std::move(name));
  }
  return variants;
}

// In the order of the configuration, else of appearance; one without a name where there are none.
std::vector<std::string> variants_in(const std::vector<SeriesGroup>& groups, const std::string& configuration) {
  std::vector<std::string> variants;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      if (point.point.find(variant_factor_name) == nullptr) continue;
      std::string text = point.point.text(variant_factor_name);
      if (std::ranges::find(variants, text) == variants.end()) variants.push_back(std::move(text));
    }
  if (variants.empty()) variants.emplace_back();
  const std::vector<std::string> listed = listed_variants(configuration);
  std::ranges::stable_sort(variants, {}, [&](const std::string& one) { return std::ranges::find(listed, one); });
  return variants;
}

// Of the first source that is known, among the system's own attributes or the facts; null where none is.
const std::string* text_of(const AttributeSpec& attribute, const NamedTexts& own, const Facts& facts) {
  for (const std::string& source : attribute.sources) {
    const std::string* text = text_for(own, source);
    if (text == nullptr) text = text_for(facts, source);
    if (text != nullptr && !text->starts_with(unreadable)) return text;
  }
  return nullptr;
}

// That of the variant's own workers, else the session's.
std::string library_of(const std::vector<SeriesGroup>& groups, const std::string& variant, const Facts& facts) {
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points)
      if (!point.library.empty() && point.point.text(variant_factor_name) == variant) return point.library;
  const std::string* library = text_for(facts, "libc.version");
  const std::string* threads = text_for(facts, "libc.threads");
  if (library == nullptr || threads == nullptr) return library == nullptr ? "" : *library;
  return *library + ", " + *threads;
}

}  // namespace

const std::string* text_for(const NamedTexts& texts, const std::string& name) {
  const auto found = std::ranges::find(texts, name, &std::pair<std::string, std::string>::first);
  return found == texts.end() ? nullptr : &found->second;
}

NamedTexts with(NamedTexts texts, const std::string& name, const std::string& text) {
  std::erase_if(texts, [&](const auto& one) { return one.first == name; });
  texts.emplace_back(name, text);
  return texts;
}

LayoutSystems::LayoutSystems(const LayoutSpec& spec, std::span<const ShownCampaign> campaigns) : spec_(&spec) {
  add_published();
  for (const ShownCampaign& campaign : campaigns) {
    groups_.push_back(group_by_series(campaign.records));
    Measured measured{
        campaigns.size() == 1 ? "here" : campaign.name, groups_.size() - 1, {}, {}, campaigns.size() == 1};
    for (const Record& record : campaign.records) {
      if (const auto* session = std::get_if<SessionRecord>(&record)) measured.facts = session->facts;
      if (const auto* head = std::get_if<CampaignRecord>(&record)) measured.configuration = head->configuration;
    }
    add_measured(measured);
  }
}

LayoutSystems::LayoutSystems(const LayoutSpec& spec, std::vector<SeriesGroup> groups, const std::string& configuration)
    : spec_(&spec) {
  add_published();
  groups_.push_back(std::move(groups));
  add_measured({"here", 0, {}, configuration, true});
}

void LayoutSystems::add_published() {
  for (const PublishedSystem& published : spec_->reference.systems) {
    LayoutSystem system{published.name, published.group, published.attributes, true, 0, {}};
    system.attributes.emplace_back("system", system.name);
    systems_.push_back(std::move(system));
  }
}

void LayoutSystems::add_measured(const Measured& measured) {
  const auto& groups = groups_[measured.campaign];
  for (const std::string& variant : variants_in(groups, measured.configuration)) {
    const std::string& name = measured.name;
    LayoutSystem system{variant.empty() ? name : name + ", " + variant, {}, {}, false, measured.campaign, variant};
    if (spec_->letters) system.name = with_letter(measured.is_only && !variant.empty() ? variant : system.name);
    system.attributes = {{"system", system.name}, {"campaign", name}};
    if (!variant.empty()) system.attributes.emplace_back("variant", variant);
    if (std::string library = library_of(groups, variant, measured.facts); !library.empty())
      system.attributes.emplace_back("library", std::move(library));
    for (const AttributeSpec& attribute : spec_->attributes)
      if (const std::string* text = text_of(attribute, system.attributes, measured.facts))
        system.attributes.emplace_back(attribute.name, std::string(*text));
    systems_.push_back(std::move(system));
  }
}

// The letter is its place among those that were measured.
std::string LayoutSystems::with_letter(const std::string& name) const {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const auto place = static_cast<std::size_t>(std::ranges::count(systems_, false, &LayoutSystem::is_published));
  return place < letters.size() ? std::string(1, letters[place]) + " (" + name + ")" : name;
}

std::vector<const LayoutSystem*> LayoutSystems::matching(const NamedTexts& attributes, const std::string& group) const {
  std::vector<const LayoutSystem*> found;
  for (const LayoutSystem& system : systems_) {
    if (system.is_published && !group.empty() && system.group != group) continue;
    const bool fits = std::ranges::all_of(attributes, [&](const auto& wanted) {
      const std::string* own = text_for(system.attributes, wanted.first);
      return own != nullptr && *own == wanted.second;
    });
    if (fits) found.push_back(&system);
  }
  return found;
}

std::vector<const PointRecord*> LayoutSystems::points(const LayoutSystem& system, const ValueSpec& value,
                                                      const NamedTexts& levels) const {
  std::vector<const PointRecord*> found;
  if (system.is_published) return found;
  for (const SeriesGroup& group : groups_[system.campaign])
    for (const PointRecord& point : group.points) {
      if (group.series.measurement != value.measurement || fit_of(group, point, value) < 0) continue;
      if (!system.variant.empty() && point.point.find(variant_factor_name) != nullptr &&
          point.point.text(variant_factor_name) != system.variant)
        continue;
      if (has_levels(point, value, levels)) found.push_back(&point);
    }
  return found;
}

FoundValue LayoutSystems::find(const LayoutSystem& system, const ValueSpec& value, const NamedTexts& levels) const {
  if (system.is_published) {
    const PublishedNumber* number = printed(system, value.name, levels);
    if (number == nullptr) return {};
    FoundValue found;
    found.kind = FoundValue::Kind::number;
    found.estimate = exactly_known(number->recomputed.value_or(number->number));
    found.published = number;
    return found;
  }
  const auto candidates = points(system, value, levels);
  std::vector<FoundValue> best;
  std::vector<PointRecord> fitting;
  int least = 0;
  for (const SeriesGroup& group : groups_[system.campaign])
    for (const PointRecord& point : group.points) {
      if (std::ranges::find(candidates, &point) == candidates.end()) continue;
      const int fit = fit_of(group, point, value);
      if (best.empty() || fit < least) {
        best.clear();
        fitting.clear();
        least = fit;
      }
      if (fit > least) continue;
      best.push_back(found_at(group, point, value));
      fitting.push_back(point);
    }
  if (best.empty()) return {};
  return best.size() == 1 ? best.front() : several(fitting);
}

const PublishedNumber* LayoutSystems::printed(const LayoutSystem& system, const std::string& cell,
                                              const NamedTexts& levels) const {
  if (!system.is_published) return nullptr;
  for (const PublishedNumber& number : spec_->reference.numbers) {
    if (number.value != cell || number.system != system.name) continue;
    const bool fits = std::ranges::all_of(number.at, [&](const auto& wanted) {
      const std::string* level = text_for(levels, wanted.first);
      return level != nullptr && *level == wanted.second;
    });
    if (fits) return &number;
  }
  return nullptr;
}

std::vector<std::string> LayoutSystems::printed_levels(const std::string& cell, const std::string& factor) const {
  std::vector<std::string> found;
  for (const PublishedNumber& number : spec_->reference.numbers)
    if (const std::string* level = text_for(number.at, factor); level != nullptr && number.value == cell)
      found.push_back(*level);
  return found;
}

std::vector<std::string> LayoutSystems::levels_of(const LayoutSystem& system, const ValueSpec& value,
                                                  const NamedTexts& levels, const std::string& factor) const {
  std::vector<std::string> found;
  const auto add = [&](const std::string& level) {
    if (std::ranges::find(found, level) == found.end()) found.push_back(level);
  };
  if (system.is_published)
    for (const PublishedNumber& number : spec_->reference.numbers)
      if (const std::string* level = text_for(number.at, factor);
          level != nullptr && number.system == system.name && number.value == value.name)
        add(*level);
  std::vector<PointRecord> all;
  const auto fitting = points(system, value, levels);
  if (factor == series_name)
    for (const PointRecord* point : fitting) add(point->series);
  for (const PointRecord* point : fitting)
    if (point->point.find(factor) != nullptr) all.push_back(*point);
  in_order(all);
  for (const PointRecord& point : all) add(point.point.text(factor));
  return found;
}

}  // namespace assay
