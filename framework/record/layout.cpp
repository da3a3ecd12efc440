// SPDX-License-Identifier: Apache-2.0
// The table of layouts.
#include "record/layout.hpp"

#include <algorithm>

#include "record/table.hpp"

namespace assay {

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {
      {plain_layout, "every series by itself, a row per point, quantity and regime", nullptr,
       [](std::ostream& out, const std::vector<Record>& records, Detail) { print_results(out, records); }},
      logp_layout(),
      loggp_layout(),
      desupinski_may_layout(),
      cluster_layout()};
  return all;
}

const Layout* find_layout(std::string_view name) {
  const auto found = std::ranges::find(layouts(), name, &Layout::name);
  return found == layouts().end() ? nullptr : &*found;
}

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const Layout& layout : layouts()) names.push_back(layout.name);
  return names;
}

}  // namespace assay
