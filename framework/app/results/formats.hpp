// SPDX-License-Identifier: Apache-2.0
// The formats that results can be exported to.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "record/export/exports.hpp"

namespace assay {

/// One format with its writer, or with the program that writes it.
struct ExportFormat {
  std::string name;
  std::string summary;
  Remarks (*write)(std::ostream& out, const ExportSource& source,
                   const ExportOptions& options);  ///< null: `program`, or a folder
  std::string option{};                            ///< the one of `assay export` that is about it; empty: none
  bool reads_observations = false;                 ///< it needs the batches of all visits
  std::string program{};         ///< of the report package, on the path: PROGRAM --output=FILE [--OPTION=VALUE] -- DIR
  bool has_cycles = false;       ///< it can hold core cycles beside times
  bool reads_cores = false;      ///< it needs the readings of all visits, and has every state: --state chooses none
  bool makes_folder = false;     ///< it is a folder, which holds all of the campaign: record/crate/crate.hpp writes it
  bool feeds_simulator = false;  ///< it holds parameters of a channel or point, which --filter chooses
};

/// All of them.
const std::vector<ExportFormat>& export_formats();

}  // namespace assay
