// SPDX-License-Identifier: Apache-2.0
// Names for the writers of the record layer.
#include "app/results/formats.hpp"

#include "record/export/csv.hpp"

namespace assay {

namespace {

Remarks write_long_csv(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  write_csv(out, source.records, options.style, options.cycles);
  return {};
}

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = {
      {"csv",
       "comma-separated values (RFC 4180): a row per point and regime, a set of columns per quantity",
       write_wide_csv,
       "csv-raw",
       false,
       {},
       true},
      {"csv-long",
       "the same with a row per point, quantity and regime and per derived value, with all fields",
       write_long_csv,
       "csv-raw",
       false,
       {},
       true},
      {"json",
       "one object: campaign, provenance, results, derived values (doc/results.schema.json)",
       write_results_json,
       {},
       false,
       {},
       true},
      {"google-benchmark", "Google Benchmark's JSON, for its compare.py and other readers", write_google_benchmark,
       "observations", true},
      {"github-action-benchmark", "rows of its customSmallerIsBetter or customBiggerIsBetter (--direction)",
       write_github_action, "direction"},
      {"bencher", "Bencher's metric format: medians with their intervals by name", write_bencher},
      {"openmetrics", "OpenMetrics text, for Prometheus and what reads its files: gauges with labels",
       write_openmetrics},
      {"otava", "CSV for Apache Otava, which finds changes: a header and a row with a column per result", write_otava},
      {"markdown", "a table per series for pull requests and documents", write_markdown},
      {"skampi", "columns as SKaMPI 5 writes them", write_skampi},
      {"gnuplot", "a script that contains its data: 'gnuplot FILE > PICTURE.svg' draws every series", write_gnuplot},
      {"junit", "JUnit XML: a test case per point, which fails when it did not converge", write_junit},
      {"states",
       "JSON lines with what was judged of the cores: the state of every batch, and what its members' CPUs were like",
       write_states,
       {},
       false,
       {},
       false,
       true},
      {"parquet", "Apache Parquet for data frames and databases, one of three tables (--table); by the report package",
       nullptr, "table", false, "assay-parquet"}};
  return formats;
}

}  // namespace assay
