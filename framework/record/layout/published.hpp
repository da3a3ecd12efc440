// SPDX-License-Identifier: Apache-2.0
// What others published: facts with their source, as a layout sets them beside what was measured here.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// A text and what it stands for, in the order of the file.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// A system that numbers were published of.
struct PublishedSystem {
  std::string name;
  std::string group;      ///< which of the document's experiments it belongs to; empty where there is one
  NamedTexts attributes;  ///< library, page size and the like, as texts
};

/// A published number. In base units: ns, B, 1/s, B/s.
struct PublishedNumber {
  std::string value;    ///< the layout's name for it: of a value, or TABLE.ITEM of what the document computed
  std::string system;   ///< name of it
  NamedTexts at;        ///< levels of factors
  std::string printed;  ///< the digits of the document, in the unit that the layout shows it in
  double number = 0;    ///< what they say in base units
  std::optional<double> recomputed{};  ///< what the document's own raw data give, where that is another number
  std::string why{};                   ///< the difference explained
};

/// Raw lines of a published experiment: per line a text for each column.
struct PublishedLines {
  std::string value;
  std::string system;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> lines;
};

/// All that was published of one experiment.
struct Reference {
  std::string source;  ///< who, what, where and when, in a line
  std::vector<PublishedSystem> systems;
  std::vector<PublishedNumber> numbers;
  std::vector<PublishedLines> lines;
};

/// Reads a reference file (schema in doc/layouts.md). Throws JsonError, with what is wrong and where in the file's
/// structure, for anything that the schema does not have, unknown members and unknown systems included.
Reference parse_reference(std::string_view text);

}  // namespace assay
