// SPDX-License-Identifier: Apache-2.0
// Files and overrides to settings; sections are checked here, keys where the schema is known.
#include "app/config/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "platform/file/append_file.hpp"
#include "text/ini.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::size_t largest_settings = 1024 * 1024;
constexpr std::string_view named_kinds[] = {"series", "variant"};
constexpr const char* section_help = "sections are [campaign], [precision], [series.NAME] and [variant.NAME]";

// The kind of a section that should have a name; empty for others.
std::string_view section_kind(std::string_view section) {
  for (const std::string_view kind : named_kinds)
    if (section.starts_with(kind) && section.substr(kind.size()).starts_with('.')) return kind;
  return {};
}

// The name in a section of some kind.
std::string_view name_in(std::string_view section) {
  const auto kind = section_kind(section);
  return kind.empty() ? std::string_view() : section.substr(kind.size() + 1);
}

bool is_name(std::string_view name) { return !name.empty() && name.find_first_of('.') == name.npos; }

bool is_fixed_section(std::string_view section) { return section == "campaign" || section == "precision"; }

bool is_known_section(std::string_view section) { return is_fixed_section(section) || is_name(name_in(section)); }

std::string section_remedy(const std::string& section) {
  if (const auto kind = section_kind(section); !kind.empty())
    return "the name of a " + std::string(kind) + " is made of letters, digits, '-' and '_'";
  const auto near = nearest(section.substr(0, section.find('.')), {"campaign", "precision", "series", "variant"});
  if (near.empty()) return section_help;
  return "did you mean [" + near + (is_fixed_section(near) ? "" : ".NAME") + "]?";
}

// Opening a pipe would wait for its other end. What does not exist is reported by the reader.
void require_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status) &&
      !std::filesystem::is_regular_file(status))
    throw PlatformError("it is not a regular file but a pipe, socket or device", 0);
}

// Collects what several files say.
class Gatherer {
 public:
  explicit Gatherer(Problems& problems) : problems_(problems) {}

  void read(const CampaignSource& source) {
    const std::string& file = source.name;
    if (source.text) return take(parse_ini(*source.text, file));
    std::error_code ignored;
    const auto path = std::filesystem::weakly_canonical(file, ignored).string();
    if (!files_.insert(path).second)
      return problems_.add({file}, "the same file is given twice", {}, "name each file once");
    try {
      require_file(file);
      take(parse_ini(read_file(file, largest_settings), file));
    } catch (const PlatformError& error) {
      problems_.add({file}, "cannot read " + shown_path(file), error.what(), "name a campaign file");
    }
  }

  void take(IniFile content) {
    for (const Problem& problem : content.problems) malformed.push_back(problem.where);
    problems_.add_all(std::move(content.problems));
    for (const IniSection& section : content.sections) add(section);
    for (IniEntry& entry : content.entries) add(std::move(entry));
  }

  std::vector<NamedSection> series;
  std::vector<NamedSection> variants;
  std::vector<Given> settings;
  std::vector<Where> malformed;

 private:
  void add(const IniSection& section) {
    if (is_fixed_section(section.name)) return;
    if (!is_known_section(section.name)) {
      return problems_.add(section.at, "unknown section [" + section.name + "]", {}, section_remedy(section.name));
    }
    const std::string kind(section_kind(section.name));
    const std::string name(name_in(section.name));
    auto& known = kind == "variant" ? variants : series;
    const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) { return other.name == name; });
    if (same == known.end()) return known.push_back({name, section.at, kind});
    if (same->at.file != section.at.file) {
      problems_.add(section.at, "section [" + section.name + "] appears twice", "first on " + place_of(same->at),
                    "rename one");
    }
  }

  void add(IniEntry entry) {
    const auto [first, is_new] = keys_.try_emplace({entry.section, entry.key}, entry.key_at);
    if (is_new) {
      settings.push_back({entry.section, entry.key, entry.key_at, {std::move(entry.value), entry.value_at}});
    } else {
      problems_.add(entry.key_at, "key '" + entry.key + "' is set twice in [" + entry.section + "]",
                    "first on " + place_of(first->second), "remove one, or run one campaign per command");
    }
  }

  Problems& problems_;
  std::set<std::string> files_;
  std::map<std::pair<std::string, std::string>, Where> keys_;
};

// Where the section of "series.NAME.key" or "precision.key" ends.
std::size_t section_end(std::string_view name) {
  const auto kind = section_kind(name);
  return kind.empty() ? name.find('.') : name.find('.', kind.size() + 1);
}

// The setting in "section.key=value"; a problem when it is not that.
void add_override(const std::string& text, std::vector<Given>& settings, Problems& problems) {
  const Where at{"--set " + shown(text)};
  const auto equals = text.find('=');
  const auto name = trimmed(std::string_view(text).substr(0, equals));
  const auto dot = section_end(name);
  if (equals == text.npos || dot == name.npos || trimmed(std::string_view(text).substr(equals + 1)).empty()) {
    return problems.add(at, "not of the form section.key=value", {}, "write for instance precision.eps=5%");
  }
  Given given{std::string(name.substr(0, dot)), std::string(name.substr(dot + 1)), at, {}};
  given.setting = {std::string(trimmed(std::string_view(text).substr(equals + 1))), at};
  for (const Given& other : settings)
    if (other.section == given.section && other.key == given.key)
      return problems.add(at, "this key is set twice", "also by " + other.key_at.file, "give it once");
  settings.push_back(std::move(given));
}

// What an option of its own sets, unless --set does too.
void add_option(const Given& option, std::vector<Given>& settings, Problems& problems) {
  for (const Given& other : settings)
    if (other.section == option.section && other.key == option.key)
      return problems.add(option.key_at, "this key is set twice", "also by " + other.key_at.file, "give it once");
  settings.push_back(option);
}

std::vector<std::string> names_of(const std::vector<NamedSection>& series) {
  std::vector<std::string> names;
  for (const NamedSection& header : series) names.push_back(header.name);
  return names;
}

void check_override_sections(const std::vector<Given>& settings, const Gatherer& gathered, Problems& problems) {
  for (const Given& given : settings) {
    if (is_fixed_section(given.section)) continue;
    const std::string kind(section_kind(given.section));
    const std::string name(name_in(given.section));
    const auto names = names_of(kind == "variant" ? gathered.variants : gathered.series);
    if (!is_known_section(given.section)) {
      problems.add(given.key_at, "unknown section " + shown(given.section), {}, section_remedy(given.section));
    } else if (std::find(names.begin(), names.end(), name) == names.end()) {
      problems.add(given.key_at, "no " + kind + " is named " + shown(name), {}, suggestion(name, names));
    }
  }
}

// "key=value" stands for every series that sets the key; one that is named as well keeps what is said of it.
std::vector<Given> in_every_series(const std::string& text, const std::vector<Given>& named, const Gatherer& gathered,
                                   Problems& problems) {
  const auto equals = text.find('=');
  const std::string key(trimmed(std::string_view(text).substr(0, equals)));
  std::vector<Given> found;
  bool is_set = false;
  for (const Given& given : gathered.settings) {
    if (section_kind(given.section) != "series" || given.key != key) continue;
    is_set = true;
    const bool is_named = std::ranges::any_of(
        named, [&](const Given& other) { return other.section == given.section && other.key == key; });
    if (!is_named) add_override(given.section + "." + text, found, problems);
  }
  if (!is_set)
    problems.add({"--set " + shown(text)}, "no series sets " + shown(key),
                 "without a section it is meant for those that do",
                 "write section.key=value, for instance precision.eps=5%");
  return found;
}

bool has_section(const std::string& text) {
  const auto equals = text.find('=');
  return equals == text.npos || text.substr(0, equals).find('.') != text.npos;
}

std::vector<Given> overrides_of(const std::vector<std::string>& set, const Gatherer& gathered, Problems& problems) {
  std::vector<Given> overrides;
  for (const std::string& text : set)
    if (has_section(text)) add_override(text, overrides, problems);
  for (const std::string& text : set)
    if (!has_section(text))
      for (Given& given : in_every_series(text, overrides, gathered, problems)) overrides.push_back(std::move(given));
  check_override_sections(overrides, gathered, problems);
  return overrides;
}

// Cuts the series to those selected.
void select(const std::vector<std::string>& selected, std::vector<NamedSection>& series, Problems& problems) {
  const auto names = names_of(series);
  for (const std::string& name : selected)
    if (std::find(names.begin(), names.end(), name) == names.end())
      problems.add({"--series"}, "no series is named " + shown(name), {}, suggestion(name, names));
  if (selected.empty()) return;
  std::erase_if(series, [&](const NamedSection& header) {
    return std::find(selected.begin(), selected.end(), header.name) == selected.end();
  });
}

}  // namespace

const Setting* GivenSettings::find(const std::string& section, const std::string& key) const {
  for (const auto& source : sources)
    for (const Given& given : source)
      if (given.section == section && given.key == key) return &given.setting;
  return nullptr;
}

std::vector<std::string> GivenSettings::keys(const std::string& section, const std::string& prefix) const {
  std::vector<std::string> found;
  for (const auto& source : sources)
    for (const Given& given : source)
      if (given.section == section && given.key.starts_with(prefix) &&
          std::find(found.begin(), found.end(), given.key) == found.end())
        found.push_back(given.key);
  return found;
}

GivenSettings gather(const std::vector<CampaignSource>& sources, const std::vector<std::string>& set,
                     const std::vector<std::string>& selected, Problems& problems, const std::vector<Given>& options) {
  Gatherer gatherer(problems);
  for (const CampaignSource& source : sources) gatherer.read(source);
  auto overrides = overrides_of(set, gatherer, problems);
  for (const Given& option : options) add_option(option, overrides, problems);
  // What could not be read may well have series.
  if (gatherer.series.empty() && problems.list().empty()) {
    problems.add({sources.empty() ? "" : sources.front().name}, "nothing to measure",
                 "there is no section [series.NAME]", "add one with a measurement; 'assay list' names them");
  }
  select(selected, gatherer.series, problems);
  return {std::move(gatherer.series),
          std::move(gatherer.variants),
          {std::move(overrides), environment_settings(), std::move(gatherer.settings)},
          std::move(gatherer.malformed)};
}

GivenSettings gather_resolved(const std::string& text, const std::string& name, const std::vector<std::string>& set,
                              Problems& problems) {
  Gatherer gatherer(problems);
  gatherer.take(parse_ini(text, name));
  auto overrides = overrides_of(set, gatherer, problems);
  return {std::move(gatherer.series),
          std::move(gatherer.variants),
          {std::move(overrides), std::move(gatherer.settings)},
          {}};
}

}  // namespace assay
