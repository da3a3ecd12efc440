// SPDX-License-Identifier: Apache-2.0
// The files of a crate, and their folder.
#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "platform/file/append_file.hpp"
#include "record/crate/crate.hpp"
#include "record/crate/crate_time.hpp"
#include "record/journal/journal.hpp"
#include "text/json.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* samples_name = "samples";

// Facts of each session, all of them.
std::string facts_file(const std::vector<Record>& records) {
  Json::Array sessions;
  for (const CrateSession& one : crate_sessions(records)) {
    Json::Object facts;
    for (const auto& [key, value] : one.session->facts) facts.emplace_back(key, value);
    sessions.emplace_back(Json::Object{{"session", one.session->session},
                                       {"started", one.session->started},
                                       {"took_s", one.took.count * 1e-9},
                                       {"command_line", one.session->command_line},
                                       {"facts", std::move(facts)}});
  }
  return to_text(Json(Json::Object{{"format", "assay-machine"}, {"version", 1}, {"sessions", std::move(sessions)}})) +
         '\n';
}

std::string results_file(const std::vector<Record>& records, Remarks& remarks) {
  std::ostringstream out;
  for (std::string& remark : write_wide_csv(out, ExportSource{records, {}}, {}))
    remarks.push_back(std::string(crate_results_name) + ": " + remark);
  return std::move(out).str();
}

// The whole records of a journal: a torn end is no part of what was measured.
void copy_journal(const std::string& from, const std::string& to, std::int64_t size) {
  FileReader source(from);
  AppendFile target = AppendFile::create(to);
  std::array<char, 65536> buffer;
  while (size > 0) {
    const std::size_t room = std::min<std::size_t>(buffer.size(), static_cast<std::size_t>(size));
    const std::size_t count = source.read(buffer.data(), room);
    if (count == 0)
      throw ResultError("'" + from + "' became shorter while it was copied; export it when nothing writes to it");
    target.append({buffer.data(), count});
    size -= static_cast<std::int64_t>(count);
  }
  target.sync();
}

// The folder beside a journal that has the batches of long visits; nothing where there is none.
std::optional<fs::path> samples_beside(const std::string& journal) {
  fs::path folder = fs::path(parent_directory(journal)) / samples_name;
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(folder, ignored)) ? std::optional(std::move(folder)) : std::nullopt;
}

void copy_samples(const fs::path& from, const fs::path& to) {
  constexpr std::size_t largest = std::size_t{1} << 30U;
  create_private_directory(to.string());
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    if (!entry.is_regular_file() || entry.is_symlink() || entry.path().extension() != ".jsonl") continue;
    write_file((to / entry.path().filename()).string(), read_plain_file(entry.path().string(), largest));
  }
}

void require_nothing(const std::string& folder) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder, ignored)))
    throw ResultError(shown_path(folder) +
                      " exists already; nothing is written over it; name a new folder with --output");
}

void fill(const std::string& folder, const std::string& journal, std::int64_t size, const std::vector<Record>& records,
          const CrateOptions& options, Remarks& remarks) {
  const auto samples = samples_beside(journal);
  copy_journal(journal, folder + '/' + journal_name, size);
  if (samples) copy_samples(*samples, fs::path(folder) / samples_name);
  const auto files = crate_files(records, options, remarks);
  for (const CrateFile& file : files) write_file(folder + '/' + file.name, file.content);
  write_file(folder + '/' + crate_metadata_name, crate_metadata(records, options, files, {size, samples.has_value()}));
}

bool is_web_address(const std::string& text) {
  return text.starts_with("https://") && text.find_first_of(" \t\"<>\\") == text.npos;
}

}  // namespace

CrateAuthor parse_author(const std::string& text, const Where& where) {
  const auto open = text.find('<');
  CrateAuthor author{std::string(trimmed(text.substr(0, open))), {}};
  const bool is_closed = open == text.npos || (text.ends_with('>') && text.find('>') == text.size() - 1);
  if (open != text.npos && is_closed) author.id = text.substr(open + 1, text.size() - open - 2);
  if (author.name.empty() || !is_closed || (open != text.npos && !is_web_address(author.id)))
    throw ConfigError(Problem{where,
                              shown(text) + " names no author",
                              {},
                              "write a name, with the address of the person's record where there is one: 'Jane Doe "
                              "<https://orcid.org/0000-0002-1825-0097>'"});
  return author;
}

std::string parse_license(const std::string& text, const Where& where) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.+";
  const bool is_plain = !text.empty() && text.find_first_not_of(letters) == text.npos;
  if (!is_plain && !is_web_address(text))
    throw ConfigError(Problem{where, shown(text) + " is no license",
                              "it is neither an identifier of SPDX nor an address",
                              "write one like CC-BY-4.0, or https://..."});
  return text;
}

std::string campaign_configuration(const std::vector<Record>& records) {
  std::string configuration;
  for (const Record& record : records) {
    if (const auto* campaign = std::get_if<CampaignRecord>(&record)) configuration = campaign->configuration;
    const auto* session = std::get_if<SessionRecord>(&record);
    if (session != nullptr && !session->configuration.empty()) configuration = session->configuration;
  }
  return configuration;
}

std::string campaign_title(const std::vector<Record>& records) {
  for (const Record& record : records)
    if (const auto* campaign = std::get_if<CampaignRecord>(&record); campaign != nullptr && !campaign->title.empty())
      return campaign->title;
  return "campaign";
}

std::vector<CrateFile> crate_files(const std::vector<Record>& records, const CrateOptions& options, Remarks& remarks) {
  return {{crate_campaign_name, campaign_configuration(records)},
          {crate_results_name, results_file(records, remarks)},
          {crate_facts_name, facts_file(records)},
          {crate_description_name, artifact_description(records, options)}};
}

Remarks write_crate(const std::string& folder, const std::string& campaign, const std::vector<Record>& records,
                    const CrateOptions& options) {
  require_nothing(folder);
  const std::string journal = journal_file(campaign);
  const JournalEnd end = scan_journal(
      journal, [](const RecordHead& /*head*/) { return false; }, [](const Record& /*record*/) {});
  // Under its name it is whole.
  const std::string unfinished = folder.substr(0, folder.find_last_not_of('/') + 1) + ".unfinished";
  Remarks remarks;
  require_nothing(unfinished);
  create_private_directory(unfinished);
  std::error_code error;
  try {
    fill(unfinished, journal, end.good_size, records, options, remarks);
    require_nothing(folder);
    fs::rename(unfinished, folder, error);
    if (error) throw StorageError("renaming '" + unfinished + "' to '" + folder + "'", error.value());
  } catch (...) {
    fs::remove_all(unfinished, error);
    throw;
  }
  sync_directory(parent_directory(folder));
  if (options.authors.empty())
    remarks.emplace_back("no author is named; --author NAME names one, who is the agent too");
  if (options.license.empty()) remarks.emplace_back("no license is stated; --license CC-BY-4.0 or the like states one");
  return remarks;
}

}  // namespace assay
