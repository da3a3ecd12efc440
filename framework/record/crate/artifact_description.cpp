// SPDX-License-Identifier: Apache-2.0
// The artifact description of a campaign, in Markdown.
#include <algorithm>
#include <map>
#include <sstream>

#include "record/crate/crate.hpp"
#include "record/crate/crate_time.hpp"
#include "record/export/export_parts.hpp"
#include "record/grouping.hpp"
#include "record/journal/journal.hpp"
#include "record/shown_value.hpp"
#include "text/ini.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

// Facts by what they are about: those whose keys begin so.
const std::vector<std::string> hardware_facts{"cpu.", "memory.", "topology.summary", "virtual.", "cgroup."};
const std::vector<std::string> system_facts{"assay.version", "assay.revision", "build.",   "kernel.", "libc.",
                                            "mpi.",          "clock.source",   "process.", "plugin.", "system."};

void write_line(std::ostream& out, const std::vector<std::string>& cells) {
  out << "| " << joined(cells, " | ") << " |\n";
}

void write_header(std::ostream& out, const std::vector<std::string>& titles) {
  write_line(out, titles);
  write_line(out, std::vector<std::string>(titles.size(), "---"));
}

bool begins_with_one(const std::string& key, const std::vector<std::string>& starts) {
  return std::ranges::any_of(starts, [&](const std::string& start) { return key.starts_with(start); });
}

// Every value that a fact had, with the sessions where there are several.
std::string values_text(const std::vector<CrateSession>& sessions, const std::string& key) {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const std::string value = fact_of(sessions[i].session->facts, key);
    auto known = std::ranges::find(values, value, &decltype(values)::value_type::first);
    if (known == values.end()) known = values.insert(values.end(), {value, {}});
    known->second.push_back(std::to_string(i + 1));
  }
  std::vector<std::string> texts;
  for (const auto& [value, numbers] : values) {
    std::string text = markdown_cell(value.empty() ? "not known" : value);
    if (values.size() > 1) text += (numbers.size() == 1 ? " (session " : " (sessions ") + joined(numbers) + ')';
    texts.push_back(std::move(text));
  }
  return joined(texts, "; ");
}

void write_facts(std::ostream& out, const std::vector<CrateSession>& sessions, const std::vector<std::string>& starts) {
  std::vector<std::string> keys;
  for (const CrateSession& one : sessions)
    for (const auto& [key, value] : one.session->facts)
      if (begins_with_one(key, starts) && !value.starts_with("not available") &&
          std::ranges::find(keys, key) == keys.end())
        keys.push_back(key);
  write_header(out, {"fact", "value"});
  for (const std::string& key : keys) write_line(out, {markdown_cell(key), values_text(sessions, key)});
  out << '\n';
}

// What the checks of the machine found, apart from what was in order.
void write_checks(std::ostream& out, const std::vector<CrateSession>& sessions) {
  constexpr std::string_view check = "check.";
  std::vector<std::string> lines;
  for (const CrateSession& one : sessions)
    for (const auto& [key, value] : one.session->facts) {
      if (!key.starts_with(check) || !value.starts_with("problem")) continue;
      std::string line = "* " + markdown_cell(key.substr(check.size()) + ": " + value) + '\n';
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
  if (lines.empty()) return void(out << "The checks of the machine found no problem.\n\n");
  out << "The checks of the machine found:\n\n" << joined(lines, "") << '\n';
}

void write_sessions(std::ostream& out, const std::vector<CrateSession>& sessions) {
  write_header(out, {"session", "began (UTC)", "took", "ended", "node", "command"});
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const CrateSession& one = sessions[i];
    write_line(out,
               {std::to_string(i + 1), markdown_cell(one.session->started), rough_duration(one.took),
                one.end == nullptr ? "lost" : markdown_cell(one.end->reason),
                markdown_cell(fact_of(one.session->facts, "host.name")), markdown_cell(one.session->command_line)});
  }
  out << '\n';
}

void write_series(std::ostream& out, const std::vector<SeriesGroup>& groups) {
  write_header(out, {"series", "measurement", "points", "factors that vary", "stopping rule"});
  for (const SeriesGroup& group : groups) {
    std::vector<std::string> varying;
    for (const std::string& factor : factors_of(group.points))
      if (varies(factor, group.points)) varying.push_back(markdown_cell(factor));
    write_line(out, {markdown_cell(group.series.series), markdown_cell(group.series.measurement),
                     std::to_string(group.points.size()), varying.empty() ? "none" : joined(varying),
                     markdown_cell(group.series.rule)});
  }
  out << '\n';
}

// How points ended: "12 converged, 1 too-noisy".
std::string outcomes_text(const std::vector<SeriesGroup>& groups) {
  std::map<Outcome, int> counts;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) ++counts[point.outcome];
  std::vector<std::string> texts;
  for (const auto& [outcome, count] : counts) texts.push_back(std::to_string(count) + ' ' + to_text(outcome));
  return texts.empty() ? "none" : joined(texts);
}

// What [campaign] says, in the words of the campaign file.
void write_settings(std::ostream& out, const std::string& configuration) {
  write_header(out, {"setting of the campaign", "value"});
  for (const IniEntry& entry : parse_ini(configuration, crate_campaign_name).entries)
    if (entry.section == "campaign" && entry.key != "title") write_line(out, {entry.key, markdown_cell(entry.value)});
  out << '\n';
}

void write_marks(std::ostream& out) {
  write_header(out, {"mark in results.csv", "in tables", "meaning"});
  for (const char mark : all_marks)
    write_line(out, {std::string(mark_word(mark)), '`' + std::string(1, mark) + '`', std::string(meaning_of(mark))});
  out << "\nA point without a number has its reason in the columns `verdict`, `code` and `reason`.\n";
}

std::string authors_text(const CrateOptions& options) {
  std::vector<std::string> names;
  for (const CrateAuthor& author : options.authors) names.push_back(markdown_cell(author.name));
  return names.empty() ? "[authors]" : joined(names);
}

Nanoseconds time_of(const std::vector<CrateSession>& sessions) {
  Nanoseconds time;
  for (const CrateSession& one : sessions) time += one.took;
  return time;
}

void write_overview(std::ostream& out, const std::vector<Record>& records, const CrateOptions& options) {
  out << "# Artifact description: " << markdown_cell(campaign_title(records)) << "\n\n"
      << "Written by Assay from the journal of the campaign. Text in brackets is for the authors to replace; "
         "everything "
         "else was recorded while the campaign ran.\n\n## Overview\n\n"
      << "[What the paper claims, and which of its tables and figures rest on this campaign.]\n\n"
      << "* Authors: " << authors_text(options) << '\n'
      << "* License: " << (options.license.empty() ? "[license]" : markdown_cell(options.license)) << '\n'
      << "* Persistent identifier: [DOI under which this folder is archived]\n"
      << "* Form: an RO-Crate 1.1 that conforms to Process Run Crate 0.5 (`" << crate_metadata_name << "`); `"
      << journal_name << "` has every observation, `" << crate_campaign_name << "` everything that was asked "
      << "for, `" << crate_results_name << "` the results, `" << crate_facts_name << "` all facts of the machine\n\n";
}

void write_again(std::ostream& out, const std::vector<CrateSession>& sessions) {
  const Facts facts = sessions.empty() ? Facts() : sessions.back().session->facts;
  out << "## Artifact evaluation: how to run it again\n\nInstall Assay "
      << markdown_cell(fact_of(facts, "assay.version")) << " (revision "
      << markdown_cell(fact_of(facts, "assay.revision")) << ") as its README describes. The campaign took "
      << rough_duration(time_of(sessions)) << " here; `assay plan` estimates it for another machine.\n\n"
      << "```\nassay plan " << crate_campaign_name << "\nassay reproduce . --output ../again\n```\n\n"
      << "`assay reproduce` runs the campaign with its seed and settings, and reports for each result whether it is "
         "the "
         "same, different or unclear, and what differs between the machines. Without the comparison: `assay run "
      << crate_campaign_name << "`. The tables of the results in this folder: `assay show .`.\n\n";
}

}  // namespace

std::string artifact_description(const std::vector<Record>& records, const CrateOptions& options) {
  std::ostringstream out;
  const auto sessions = crate_sessions(records);
  const auto groups = group_by_series(records);
  write_overview(out, records, options);
  out << "## What was run\n\n";
  write_sessions(out, sessions);
  write_series(out, groups);
  out << "## Hardware\n\n";
  write_facts(out, sessions, hardware_facts);
  write_checks(out, sessions);
  out << "## Software\n\n";
  write_facts(out, sessions, system_facts);
  out << "## Seed and settings\n\nRandom orders and draws come from the seed. `" << crate_campaign_name
      << "` has every setting of every series, defaults included.\n\n";
  write_settings(out, campaign_configuration(records));
  write_again(out, sessions);
  out << "## Expected results\n\n`" << crate_results_name
      << "` has a row for each point. Points ended as follows: " << outcomes_text(groups)
      << ". Values of another run may differ by what one machine differs by from day to day; results are compared by "
         "processes, never by single timings.\n\n## What the marks mean\n\n";
  write_marks(out);
  return std::move(out).str();
}

}  // namespace assay
