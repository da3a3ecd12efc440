// SPDX-License-Identifier: Apache-2.0
// Campaign files: refused with positions, or a plan whose text gives the same plan, whatever the order of keys.
#include <algorithm>
#include <optional>

#include "app/config/config.hpp"
#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "text/ini.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::fuzz {
namespace {

Catalogue catalogue() {
  Catalogue known;
  known.built_in = {test::pair_measurement(), test::solo_measurement(), test::team_measurement()};
  known.describe_plugins = [](const std::vector<std::string>&, Nanoseconds) { return std::vector<PluginReport>{}; };
  return known;
}

void check(const ConfigError& error) {
  promise(!error.problems().empty(), "a refusal has a reason");
  for (const Problem& problem : error.problems()) promise(!problem.what.empty(), "a problem says what is wrong");
}

/// The plan's own text; nothing where the text is refused.
std::optional<std::string> resolved(const std::string& text) {
  static const Catalogue known = catalogue();
  static const Topology topology = Topology::synthetic("pack:1 l3:1 core:2 pu:2");
  try {
    return stored_plan(text, "fuzz.ini", {}, known, topology).configuration;
  } catch (const ConfigError& error) {
    check(error);
    return std::nullopt;
  }
}

/// The same settings, each section's from the last to the first.
std::string reordered(const std::string& text) {
  const IniFile file = parse_ini(text, "fuzz.ini");
  std::string turned;
  for (const IniSection& section : file.sections) {
    turned += "[" + section.name + "]\n";
    for (auto entry = file.entries.rbegin(); entry != file.entries.rend(); ++entry)
      if (entry->section == section.name) turned += entry->key + " = " + entry->value + "\n";
  }
  return turned;
}

/// Lines of a text in any order: derived values stand in the order in which they were asked for.
std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::fuzz;
  const std::string text(text_of(data, size));
  const auto plan = resolved(text);
  if (!plan) return 0;
  const auto again = resolved(*plan);
  promise(again.has_value(), "the text of a plan is a campaign file:\n" + *plan);
  promise(*again == *plan, "and gives the same plan:\n" + *plan + "--- became\n" + *again);
  const auto turned = resolved(reordered(text));
  promise(turned.has_value(), "the order of keys is no error:\n" + reordered(text));
  promise(lines(*turned) == lines(*plan), "nor does it change the plan:\n" + *plan + "--- became\n" + *turned);
  return 0;
}
