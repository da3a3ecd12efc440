// SPDX-License-Identifier: Apache-2.0
// Values of then, again and now, put together.
#include "app/results/against_report.hpp"

#include <algorithm>
#include <sstream>

#include "app/results/comparability.hpp"
#include "app/results/comparing.hpp"
#include "app/results/results.hpp"
#include "base/error.hpp"
#include "run/plan.hpp"

namespace assay {

namespace {

// A campaign that was itself measured against something is what it found of the program of its day.
std::vector<Record> as_of_its_day(const std::vector<Record>& records) {
  std::vector<Record> kept;
  for (const Record& record : records) {
    const auto* point = std::get_if<PointRecord>(&record);
    const bool has_level = point != nullptr && point->point.find(variant_factor_name) != nullptr;
    if (!has_level) {
      kept.push_back(record);
    } else if (point->point.text(variant_factor_name) == now_variant) {
      PointRecord without = *point;
      without.point = point->point.without(variant_factor_name);
      kept.emplace_back(std::move(without));
    }
  }
  return kept;
}

void add_values_of_then(ComparisonReport& report, const std::vector<Record>& records, const std::string& path,
                        const PairingRequest& request, const std::function<void(std::vector<Record>&)>& choose) {
  try {
    std::ostringstream ignored;
    auto then = read_results("--against", path, ignored);
    choose(then);
    add_earlier(report, path, as_of_its_day(then), at_level(records, variant_factor_name, before_variant), request);
  } catch (const std::runtime_error& error) {
    report.notes.push_back("the values of then cannot be read any more: " + std::string(error.what()));
  }
}

}  // namespace

void tell_against(ComparisonReport& report, const std::vector<Record>& records, const PairingRequest& request,
                  const std::function<void(std::vector<Record>&)>& choose) {
  const auto* session = last_of<SessionRecord>(records);
  if (session == nullptr || fact_of(session->facts, against_path_fact).empty()) return;
  for (const auto& [key, value] : session->facts)
    if (key.starts_with(against_note_prefix)) report.notes.push_back(value);
  if (fact_of(session->facts, against_kind_fact) != against_campaign) return;
  add_values_of_then(report, records, fact_of(session->facts, against_path_fact), request, choose);
  if (report.earlier) report.earlier->has_program = fact_of(session->facts, against_program_fact) == "yes";
}

ComparisonReport report_against(const std::string& command, const std::string& directory, std::ostream& err) {
  ComparisonReport report;
  report.factor = variant_factor_name;
  Turns turns(report.factor);
  const auto records = read_results(command, directory, err, &turns);
  report.a = report.factor + " " + before_variant + " in " + directory;
  report.b = report.factor + " " + now_variant;
  compare_levels(report, records, turns, {before_variant, now_variant}, {});
  tell_against(report, records, {}, [](std::vector<Record>&) {});
  return report;
}

}  // namespace assay
