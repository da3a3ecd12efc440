// SPDX-License-Identifier: Apache-2.0
// A small catalogue, synthetic machines, and campaign texts as plans or as lists of problems.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/config.hpp"
#include "base/error.hpp"
#include "support/environment/scratch.hpp"
#include "unit/app/config/mistakes.hpp"

namespace assay::test {

inline Factor words_factor(std::string name, std::vector<std::string> words) {
  Factor factor;
  factor.name = std::move(name);
  factor.standard = words.front();
  factor.words = std::move(words);
  return factor;
}

inline Factor number_factor(std::string name, Unit unit, std::int64_t standard) {
  Factor factor;
  factor.name = std::move(name);
  factor.kind = FactorKind::quantitative;
  factor.unit = unit;
  factor.standard = standard;
  return factor;
}

/// Two members; the channel selects vehicles: flag threads and processes, futex threads, pipe processes.
inline Description pair_measurement() {
  Description pair;
  pair.name = "demo/pair";
  pair.summary = "one exchange between two members";
  pair.factors = {words_factor("channel", {"flag", "futex", "pipe"}), number_factor("bytes", Unit::bytes, 8)};
  pair.members = exactly(2);
  pair.selector = "channel";
  Traits flag;
  flag.vehicles = {"thread", "process"};
  flag.waiting = Waiting::spins;
  Traits futex;
  Traits pipe;
  pipe.vehicles = {"process"};
  pair.selected = {{"flag", flag}, {"futex", futex}, {"pipe", pipe}};
  return pair;
}

inline Description solo_measurement() {
  Description solo;
  solo.name = "demo/solo";
  solo.summary = "one call";
  solo.factors = {number_factor("wait", Unit::nanoseconds, 1000)};
  return solo;
}

inline Description team_measurement() {
  Description team;
  team.name = "demo/team";
  team.summary = "one barrier";
  team.members = at_least(1);
  return team;
}

inline Description two_measurement() {
  Description two = solo_measurement();
  two.name = "demo/two";
  two.factors.push_back(number_factor("bytes", Unit::bytes, 8));
  return two;
}

/// A series declares further factors by naming them in its command or folder.
inline Description task_measurement() {
  Description task;
  task.name = "demo/task";
  task.summary = "one task";
  task.factors = {{.name = "command", .standard = std::string("true"), .is_pattern = true},
                  {.name = "folder", .standard = std::string("."), .is_pattern = true},
                  number_factor("limit", Unit::nanoseconds, 0)};
  task.placement = "unbound";
  return task;
}

/// Loads campaign texts with the demo measurements.
class PlanTest : public ::testing::Test {
 protected:
  PlanTest() {
    catalogue_.built_in = {pair_measurement(), solo_measurement(), team_measurement(), two_measurement(),
                           task_measurement()};
    catalogue_.describe_plugins = [this](const std::vector<std::string>& plugins, Nanoseconds) {
      plugins_asked_ = plugins;
      std::vector<PluginReport> reports;
      for (const std::string& plugin : plugins) reports.push_back({plugin});
      reports.front().measurements = plugin_measurements_;
      return reports;
    };
  }
  std::string write(const std::string& name, const std::string& text) const {
    const auto path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  CampaignPlan load_files(const std::vector<std::string>& files) const {
    return load_plan({files.begin(), files.end()}, overrides_, catalogue_, topology_);
  }
  CampaignPlan load(const std::string& text) const { return load_files({write("test.ini", text)}); }
  /// A series that is correct, with further lines.
  CampaignPlan load_series(const std::string& lines) const {
    return load("[series.one]\nmeasurement = demo/pair\n" + lines);
  }
  SeriesPlan series(const std::string& lines) const { return load_series(lines).series.at(0); }

  /// What is wrong with a text: "line:column: what; why; what to do".
  std::vector<std::string> problems_of(const std::vector<std::string>& files) {
    std::vector<std::string> found;
    try {
      load_files(files);
    } catch (const ConfigError& error) {
      exit_code_ = error.exit_code();
      for (Problem problem : error.problems()) {
        if (problem.where.file.starts_with(folder_.string()))
          problem.where.file = std::filesystem::path(problem.where.file).filename().string();
        found.push_back(to_text(problem));
      }
    }
    return found;
  }
  std::vector<std::string> problems(const std::string& text) { return problems_of({write("test.ini", text)}); }
  /// The only problem of a series with further lines.
  std::string problem(const std::string& lines, const std::string& measurement = "demo/pair") {
    const auto all = problems("[series.one]\nmeasurement = " + measurement + "\n" + lines);
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " problems";
  }

  /// What is said about a mistake, a line for each problem.
  std::vector<std::string> told(const Mistake& mistake) {
    const std::string measurement = mistake.measurement;
    return problems((measurement.empty() ? "" : "[series.one]\nmeasurement = " + measurement + "\n") + mistake.lines);
  }
  /// Where it is told to be: "line:column" of the only problem, or what is given instead of a file; all of them else.
  static std::string place(const std::vector<std::string>& problems) {
    std::string places;
    for (const std::string& problem : problems) {
      std::string_view where(problem.data(), std::min(problem.find(": error: "), problem.size()));
      if (where.starts_with("test.ini")) where.remove_prefix(std::min<std::size_t>(where.size(), 9));
      places += (places.empty() ? "" : " ") + std::string(where);
    }
    return places;
  }
  std::string place(const std::string& text) { return place(problems(text)); }
  std::string place(const Mistake& mistake) { return place(told(mistake)); }
  /// Each mistake is one problem, at its place, and of that exit code.
  template <class Mistakes>
  void expect_places(const Mistakes& mistakes, int exit_code = 2) {
    for (const Mistake& mistake : mistakes) {
      const auto all = told(mistake);
      ASSERT_EQ(all.size(), 1U) << mistake.lines;
      EXPECT_EQ(place(all), mistake.place) << mistake.lines << all[0];
      EXPECT_EQ(exit_code_, exit_code) << all[0];
    }
  }

  Catalogue catalogue_;
  std::vector<Description> plugin_measurements_;
  mutable std::vector<std::string> plugins_asked_;
  Topology topology_ = Topology::synthetic("pack:1 l3:2 core:2 pu:2");
  Overrides overrides_;
  int exit_code_ = 0;
  const test::Scratch scratch_;  ///< of this process: the same tests run twice at once, under two locales
  const std::filesystem::path folder_ = scratch_.path();
};

}  // namespace assay::test
