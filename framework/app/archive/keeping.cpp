// SPDX-License-Identifier: Apache-2.0
// Each action of `assay history`.
#include "app/archive/keeping.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>

#include "app/archive/acceptance.hpp"
#include "app/archive/fleet.hpp"
#include "app/archive/over_time.hpp"
#include "app/commands/commands.hpp"
#include "app/results/listing.hpp"
#include "app/results/results.hpp"
#include "base/typed.hpp"
#include "platform/file/append_file.hpp"
#include "record/table/table.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay::history {
namespace {

constexpr const char* assay_history = "assay history";
constexpr double usual_tolerance = 0.05;
constexpr std::size_t most_courses = 20;
constexpr std::size_t largest_accepted = std::size_t{16} << 20U;  // of accepted values

[[noreturn]] void refuse_use(std::string what, std::string why, std::string remedy) {
  throw ConfigError(Problem{{assay_history}, std::move(what), std::move(why), std::move(remedy)});
}

std::string file_of(const CommandLine& line) {
  if (const auto given = value_of(line, "file")) return *given;
  if (const char* set = std::getenv("ASSAY_HISTORY"); set != nullptr && *set != 0) return set;
  const auto usual = usual_file([](const char* variable) { return std::getenv(variable); });
  if (!usual)
    refuse_use("there is no place for the history", "neither XDG_DATA_HOME nor HOME is set", "name a file with --file");
  return *usual;
}

// An existing history.
std::string existing_file(const CommandLine& line) {
  const std::string file = file_of(line);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    refuse_use("there is no history " + shown_path(file), {},
               "'assay history add DIR' begins one; --file names another");
  return file;
}

void make_folder(const std::string& file) {
  const std::filesystem::path folder = parent_directory(file);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw StorageError("cannot create the folder " + folder.string(), error.value());
}

// What earlier campaigns say otherwise than this one.
void report_contradicted(History& history, const Entry& added, std::ostream& out) {
  const auto entries = history.entries();
  const auto at = std::ranges::find(entries, added.path, &Entry::path);
  if (at == entries.end()) return;
  const auto courses =
      courses_of(entries, history.results(entries, {.series = {}, .node = added.node, .quantity = {}}));
  print_contradicted(out, entries, contradicted(courses, static_cast<std::size_t>(at - entries.begin())));
}

int add(const CommandLine& line, AppContext& context) {
  // What cannot be read is reported before anything is kept.
  const std::vector<std::string> paths(line.operands.begin() + 1, line.operands.end());
  for (const std::string& path : paths) require_results(assay_history, path);
  const std::string file = file_of(line);
  std::optional<History> history;
  for (const std::string& path : paths) {
    const Digest digest = read_digest(assay_history, path, context.err);
    if (!history) {
      make_folder(file);
      history.emplace(file, History::Use::write);
    }
    const Added added = history->add(digest);
    context.out << to_text(added) << "  " << printable(digest.entry.path) << "  " << digest.entry.state;
    if (added == Added::replaced) context.out << "; another campaign was known by that path";
    if (added == Added::copied) context.out << "; it is known by another path, and counts once";
    context.out << '\n';
    if (added != Added::unchanged && added != Added::copied) report_contradicted(*history, digest.entry, context.out);
  }
  return ExitCode::ok;
}

int list(const CommandLine& line, AppContext& context) {
  History history(existing_file(line), History::Use::read);
  Listing listing{"campaigns",
                  {"date", "node", "title", "points", "sound", "marked", "none", "state", "journal", "path"}};
  TextTable table(listing.columns);
  const auto entries = history.entries();
  for (const Entry& entry : entries) {
    const Outcomes outcomes = history.outcomes_of(entry);
    const auto points = outcomes.sound + outcomes.marked + outcomes.without_number;
    listing.add({entry.started, entry.node, entry.title, points, outcomes.sound, outcomes.marked,
                 outcomes.without_number, entry.state,
                 entry.source == Source::there ? std::string("there") : to_text(entry.source), entry.path});
    table.add({entry.started, entry.node, entry.title, std::to_string(points), std::to_string(outcomes.sound),
               std::to_string(outcomes.marked), std::to_string(outcomes.without_number), entry.state,
               entry.source == Source::there ? "there" : to_text(entry.source), entry.path});
  }
  if (const ListingFormat format = listing_format(line); format != ListingFormat::table) {
    write_listing(context.out, listing, format);
    return ExitCode::ok;
  }
  table.print(context.out);
  context.out << '\n' << entries.size() << (entries.size() == 1 ? " campaign\n" : " campaigns\n");
  return ExitCode::ok;
}

Selection selection_of(const CommandLine& line) {
  Selection selection{value_of(line, "series").value_or(""), value_of(line, "node").value_or(""),
                      value_of(line, "quantity").value_or("")};
  for (const std::string& level : line.values("point")) {
    const auto sign = level.find('=');
    if (sign == level.npos || sign == 0)
      refuse_use("--point " + shown(level) + " names no level", {}, "write FACTOR=LEVEL");
    selection.levels.emplace_back(level.substr(0, sign), level.substr(sign + 1));
  }
  return selection;
}

Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(); }

// Every result of all courses, a row each.
Listing listing_of(const std::vector<Entry>& entries, const std::vector<Course>& courses) {
  Listing listing{"history",
                  {"series", "measurement", "point", "quantity", "regime", "state", "line", "date", "node", "value",
                   "low", "high", "unit", "marks", "verdict"}};
  for (const Course& course : courses)
    for (const Line& one : course.lines)
      for (const Dated& dated : one.results) {
        const KnownValue& known = dated.found.known;
        const bool has_interval = known.interval.available();
        listing.add({course.place.series, course.place.measurement, course.place.point, course.place.quantity,
                     course.place.regime, to_text(dated.found.state), one.letter, entries[dated.campaign].started,
                     entries[dated.campaign].node, number_or_null(known.value),
                     has_interval ? number_or_null(known.interval.low) : Json(),
                     has_interval ? number_or_null(known.interval.high) : Json(), symbol(course.unit),
                     dated.found.marks, dated.found.verdict});
      }
  return listing;
}

double alpha_of(const CommandLine& line) {
  const double alpha = line.value<double>("alpha").value_or(usual_change_alpha);
  if (!(alpha >= 0.001))
    refuse_use("--alpha is too small", "a change is sought among 2000 orders", "write 0.001 or more");
  return alpha;
}

int show(const CommandLine& line, AppContext& context) {
  const double alpha = alpha_of(line);
  const Selection selection = selection_of(line);
  History history(existing_file(line), History::Use::read);
  const auto entries = history.entries();
  const auto courses = courses_of(entries, history.results(entries, selection));
  if (courses.empty())
    refuse_use("no point is selected", "the history's campaigns have none like that",
               "'assay history show' without options names all, 'assay history list' the campaigns");
  if (const ListingFormat format = listing_format(line); format != ListingFormat::table) {
    write_listing(context.out, listing_of(entries, courses), format);
    return ExitCode::ok;
  }
  for (std::size_t i = 0; i < std::min(courses.size(), most_courses); ++i) {
    if (i > 0) context.out << '\n';
    print_course(context.out, entries, courses[i], alpha);
  }
  if (courses.size() > most_courses)
    context.out << "\nand " << courses.size() - most_courses << " more points: narrow them with --series and --point\n";
  context.out << "\nFalse alarms: a change is reported on " << number_text(alpha * 100)
              << " % of lines without one, if their campaigns are exchangeable.\n";
  return ExitCode::ok;
}

int write_otava(const CommandLine& line, const std::vector<Entry>& entries, const Fleet& all, AppContext& context) {
  const auto node = value_of(line, "node");
  if (!node)
    refuse_use("--format otava has one node", "Otava follows one series of values for each column",
               "name a node with --node; 'assay history fleet --format csv' lists all");
  if (std::ranges::none_of(all.results, [&](const OfNode& one) { return one.node == *node; }))
    refuse_use("there is no node " + shown(*node), {}, "'assay history fleet --format csv' lists all");
  for (const std::string& remark : write_node_otava(context.out, entries, all, *node))
    context.err << "note: " << remark << '\n';
  return ExitCode::ok;
}

int fleet(const CommandLine& line, AppContext& context) {
  const double alpha = alpha_of(line);
  const Selection selection{value_of(line, "series").value_or(""), {}, value_of(line, "quantity").value_or("")};
  History history(existing_file(line), History::Use::read);
  const auto entries = history.entries();
  const bool is_for_otava = line.value<std::string>("format") == "otava";
  const Fleet all =
      fleet_of(entries, history.results(entries, selection), is_for_otava ? RoundBy::campaign : RoundBy::day);
  if (is_for_otava) return write_otava(line, entries, all, context);
  if (line.has("node"))
    refuse_use("--node is for --format otava", "nodes are ranked among all others",
               "leave it out, or write --format otava");
  const FleetReport report = report_on(all, alpha);
  if (report.nodes.empty())
    refuse_use("there is no fleet to judge",
               "no campaign of the history has " + std::to_string(fewest_nodes) + " nodes or more",
               "add the results of 'assay cluster', or campaigns of one day that ask for the same on several nodes");
  if (const ListingFormat format = listing_format(line); format != ListingFormat::table)
    write_listing(context.out, fleet_listing(report), format);
  else
    print_fleet(context.out, report, alpha);
  return ExitCode::ok;
}

int exit_code_of(const CheckReport& report, bool strict) {
  if (report.count(Acceptance::slower) > 0) return ExitCode::regression;
  const auto doubtful =
      report.count(Acceptance::missing) + report.count(Acceptance::marked) + report.count(Acceptance::unclear);
  return strict && doubtful > 0 ? ExitCode::some_failed : ExitCode::ok;
}

CheckReport report_of(const CommandLine& line, AppContext& context) {
  const std::string& path = line.operands[1];
  if (const auto accepted = value_of(line, "accepted")) {
    std::error_code ignored;
    if (!std::filesystem::exists(*accepted, ignored))
      refuse_use("there is no " + shown_path(*accepted), {}, "'assay history accept DIR --output FILE' writes one");
    const AcceptedValues values = parse_accepted(read_file(*accepted, largest_accepted), *accepted);
    return check_accepted(read_digest(assay_history, path, context.err), values);
  }
  History history(existing_file(line), History::Use::read);
  return check_history(read_digest(assay_history, path, context.err), history);
}

int check(const CommandLine& line, AppContext& context) {
  const std::string format = line.value<std::string>("format").value_or("table");
  const CheckReport report = report_of(line, context);
  write_report(context.out, report, format);
  if (report.points.empty()) throw ResultError(report.campaign + ": there is no point that could be checked");
  return exit_code_of(report, line.has("strict"));
}

int accept(const CommandLine& line, AppContext& context) {
  const std::string file = *value_of(line, "output");
  const double tolerance = line.value<double>("tolerance").value_or(usual_tolerance);
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
    refuse_use(shown_path(file) + " is there already", "accepted values are not overwritten",
               "move it away, or name another file");
  const Digest digest = read_digest(assay_history, line.operands[1], context.err);
  const AcceptedValues accepted = accepted_of(digest, tolerance);
  if (accepted.values.empty())
    throw ResultError(digest.entry.path +
                      ": has no unmarked result that could be accepted; 'assay show' gives the reasons");
  write_file(file, to_text(accepted));
  std::size_t usual = 0;
  for (const Found& found : digest.found) usual += found.is_usual && !found.is_other ? 1 : 0;
  context.out << accepted.values.size() << " values accepted, with " << number_text(tolerance * 100)
              << " % on either side of their intervals; " << usual - accepted.values.size()
              << " marked or without a number left out\n";
  return ExitCode::ok;
}

int rebuild(const CommandLine& line, AppContext& context) {
  History history(existing_file(line), History::Use::rebuild);
  const auto told =
      history.rebuild([&](const std::string& path) { return read_digest(assay_history, path, context.err); });
  for (const std::string& problem : told)
    context.err << "assay: warning: " << printable(problem) << "; what was known of it is kept, marked as such\n";
  context.out << history.entries().size() << " campaigns, " << told.size() << " of which cannot be read any more\n";
  return ExitCode::ok;
}

}  // namespace

int keep(const CommandLine& line, AppContext& context) {
  const std::string& verb = line.operands.front();
  if (verb == "add") return add(line, context);
  if (verb == "list") return list(line, context);
  if (verb == "show") return show(line, context);
  if (verb == "fleet") return fleet(line, context);
  if (verb == "check") return check(line, context);
  if (verb == "accept") return accept(line, context);
  return rebuild(line, context);
}

}  // namespace assay::history
