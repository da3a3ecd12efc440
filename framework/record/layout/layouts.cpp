// SPDX-License-Identifier: Apache-2.0
// Layouts by name: of sources, of files that come with the program, and of the user's files.
#include "record/layout/layouts.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "record/layout/declared_layout.hpp"
#include "record/table/table.hpp"

namespace assay {
namespace {

Layout plain() {
  return {
      plain_layout,
      "every series by itself, a row per point, quantity and regime",
      {},
      one_by_one([](std::ostream& out, const std::vector<Record>& records, Detail) { print_results(out, records); })};
}

struct LayoutSource {
  const char* name;
  Layout (*make)();
};
constexpr std::array<LayoutSource, 6> layout_sources{{{plain_layout, plain},
                                                      {"logp", logp_layout},
                                                      {"loggp", loggp_layout},
                                                      {"desupinski-may", desupinski_may_layout},
                                                      {"cluster", cluster_layout},
                                                      {"capability", capability_layout}}};

}  // namespace

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const LayoutSource& source : layout_sources) names.emplace_back(source.name);
  for (std::string& name : shipped_layout_names()) names.push_back(std::move(name));
  return names;
}

std::optional<Layout> find_layout(std::string_view name) {
  const auto found = std::ranges::find(layout_sources, name, &LayoutSource::name);
  if (found != layout_sources.end()) return found->make();
  if (name.find('/') != name.npos || name.ends_with(".ini")) return layout_in_file(std::string(name));
  return shipped_layout(name);
}

std::optional<Layout> usable_layout(std::string_view name) {
  try {
    return find_layout(name);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace assay
