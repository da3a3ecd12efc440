// SPDX-License-Identifier: Apache-2.0
// Operands as files, names, measurements and standard input.
#include "app/config/campaign_source.hpp"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <iterator>
#include <map>

#include "base/error.hpp"
#include "platform/process/program.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* extension = ".ini";
constexpr const char* standard_input_name = "standard input";
constexpr std::size_t largest_input = 1024 * 1024;

// A folder has campaigns only inside it, so that it does not hide one of its name.
bool is_there(const std::string& name) {
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

bool is_bare_name(const std::string& operand) { return operand.find_first_of("/.=") == operand.npos; }

std::string all_of(std::istream& in) {
  std::string text;
  char letter = 0;
  while (text.size() <= largest_input && in.get(letter)) text += letter;
  if (text.size() > largest_input)
    throw ConfigError(
        Problem{{standard_input_name}, "more than 1 MiB", "a campaign is less", "check what writes to it"});
  return text;
}

// A line break in a setting would begin another one.
void require_setting(const std::string& operand, const std::string& measurement) {
  const bool is_setting = operand.find('=') != operand.npos && operand.find('=') > 0;
  if (is_setting && operand.find_first_of("\n\r") == operand.npos) return;
  throw ConfigError(Problem{{"command line"},
                            "not a setting of " + measurement + ": " + shown(operand),
                            {},
                            "write KEY=VALUE, or KEY=VALUE,VALUE for several levels"});
}

// "sync/lock lock=mutex,spinlock" as a campaign of one series.
CampaignSource series_of_operands(const std::vector<std::string>& operands) {
  const std::string& measurement = operands.front();
  std::string name = measurement.substr(measurement.rfind('/') + 1);
  std::ranges::replace(name, '_', '-');
  std::string text = "[campaign]\ntitle = " + name + "\n[series." + name + "]\nmeasurement = " + measurement + "\n";
  for (std::size_t i = 1; i < operands.size(); ++i) {
    require_setting(operands[i], measurement);
    const auto equals = operands[i].find('=');
    text += operands[i].substr(0, equals) + " = " + operands[i].substr(equals + 1) + "\n";
  }
  return {"command line", text};
}

// Also one that only a plugin knows, where settings follow it.
bool names_measurement(const std::vector<std::string>& operands, const CampaignPlaces& places) {
  const std::string& first = operands.front();
  if (is_there(first)) return false;
  if (std::ranges::find(places.measurements, first) != places.measurements.end()) return true;
  return first.find('/') != first.npos && !first.ends_with(extension) && operands.size() > 1 &&
         operands[1].find('=') != std::string::npos;
}

CampaignSource source_of(const std::string& operand, const CampaignPlaces& places) {
  if (operand == "-" && places.input != nullptr) return {standard_input_name, all_of(*places.input)};
  if (is_there(operand) || !is_bare_name(operand)) return operand;
  std::vector<std::string> names;
  for (const KnownCampaign& known : known_campaigns(places.folders)) {
    if (known.name == operand) return known.path;
    names.push_back(known.name);
  }
  throw ConfigError(Problem{{operand},
                            "neither a file nor a campaign that comes with the program",
                            {},
                            names.empty() ? "name a campaign file" : suggestion(operand, names)});
}

}  // namespace

std::string CampaignSource::title() const {
  return text ? std::string("stdin") : std::filesystem::path(name).stem().string();
}

std::vector<CampaignSource> campaign_sources(const std::vector<std::string>& operands, const CampaignPlaces& places) {
  if (operands.empty()) return {};
  if (names_measurement(operands, places)) return {series_of_operands(operands)};
  std::vector<CampaignSource> sources;
  for (const std::string& operand : operands) sources.push_back(source_of(operand, places));
  return sources;
}

std::vector<std::string> campaign_folders() {
  const std::string here = own_folder();
  // Installed as bin/assay; built as build/PRESET/assay.
  return {here + "../share/assay/configs", here + "../../configs"};
}

std::vector<KnownCampaign> known_campaigns(const std::vector<std::string>& folders) {
  std::map<std::string, std::string> paths;
  for (const std::string& folder : folders) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.path().extension() == extension && is_there(entry.path().string()))
        paths.try_emplace(entry.path().stem().string(), entry.path().lexically_normal().string());
  }
  std::vector<KnownCampaign> known;
  for (const auto& [name, path] : paths) known.push_back({name, path});
  return known;
}

}  // namespace assay
