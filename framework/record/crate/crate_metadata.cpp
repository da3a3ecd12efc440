// SPDX-License-Identifier: Apache-2.0
// Entities of RO-Crate metadata, one a line.
#include <algorithm>
#include <map>
#include <set>

#include "base/escape.hpp"
#include "record/crate/crate.hpp"
#include "record/crate/crate_time.hpp"
#include "record/grouping.hpp"
#include "record/journal/journal.hpp"
#include "text/json.hpp"
#include "text/number_format.hpp"
#include "text/sha256.hpp"

namespace assay {
namespace {

constexpr const char* no_license = "#no-license";
constexpr const char* samples_folder = "samples/";

Json reference(const std::string& id) { return Json(Json::Object{{"@id", id}}); }

// One is no list.
Json references(const std::vector<std::string>& ids) {
  if (ids.size() == 1) return reference(ids.front());
  Json::Array all;
  for (const std::string& id : ids) all.push_back(reference(id));
  return Json(std::move(all));
}

Json entity(const std::string& id, const char* type) { return Json(Json::Object{{"@id", id}, {"@type", type}}); }

// A text as part of an identifier: what an address may not have is written as %HH.
std::string identifier(const std::string& text) {
  std::string id;
  for (const char letter : text) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '-' || letter == '.' || letter == '_';
    id += is_plain ? std::string(1, letter) : '%' + hex_of(static_cast<std::uint8_t>(letter), 2);
  }
  return id;
}

bool is_address(const std::string& text) { return text.starts_with("https://") || text.starts_with("http://"); }

std::string author_id(const CrateAuthor& author) {
  return author.id.empty() ? "#author-" + identifier(author.name) : author.id;
}

std::string license_id(const CrateOptions& options) {
  if (options.license.empty()) return no_license;
  return is_address(options.license) ? options.license : "https://spdx.org/licenses/" + options.license;
}

std::string program_id(const Facts& facts) {
  return "#assay-" + identifier(fact_of(facts, "assay.version") + '-' + fact_of(facts, "assay.revision"));
}

std::string session_id(std::size_t index) { return "#session-" + std::to_string(index + 1); }

// What topologies are like is in the file of facts: the text is as long as all others together.
bool is_stated(const Facts::value_type& fact) { return fact.first != "topology.xml"; }

/// Facts of all sessions as property values: the same fact with the same value is one entity.
class FactEntities {
 public:
  std::string id_of(const std::string& key, const std::string& value) {
    const auto [at, is_new] = ids_.try_emplace({key, value});
    if (is_new) {
      const int number = ++values_[key];
      at->second = "#fact-" + identifier(key) + (number == 1 ? "" : '-' + std::to_string(number));
      entities_.push_back(entity(at->second, "PropertyValue").set("name", key).set("value", value));
    }
    return at->second;
  }
  const std::vector<Json>& entities() const { return entities_; }

 private:
  std::map<std::pair<std::string, std::string>, std::string> ids_;
  std::map<std::string, int> values_;
  std::vector<Json> entities_;
};

/// The graph of one crate.
class Graph {
 public:
  Graph(const std::vector<Record>& records, const CrateOptions& options, const CrateJournal& journal)
      : records_(records), options_(options), journal_(journal), sessions_(crate_sessions(records)) {}

  std::vector<Json> entities(const std::vector<CrateFile>& files) {
    std::vector<Json> all{descriptor(), root(files), profile()};
    for (const CrateFile& file : files) all.push_back(made_file(file));
    all.push_back(journal_file());
    if (journal_.has_samples) all.push_back(samples());
    add_sessions(all);
    for (const Json& fact : facts_.entities()) all.push_back(fact);
    for (const CrateAuthor& author : options_.authors)
      all.push_back(entity(author_id(author), "Person").set("name", author.name));
    all.push_back(license());
    return all;
  }

 private:
  static Json descriptor() {
    return entity(crate_metadata_name, "CreativeWork")
        .set("conformsTo", reference(crate_specification))
        .set("about", reference("./"));
  }

  static Json profile() {
    return entity(crate_profile, "CreativeWork").set("name", "Process Run Crate").set("version", "0.5");
  }

  Json root(const std::vector<CrateFile>& files) const {
    std::vector<std::string> parts;
    std::vector<std::string> actions;
    for (const CrateFile& file : files) parts.push_back(file.name);
    parts.emplace_back(journal_name);
    if (journal_.has_samples) parts.emplace_back(samples_folder);
    for (std::size_t i = 0; i < sessions_.size(); ++i) actions.push_back(session_id(i));
    Json root = entity("./", "Dataset");
    root.set("conformsTo", reference(crate_profile))
        .set("name", campaign_title(records_))
        .set("description", description());
    if (const auto date = published()) root.set("datePublished", *date);
    root.set("license", reference(license_id(options_)));
    if (!options_.authors.empty()) root.set("author", references(author_ids()));
    root.set("hasPart", references(parts)).set("mentions", references(actions));
    return root;
  }

  std::string description() const {
    std::size_t points = 0;
    const auto groups = group_by_series(records_);
    for (const SeriesGroup& group : groups) points += group.points.size();
    return "A benchmark campaign measured by Assay: " + counted(groups.size(), "series") + ", " +
           counted(points, "point") + ", " + counted(sessions_.size(), "session") +
           ". The journal has every observation, from which everything else in this crate can be made again.";
  }

  // The results are those of this time, whenever the crate is written: the same results are the same crate.
  std::optional<std::string> published() const {
    return sessions_.empty() ? std::nullopt : time_after(sessions_.back().session->started, sessions_.back().took);
  }

  std::vector<std::string> author_ids() const {
    std::vector<std::string> ids;
    for (const CrateAuthor& author : options_.authors) ids.push_back(author_id(author));
    return ids;
  }

  static Json made_file(const CrateFile& file) {
    static const std::map<std::string, std::pair<const char*, const char*>> kinds{
        {crate_campaign_name, {"Campaign file: everything that was asked for, with the seed", "text/plain"}},
        {crate_results_name, {"Results: a row per point with medians, intervals, verdicts and marks", "text/csv"}},
        {crate_facts_name, {"Facts of machine, system and program in each session", "application/json"}},
        {crate_description_name, {"Artifact description and evaluation", "text/markdown"}}};
    const auto& [name, format] = kinds.at(file.name);
    return entity(file.name, "File")
        .set("name", name)
        .set("encodingFormat", format)
        .set("contentSize", std::to_string(file.content.size()))
        .set("sha256", hex_of(sha256(file.content)));
  }

  Json journal_file() const {
    return entity(journal_name, "File")
        .set("name", "Journal: one record per visit, point and session, each with its checksum (CRC-32C)")
        .set("encodingFormat", "application/jsonl")
        .set("contentSize", std::to_string(journal_.bytes));
  }

  static Json samples() {
    return entity(samples_folder, "Dataset")
        .set("name", "Batches of visits that are too long for a line of the journal, which has their checksums");
  }

  void add_sessions(std::vector<Json>& all) {
    std::set<std::string> programs;
    std::vector<Json> actions;
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      const Facts& facts = sessions_[i].session->facts;
      if (programs.insert(program_id(facts)).second) all.push_back(program(facts));
      actions.push_back(action(i));
    }
    all.insert(all.end(), actions.begin(), actions.end());
  }

  static Json program(const Facts& facts) {
    return entity(program_id(facts), "SoftwareApplication")
        .set("name", "Assay")
        .set("softwareVersion", fact_of(facts, "assay.version"))
        .set("description",
             "Adaptive statistical benchmark framework for synchronization, communication and operating-system "
             "services; revision " +
                 fact_of(facts, "assay.revision") + ", " + fact_of(facts, "build.compiler"));
  }

  Json action(std::size_t index) {
    const CrateSession& one = sessions_[index];
    std::vector<std::string> objects{crate_campaign_name};
    for (const auto& fact : one.session->facts)
      if (is_stated(fact)) objects.push_back(facts_.id_of(fact.first, fact.second));
    Json action = entity(session_id(index), "CreateAction");
    action.set("name", "Session " + std::to_string(index + 1) + " of campaign " + campaign_title(records_))
        .set("description", one.session->command_line)
        .set("instrument", reference(program_id(one.session->facts)));
    if (!options_.authors.empty()) action.set("agent", reference(author_id(options_.authors.front())));
    if (const auto begun = time_after(one.session->started, {})) action.set("startTime", *begun);
    if (const auto ended = time_after(one.session->started, one.took)) action.set("endTime", *ended);
    action.set("object", references(objects)).set("result", references({journal_name, crate_results_name}));
    const bool is_complete = one.end != nullptr && one.end->reason == "complete";
    action.set("actionStatus",
               is_complete ? "http://schema.org/CompletedActionStatus" : "http://schema.org/FailedActionStatus");
    if (!is_complete)
      action.set("error", one.end == nullptr ? "the session was lost" : "the session ended early: " + one.end->reason);
    return action;
  }

  Json license() const {
    Json license = entity(license_id(options_), "CreativeWork");
    if (options_.license.empty())
      return license.set("name", "No license is stated")
          .set("description", "The authors have stated no license: ask them before you pass this on.");
    return license.set("name", options_.license).set("description", "License of the results in this crate");
  }

  const std::vector<Record>& records_;
  const CrateOptions& options_;
  const CrateJournal& journal_;
  std::vector<CrateSession> sessions_;
  FactEntities facts_;
};

}  // namespace

std::string crate_metadata(const std::vector<Record>& records, const CrateOptions& options,
                           const std::vector<CrateFile>& files, const CrateJournal& journal) {
  // The digest of a file is no term of RO-Crate 1.1, but one of the profile's.
  std::string text = R"({"@context": [")" + std::string(crate_specification) +
                     R"(/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}],)" +
                     "\n\"@graph\": [\n";
  const auto entities = Graph(records, options, journal).entities(files);
  for (std::size_t i = 0; i < entities.size(); ++i) text += (i == 0 ? "" : ",\n") + to_text(entities[i]);
  return text + "\n]}\n";
}

}  // namespace assay
