// SPDX-License-Identifier: Apache-2.0
// Metadata of a crate held against its files.
#include "record/crate/crate.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/escape.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/journal.hpp"
#include "text/json.hpp"
#include "text/sha256.hpp"
#include "text/suggest.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* root_id = "./";
constexpr const char* profile_stem = "https://w3id.org/ro/wfrun/process/";
constexpr std::size_t largest_made = json_size_limit;  // of the files beside the journal

/// The entities of a crate by their identifiers.
class Entities {
 public:
  explicit Entities(const std::string& folder) : file_(folder + '/' + crate_metadata_name) {
    try {
      graph_ = parse_json(read_plain_file(file_, json_size_limit));
      for (const Json& entity : graph_.at("@graph").array()) by_id_.emplace(entity.at("@id").string(), &entity);
    } catch (const JsonError& error) {
      refuse(error.what());
    }
  }
  [[noreturn]] void refuse(const std::string& what) const { throw ResultError(shown_path(file_) + ": " + what); }
  const Json* find(const std::string& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
  }
  const Json& at(const std::string& id) const {
    const Json* found = find(id);
    if (found == nullptr) refuse("there is no entity " + shown(id));
    return *found;
  }
  /// All of a type.
  std::vector<const Json*> of_type(const std::string& type) const {
    std::vector<const Json*> all;
    for (const auto& [id, entity] : by_id_)
      if (const Json* own = entity->find("@type"); own != nullptr && own->is_string() && own->string() == type)
        all.push_back(entity);
    return all;
  }
  /// The text of a member; empty where it is none.
  static std::string text(const Json& entity, const char* key) {
    const Json* member = entity.find(key);
    return member != nullptr && member->is_string() ? member->string() : std::string();
  }

 private:
  std::string file_;
  Json graph_;
  std::map<std::string, const Json*> by_id_;
};

// The identifiers that a member refers to: one object, or several.
std::vector<std::string> ids_in(const Json& entity, const char* key) {
  std::vector<std::string> ids;
  const auto add = [&](const Json& one) {
    if (const Json* id = one.find("@id"); id != nullptr && id->is_string()) ids.push_back(id->string());
  };
  const Json* member = entity.find(key);
  if (member == nullptr) return ids;
  try {
    for (const Json& one : member->array()) add(one);
  } catch (const JsonError&) {
    add(*member);
  }
  return ids;
}

bool is_assay(const Json& program) { return Entities::text(program, "name") == "Assay"; }

// Version of the program that is the instrument of the last session.
std::string version_of(const Entities& entities) {
  std::string version;
  for (const std::string& session : ids_in(entities.at(root_id), "mentions"))
    for (const std::string& program : ids_in(entities.at(session), "instrument"))
      if (const Json* found = entities.find(program); found != nullptr && is_assay(*found))
        version = Entities::text(*found, "softwareVersion");
  return version;
}

void require_campaign(const Entities& entities) {
  const auto profiles = ids_in(entities.at(root_id), "conformsTo");
  if (std::ranges::none_of(profiles, [](const std::string& one) { return one.starts_with(profile_stem); }))
    entities.refuse("the crate is no Process Run Crate: its root does not conform to " + std::string(profile_stem) +
                    "...; 'assay export DIR --format ro-crate' writes crates that can be reproduced");
  if (std::ranges::none_of(entities.of_type("SoftwareApplication"), [](const Json* one) { return is_assay(*one); }))
    entities.refuse(
        "no program of the crate is Assay: it is of something else, and cannot be run again by this program");
  for (const char* name : {crate_campaign_name, journal_name}) entities.at(name);
}

void check_file(const Entities& entities, const std::string& folder, const Json& file) {
  const std::string name = Entities::text(file, "@id");
  if (name.empty() || name.find('/') != name.npos)
    entities.refuse("file " + shown(name) + " is not in the crate's folder; Assay writes no such crates");
  const std::string path = folder + '/' + name;
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error)))
    throw ResultError(shown_path(path) + " is missing, or no regular file; " + crate_metadata_name + " names it");
  const std::string size = std::to_string(fs::file_size(path, error));
  const std::string expected = Entities::text(file, "contentSize");
  if (expected != size)
    throw ResultError(shown_path(path) + " has " + size + " bytes, not the " + expected + " that " +
                      crate_metadata_name + " names: it was changed or cut; take the crate from where it is archived");
  const std::string digest = Entities::text(file, "sha256");
  if (!digest.empty() && hex_of(sha256(read_plain_file(path, largest_made))) != digest)
    throw ResultError(shown_path(path) + " was changed: its SHA-256 is not the one in " + crate_metadata_name +
                      "; take the crate from where it is archived");
}

}  // namespace

ReadCrate read_crate(const std::string& command, const std::string& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored))
    throw ConfigError(Problem{{command}, "there is no " + shown_path(folder), {}, "name the folder of an RO-Crate"});
  if (!fs::is_directory(folder, ignored))
    throw ConfigError(Problem{{command},
                              shown_path(folder) + " is no folder",
                              "a crate is read where it is unpacked",
                              "unpack it, and name the folder that has its " + std::string(crate_metadata_name)});
  if (!fs::exists(fs::path(folder) / crate_metadata_name, ignored))
    throw ConfigError(Problem{{command},
                              shown_path(folder) + " holds no RO-Crate",
                              "it has no " + std::string(crate_metadata_name),
                              "'assay export DIR --format ro-crate --output FOLDER' writes one"});
  const Entities entities(folder);
  try {
    require_campaign(entities);
    for (const Json* file : entities.of_type("File")) check_file(entities, folder, *file);
    return {folder, Entities::text(entities.at(root_id), "name"),
            read_plain_file(folder + '/' + crate_campaign_name, largest_made), version_of(entities)};
  } catch (const JsonError& error) {
    entities.refuse(error.what());
  }
}

}  // namespace assay
