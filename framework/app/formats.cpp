// SPDX-License-Identifier: Apache-2.0
// Names for the writers of the record layer.
#include "app/formats.hpp"

#include "record/csv.hpp"

namespace assay {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {
      {"csv", "comma-separated values, a row per point, quantity and regime (RFC 4180)", &write_csv}};
  return formats;
}

}  // namespace assay
