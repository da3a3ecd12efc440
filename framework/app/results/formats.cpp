// SPDX-License-Identifier: Apache-2.0
// Names for the writers of the record layer.
#include "app/results/formats.hpp"

#include <algorithm>
#include <iterator>

#include "record/export/exports.hpp"
#include "record/simulator/simulators.hpp"

namespace assay {

namespace {

Remarks write_long_csv(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  write_csv(out, source.records, options.style, options.cycles);
  return {};
}

std::vector<ExportFormat> formats_of_results() {
  return {
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
      {"cluster-json", "the report on a cluster as one object: verdicts with causes (doc/cluster.schema.json)",
       write_cluster_json},
      {"openmetrics", "OpenMetrics text, for what scrapes it: gauges with labels, verdicts on nodes",
       write_openmetrics},
      {"prometheus", "the same as a file for the textfile collector of Prometheus' node exporter: name it *.prom",
       write_prometheus},
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
      {"ro-crate",
       "a new folder (RO-Crate 1.1, Process Run Crate) with journal, campaign file, results and artifact description",
       nullptr,
       {},
       false,
       {},
       false,
       false,
       true},
      {"parquet", "Apache Parquet for data frames and databases, one of three tables (--table); by the report package",
       nullptr, "table", false, "assay-parquet"}};
}

// What has parameters of one channel or point.
ExportFormat for_simulators(const char* name, const char* summary, decltype(ExportFormat::write) write) {
  ExportFormat format{name, summary, write};
  format.feeds_simulator = true;
  return format;
}

std::vector<ExportFormat> formats_for_simulators() {
  std::vector<ExportFormat> formats = {
      for_simulators("simgrid", "a platform of SimGrid with the parameters of MPI messages by size: XML, version 4.1",
                     simulator::write_simgrid),
      for_simulators("loggopsim", "options of LogGOPSim, a line per channel: -L -o -g -G -O -S",
                     simulator::write_loggopsim),
      for_simulators("netgauge", "LogGP parameters by size, as Netgauge's table has them", simulator::write_netgauge),
      for_simulators("noise", "a trace of noise for simulators: start and duration of each detour, in ns",
                     simulator::write_noise)};
  formats.front().option = "ranks";
  formats.back().reads_observations = true;
  return formats;
}

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    auto all = formats_of_results();
    std::ranges::move(formats_for_simulators(), std::back_inserter(all));
    return all;
  }();
  return formats;
}

}  // namespace assay
