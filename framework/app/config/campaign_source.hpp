// SPDX-License-Identifier: Apache-2.0
// What can be named where a campaign is asked for.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// A campaign's text and the name of it in messages. Without a text it is a file of that name.
struct CampaignSource {
  // A path is a source: callers have lists of them.
  CampaignSource(std::string file) : name(std::move(file)) {}  // NOLINT(google-explicit-constructor)
  CampaignSource(std::string title, std::string content) : name(std::move(title)), text(std::move(content)) {}
  std::string name;
  std::optional<std::string> text{};
  /// What the campaign is called unless it says so itself: the file's name without folders and extension.
  std::string title() const;
};

/// Where campaigns are looked for that are not files.
struct CampaignPlaces {
  std::vector<std::string> folders;       ///< of the campaigns that come with the program, the first one that has it
  std::vector<std::string> measurements;  ///< names known without plugins
  std::istream* input = nullptr;          ///< what "-" is
};

/// The sources that operands name: a file; a word that is none, a campaign of that name in one of the folders; "-",
/// the standard input; or a measurement with the settings behind it, `sync/lock lock=mutex,spinlock`, which is a
/// campaign of one series. Throws ConfigError for a name that is nothing of these.
std::vector<CampaignSource> campaign_sources(const std::vector<std::string>& operands, const CampaignPlaces& places);

/// The folders of installed campaigns and of those in the source tree that the program was built in.
std::vector<std::string> campaign_folders();

/// A campaign that comes with the program.
struct KnownCampaign {
  std::string name;
  std::string path;
};
/// Those of all folders, each name once, sorted.
std::vector<KnownCampaign> known_campaigns(const std::vector<std::string>& folders);

}  // namespace assay
