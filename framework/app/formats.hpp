// SPDX-License-Identifier: Apache-2.0
// The formats that results can be exported to.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// One format with its writer.
struct ExportFormat {
  std::string name;
  std::string summary;
  void (*write)(std::ostream& out, const std::vector<Record>& records);
};

/// All of them.
const std::vector<ExportFormat>& export_formats();

}  // namespace assay
