// SPDX-License-Identifier: Apache-2.0
// Formulas of a layout, computed at one place of a table.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "record/layout/layout_systems.hpp"

namespace assay {

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
