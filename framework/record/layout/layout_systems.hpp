// SPDX-License-Identifier: Apache-2.0
// The systems that a layout sets side by side, published and measured, what each has for a value, and formulas computed
// at one place of a table.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/grouping.hpp"
#include "record/layout/layout_spec.hpp"
#include "record/table/layout.hpp"

namespace assay {

/// A column or row of a comparison.
struct LayoutSystem {
  std::string name;
  std::string group;      ///< of a published one
  NamedTexts attributes;  ///< `system` is its name
  bool is_published = false;
  std::size_t campaign = 0;  ///< of a measured one: its place among the campaigns
  std::string variant;       ///< the level of the factor `variant` that its points have; empty where there is none
};

/// What a system has for a value.
struct FoundValue {
  enum class Kind : unsigned char {
    none,   ///< it was not measured, or not published
    lack,   ///< there is a reason instead of a number
    number  ///< in base units
  };
  Kind kind = Kind::none;
  Estimate estimate{};
  std::string lack;    ///< a code or an outcome
  std::string reason;  ///< in a sentence
  std::string marks;
  const PublishedNumber* published = nullptr;
  const PointRecord* point = nullptr;  ///< where it was measured
  const Result* result = nullptr;
};

/// Everything that the tables of a layout are filled from.
class LayoutSystems {
 public:
  /// Borrows both.
  LayoutSystems(const LayoutSpec& spec, std::span<const ShownCampaign> campaigns);
  /// Measured by the current campaign: what a session derives before it ends.
  LayoutSystems(const LayoutSpec& spec, std::vector<SeriesGroup> groups, const std::string& configuration);

  /// Published ones first.
  const std::vector<LayoutSystem>& all() const { return systems_; }
  /// Those that have all these attributes; of the published ones those of the group, if one is named.
  std::vector<const LayoutSystem*> matching(const NamedTexts& attributes, const std::string& group) const;
  /// What the system has for a value at levels of factors. Where several points fit, the value has to say which.
  FoundValue find(const LayoutSystem& system, const ValueSpec& value, const NamedTexts& levels) const;
  /// What the document prints for one of its own computed cells, TABLE.ITEM; null where it does not.
  const PublishedNumber* printed(const LayoutSystem& system, const std::string& cell, const NamedTexts& levels) const;
  /// The levels of a factor that the document prints one of its own computed cells at.
  std::vector<std::string> printed_levels(const std::string& cell, const std::string& factor) const;
  /// The points of a measured system that fit a value but for the factors that `levels` does not have.
  std::vector<const PointRecord*> points(const LayoutSystem& system, const ValueSpec& value,
                                         const NamedTexts& levels) const;
  /// The levels of a factor that the system has for a value, in the order of tables.
  std::vector<std::string> levels_of(const LayoutSystem& system, const ValueSpec& value, const NamedTexts& levels,
                                     const std::string& factor) const;
  /// The series of each campaign, in order.
  const std::vector<std::vector<SeriesGroup>>& groups() const { return groups_; }

 private:
  void add_published();
  /// What is known of a campaign beside its points.
  struct Measured {
    std::string name;
    std::size_t campaign = 0;
    Facts facts;
    std::string configuration;
    bool is_only = false;  ///< of those shown
  };
  void add_measured(const Measured& measured);
  std::string with_letter(const std::string& name) const;

  const LayoutSpec* spec_;
  std::vector<LayoutSystem> systems_;
  std::vector<std::vector<SeriesGroup>> groups_;
};

/// The text that goes with a name; null where there is none.
const std::string* text_for(const NamedTexts& texts, const std::string& name);
/// The same with one text set or replaced.
NamedTexts with(NamedTexts texts, const std::string& name, const std::string& text);

/// Where a cell stands: what the axes of its table say.
struct LayoutPlace {
  NamedTexts attributes{};  ///< that its system has; none: the systems measured here
  NamedTexts levels{};      ///< of factors
  std::string group{};      ///< of published systems
};

/// What a cell holds.
struct LayoutValue {
  FoundValue::Kind kind = FoundValue::Kind::none;
  Derived derived{};   ///< in base units; without an interval where a bare value has none
  std::string lack{};  ///< instead of a number
  std::string reason{};
  std::string marks{};              ///< of all inputs
  std::string printed{};            ///< by the document, in its own digits
  std::optional<double> differs{};  ///< what it should print by its own data
  std::string why_differs{};
  bool is_measured = false;  ///< something of it was measured, rather than published
  std::vector<FoundValue> inputs{};
};

/// Evaluates formulas. Borrows both.
class LayoutFormulas {
 public:
  LayoutFormulas(const LayoutSpec& spec, const LayoutSystems& systems) : spec_(&spec), systems_(&systems) {}

  /// The item's formula at a place, with intervals propagated from estimates, never from rounded numbers. `cell` is the
  /// name, TABLE.ITEM, under which the document's own figure is found, in the unit `multiple` of the base one.
  LayoutValue at(const ItemSpec& item, const std::string& cell, const LayoutPlace& place, double multiple) const;
  /// The levels of a factor that any value of a formula has at a place.
  std::vector<std::string> levels(const FormulaNode& formula, const LayoutPlace& place,
                                  const std::string& factor) const;
  const ValueSpec& value(const std::string& name) const;

 private:
  const LayoutSpec* spec_;
  const LayoutSystems* systems_;
};

}  // namespace assay
