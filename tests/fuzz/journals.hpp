// SPDX-License-Identifier: Apache-2.0
// Files for targets that read files, and lines of journals with right checksums around any content.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"

namespace assay::fuzz {

/// A line of a journal: number and checksum about the members of a record, `{...}`.
inline std::string framed(std::string_view record, std::size_t number) {
  std::string line = R"({"v":)" + std::to_string(journal_version) + R"(,"seq":)" + std::to_string(number) + ",";
  line.append(record, 1, record.size() - 2);
  return line + R"(,"crc":")" + crc_text(crc32c(line)) + "\"}\n";
}

/// Writes a file of the folder, and gives its path.
inline std::string write(const test::Scratch& folder, const std::string& name, std::string_view content) {
  const std::filesystem::path path = folder.path() / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  return path.string();
}

}  // namespace assay::fuzz
