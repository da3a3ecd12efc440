// SPDX-License-Identifier: Apache-2.0
// A crate read back, to be run again.
#pragma once
#include <string>

namespace assay {

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
