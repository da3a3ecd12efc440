// SPDX-License-Identifier: Apache-2.0
// Names for the writers of the record layer.
#include "app/formats.hpp"

#include "record/csv.hpp"

namespace assay {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {
      {"csv", "comma-separated values, a row per point, quantity and regime and per derived value (RFC 4180)",
       [](std::ostream& out, const std::vector<Record>& records) { write_csv(out, records); }}};
  return formats;
}

}  // namespace assay
