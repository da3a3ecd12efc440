// SPDX-License-Identifier: Apache-2.0
// Room: a campaign as a research object: an RO-Crate with the artifact description that papers need.
// A campaign in a folder that archives, repositories and reviewers can read without Assay, written, and read back to be
// run again.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "record/export/exports.hpp"
#include "record/record.hpp"

namespace assay {

/// Names of a crate's files, beside the journal and its samples.
inline constexpr const char* crate_metadata_name = "ro-crate-metadata.json";
inline constexpr const char* crate_campaign_name = "campaign.ini";
inline constexpr const char* crate_results_name = "results.csv";
inline constexpr const char* crate_facts_name = "machine.json";
inline constexpr const char* crate_description_name = "artifact-description.md";

/// Profiles that a crate conforms to (Soiland-Reyes et al., Data Science 5, 2022; Leo et al., PLoS ONE 19, 2024).
inline constexpr const char* crate_specification = "https://w3id.org/ro/crate/1.1";
inline constexpr const char* crate_profile = "https://w3id.org/ro/wfrun/process/0.5";

/// Who made a campaign.
struct CrateAuthor {
  std::string name;
  std::string id;  ///< an address that stands for the person, such as that of an ORCID record; empty: none
};
/// "Jane Doe" or "Jane Doe <https://orcid.org/0000-0002-1825-0097>". Throws ConfigError, at `where`.
CrateAuthor parse_author(const std::string& text, const Where& where);

/// What only the authors know.
struct CrateOptions {
  std::string license;  ///< identifier of SPDX or an address; empty: not stated
  std::vector<CrateAuthor> authors;
};
/// Throws ConfigError, at `where`, for a text that is neither an identifier nor an address.
std::string parse_license(const std::string& text, const Where& where);

/// What a campaign was asked for last, as a campaign file; and the name that it is known by.
std::string campaign_configuration(const std::vector<Record>& records);
std::string campaign_title(const std::vector<Record>& records);

/// A file that a crate has beside the journal.
struct CrateFile {
  std::string name;
  std::string content;
};

/// Those that are made from a campaign's records: the campaign file, the results as CSV, the facts of the machine in
/// each session, and the artifact description. The same records give the same bytes.
std::vector<CrateFile> crate_files(const std::vector<Record>& records, const CrateOptions& options, Remarks& remarks);

/// Size and place of the journal in a crate.
struct CrateJournal {
  std::int64_t bytes = 0;
  bool has_samples = false;  ///< a folder with the batches of long visits lies beside it
};

/// JSON-LD about a crate: the campaign as a data set with its files, an action for each session with the program, the
/// times, the facts of its machine as property values, and the authors as agents.
std::string crate_metadata(const std::vector<Record>& records, const CrateOptions& options,
                           const std::vector<CrateFile>& files, const CrateJournal& journal);

/// The appendix that conferences ask for (artifact description and evaluation): what was run, on what, with what, how
/// to run it again, what to expect, and what the marks mean. What only the authors know is in brackets.
std::string artifact_description(const std::vector<Record>& records, const CrateOptions& options);

/// Writes a crate into a new folder, whole or not at all. `campaign` is the directory or journal file that the records
/// are of. Throws ResultError where the folder exists, StorageError where it cannot be written.
Remarks write_crate(const std::string& folder, const std::string& campaign, const std::vector<Record>& records,
                    const CrateOptions& options);

/// What a crate says of the campaign in it.
struct ReadCrate {
  std::string folder;
  std::string title;
  std::string configuration;  ///< the campaign file's text
  std::string version;        ///< of Assay, that measured it last
};

/// Reads the crate in a folder, and checks that its files are those that it was written with: sizes and digests as its
/// metadata have them. The records of the journal have checksums of their own. Throws ConfigError, positioned at
/// `command`, where there is no crate; ResultError, naming file and entity, for one of another program and for one
/// that is damaged.
ReadCrate read_crate(const std::string& command, const std::string& folder);

}  // namespace assay
