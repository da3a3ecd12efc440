// SPDX-License-Identifier: Apache-2.0
// `assay journal`: says whether a journal is whole, and copies what is whole of a damaged one.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <ostream>
#include <set>

#include "app/commands/commands.hpp"
#include "app/results/results.hpp"
#include "platform/clock/system_clock.hpp"
#include "record/journal/consistency.hpp"
#include "record/journal/salvage.hpp"
#include "run/mpi/shard.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* assay_journal = "assay journal";
constexpr std::size_t most_losses = 20;
constexpr const char* copy_note = "copied from a damaged journal without:";

// What a journal holds, by type and by what its records are about.
struct Tally {
  std::map<std::string, std::int64_t, std::less<>> types;
  std::set<std::string, std::less<>> points;
  std::set<int> sessions;

  // Whether what was said agrees with what is there, and whether what was begun came to an end.
  ConsistencyCheck consistency;
  BeginMarkers markers;
  bool is_copy = false;

  void add(const RecordHead& head) {
    ++types[std::string(head.type)];
    if (head.session >= 0) sessions.insert(head.session);
    if (!head.subject.empty() && !points.contains(head.about())) points.emplace(head.about());
  }
};

std::string count_text(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void print_lost(std::ostream& out, const char* heading, const std::vector<std::string>& list) {
  if (list.empty()) return;
  out << heading << '\n';
  for (std::size_t i = 0; i < std::min(list.size(), most_losses); ++i) out << "  " << printable(list[i]) << '\n';
  if (list.size() > most_losses) out << "  and " << std::to_string(list.size() - most_losses) << " more\n";
}

void print(std::ostream& out, const Tally& tally, const JournalEnd& end) {
  out << count_text(end.records, "whole record") << " in " << count_text(end.good_size, "byte") << "\n";
  for (const auto& [type, count] : tally.types) out << "  " << type << ' ' << std::to_string(count) << '\n';
  out << count_text(static_cast<std::int64_t>(tally.points.size()), "point") << " in "
      << count_text(static_cast<std::int64_t>(tally.sessions.size()), "session") << '\n';
  if (end.torn > 0)
    out << "torn: " << count_text(end.torn, "byte")
        << " at the end were not written completely; 'assay resume' cuts them off\n";
  print_lost(out, "lost in progress, each with a session that did not end in good order:", tally.markers.lost());
}

std::string losses_text(const std::vector<Loss>& losses, const char* separator) {
  std::string text;
  for (std::size_t i = 0; i < losses.size() && i < most_losses; ++i) text += separator + to_text(losses[i]);
  if (losses.size() > most_losses) text += separator + std::to_string(losses.size() - most_losses) + " more";
  return text;
}

// Whole records can still be wrong: a journal may come from anywhere. What a copy lacks of a damaged one is no
// surprise.
void require_sound(const std::string& path, const Tally& tally, std::ostream& out) {
  auto found = tally.consistency.found();
  auto missing = tally.consistency.missing();
  std::ranges::copy(tally.markers.found(), std::back_inserter(missing));
  if (tally.is_copy)
    print_lost(out, "missing in this copy of a damaged journal:", missing);
  else
    std::ranges::copy(missing, std::back_inserter(found));
  require_none(printable(journal_file(path)), found);
}

// Says where a damaged journal is damaged.
void print_damage(const std::string& path, std::ostream& out) {
  std::int64_t whole = 0;
  const auto losses = salvage_journal(path, [&](const Record&) { ++whole; });
  out << count_text(whole, "whole record") << "; damage:" << losses_text(losses, "\n  ") << '\n';
}

// Records that are in no journal yet.
void print_shards(const std::string& path, std::ostream& out) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return;
  for (const int launch : leftover_launches(path)) {
    const std::string file = shard_directory(path, launch);
    if (!std::filesystem::exists(file + "/" + journal_name, ignored)) continue;
    const JournalEnd end = scan_journal(
        file, [](const RecordHead&) { return false; }, [](const Record&) {});
    out << printable(file) << ": " << count_text(end.records, "whole record") << " of launch " << std::to_string(launch)
        << ", which 'assay resume' takes over\n";
  }
}

int check(const std::string& path, AppContext& context) {
  context.out << printable(journal_file(path)) << ", format version " << std::to_string(journal_version) << '\n';
  Tally tally;
  const auto look = [&](const RecordHead& head) {
    tally.add(head);
    return true;
  };
  const auto take = [&](const Record& record) {
    tally.consistency.add(record);
    tally.markers.add(record);
    const auto* note = std::get_if<NoteRecord>(&record);
    tally.is_copy = tally.is_copy || (note != nullptr && note->text.starts_with(copy_note));
  };
  JournalEnd end;
  try {
    end = scan_journal(path, look, take);
  } catch (const ResultError&) {
    print_damage(path, context.out);
    throw;
  }
  print(context.out, tally, end);
  print_shards(path, context.out);
  require_sound(path, tally, context.out);
  context.out << "the journal is intact\n";
  return ExitCode::ok;
}

int repair(const std::string& path, const std::string& to, AppContext& context) {
  std::int64_t whole = 0;
  salvage_journal(path, [&](const Record&) { ++whole; });
  if (whole == 0) throw ResultError(journal_file(path) + ": contains no intact record; there is nothing to copy");
  const MonotonicClock clock;
  Journal copy(to, clock, {{Durability::Mode::none, {}}, false});
  const auto losses = salvage_journal(path, [&](const Record& record) { copy.write(record); });
  if (!losses.empty()) copy.write(NoteRecord{copy_note + losses_text(losses, "\n")});
  copy.sync();
  context.out << count_text(whole, "record") << " copied to " << printable(to)
              << "; left out: " << (losses.empty() ? "nothing" : losses_text(losses, "\n  ")) << '\n';
  return ExitCode::ok;
}

int run_journal(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const std::string& verb = line.operands[0];
  const std::string& path = line.operands[1];
  const auto to = value_of(line, "to");
  if (verb != "check" && verb != "repair")
    throw ConfigError(
        Problem{{assay_journal}, "unknown action " + shown(verb), {}, suggestion(verb, {"check", "repair"})});
  if ((verb == "repair") != to.has_value())
    throw ConfigError(Problem{{assay_journal},
                              to ? "--to is for repair" : "no directory is named for the intact records",
                              {},
                              "write 'assay journal repair DIR --to NEW'"});
  require_results(assay_journal, path);
  return verb == "check" ? check(path, context) : repair(path, *to, context);
}

}  // namespace

CommandInfo journal_command() {
  CommandInfo command;
  command.name = "journal";
  command.synopsis = "journal check DIR | journal repair DIR --to NEW";
  command.summary = "Checks the integrity of results on disk, or copies the intact records of damaged ones.";
  command.details =
      "check counts the records by type, and reports visits lost in progress and the place of damage or of\n"
      "contradictions, such as a result of more observations than its visits contain (exit code 5). repair copies\n"
      "every intact record into a new directory, with a note of what was lost and where; the damaged journal is not\n"
      "changed.\n";
  command.least_operands = 2;
  command.most_operands = 2;
  command.options = {{"to", {"NEW", ValueKind::directory}, "directory to create for the copy"}, help_option()};
  command.operands = {{"ACTION", ValueKind::words, {"check", "repair"}}, {"DIR", ValueKind::results}};
  command.exits = {ExitCode::storage, ExitCode::refused};
  command.examples = {{"assay journal check assay-first", "whether results are intact"},
                      {"assay journal repair assay-first --to assay-whole", "copy the intact records"}};
  command.run = &run_journal;
  return command;
}

}  // namespace assay
