// SPDX-License-Identifier: Apache-2.0
// The single table of options of a campaign file.
#include <algorithm>
#include <iterator>

#include "app/cli/options.hpp"

namespace assay {

namespace {

std::vector<OptionInfo> campaign_options() {
  const std::string section = "campaign";
  return {
      {section, "title", "text", "", "what the campaign is called; default: the name of the first file"},
      {section, "seed", "count", "", "seed of every random order; default: made from the title, so that it repeats"},
      {section, "output", "text", "", "directory to create for the results; default: assay-TITLE-DATE-TIME here"},
      {section, "time-limit", "duration", "", "stop in good order after this long; default: none"},
      {section, "reserve", "duration", "1min", "kept free before the end of a batch job, to end in good order"},
      {section, "max-failures", "count", "5", "failures in a row after which a measurement is given up; 0: never"},
      {section, "max-failed", "share", "20%",
       "failed points, of 20 or more, above which the campaign ends; 100%: never"},
      {section, "sessions", "count", "1",
       "number of sessions, each of which measures every point; from 3 on: long-term"},
      {section, "every", "duration", "0s", "from the start of a session to the start of the next"},
      {section, "schedule", "word", "interleaved", "interleaved: points in rounds; consecutive: one after the other"},
      {section, "layout", "word", "plain",
       "how the results are read as tables: a name of 'assay list layouts', or a layout file"},
      {section, "clock", "word", "monotonic", "monotonic, or counter: the cycle counter where it is reliable"},
      {section, "max-workers", "count", "256", "maximum number of worker processes parked at a time"},
      {section, "worker-memory", "count", "", "bytes of address space each worker may have, as 2Gi; default: no limit"},
      {section, "keep-cores", "word", "no", "no, or yes: workers that crash may leave core files"},
      {section, "launcher", "text", "",
       "starts ranks, {n} of them, as 'srun --mpi=pmix -n {n}'; default: 'mpirun -np {n}', where it is available"},
      {section, "relaunch", "count", "2", "launches that may be lost for a point before it fails"},
      {section, "launch-deadline", "duration", "1min", "time in which the ranks of a launch have to be ready"},
      {section, "plugins", "text", "",
       "shared objects with measurements: paths or installed names, separated by commas"},
      {section, "plugin-deadline", "duration", "5s", "time in which a plugin has to be loaded"},
      {section, "durability", "word", "point",
       "when results are forced to the disk: point (before they are reported), 'interval 5s', or none"},
  };
}

std::vector<OptionInfo> precision_options() {
  const std::string section = "precision";
  return {
      {section, "rule", "rule", "median-ci",
       "when a sample suffices, as quantile-ci:0.25, fixed:100 or all(median-ci(eps=1%), time:1s)"},
      {section, "eps", "share", "", "relative accuracy wanted, 0.02 or 2%; default: the rule's own"},
      {section, "alpha", "share", "0.05", "1 - confidence of the intervals"},
      {section, "floor", "number", "", "absolute accuracy that suffices regardless of eps, as 5ns; default: none"},
      {section, "min-visits", "count", "", "visits before the first interim analysis; default: the rule's own"},
      {section, "min-timings", "count", "", "timings before the first interim analysis; default: the rule's own"},
      {section, "max-timings", "count", "", "timings after which a point is given up; default: the rule's own"},
      {section, "max-time", "duration", "", "time after which a point is given up; default: the rule's own"},
      {section, "batches", "count", "auto",
       "timings kept per visit; auto: 8, then 4 to 32 by cost and variance of a visit"},
      {section, "incarnations", "count", "5", "fresh processes over which a point's visits are distributed"},
      {section, "max-incarnations", "count", "10",
       "upper limit, where processes differ; if not set, at least incarnations"},
      {section, "warm-up", "duration", "5ms",
       "execution of the action before a fresh process's first visit; 0: cold start"},
      {section, "span", "duration", "0s",
       "minimum time over which a point's visits are spread, regardless of the rule"},
      {section, "min-span", "duration", "10s", "an interval whose visits span less is called short-term"},
      {section, "deadline", "duration", "10s", "minimum time after which an unresponsive worker is killed"},
      {section, "max-points", "count", "64",
       "maximum number of points of a refined line, on average over the lines of a series"},
      {section, "noisy", "share", "0.05", "share of disturbed timings above which a result is marked"},
      {section, "too-noisy", "share", "0.2",
       "share of disturbed timings above which a point that spends its budget is too-noisy"},
      {section, "state", "word", "alone",
       "headline state of the cores: alone, shared (with other work), or any: as found"},
  };
}

std::vector<OptionInfo> variant_options() {
  const std::string section = "variant";
  return {
      {section, "setup", "text", "", "shell command that changes the system before a block of the variant's points"},
      {section, "teardown", "text", "", "shell command that changes it back after each block"},
      {section, "rounds", "count", "2", "rounds in a block, that is visits of each point between setup and teardown"},
      {section, "deadline", "duration", "60s", "time after which setup or teardown is considered failed"},
      {section, "program", "text", "", "path of another build of assay, which runs the variant's workers"},
      {section, "loader", "text", "", "dynamic loader of another C library, which starts the variant's workers"},
      {section, "libraries", "text", "", "folders in which that loader looks for libraries"},
      {section, "plugins", "text", "", "paths of shared objects for the variant's workers instead of the campaign's"},
  };
}

std::vector<OptionInfo> series_options() {
  const std::string section = "series";
  return {
      {section, "measurement", "word", "", "what is timed; 'assay list' names them"},
      {section, "vehicle", "domain", "", "who executes: thread, process; default: the measurement's first"},
      {section, "members", "domain", "", "how many members take part; default: the least the measurement has"},
      {section, "placement", "domain", "representative",
       "relations ('assay list placements'), lists of CPUs by rank such as 0+1, representative, classes, close, spread "
       "or all"},
      {section, "representatives", "count", "1", "placements of each class, to test that they are equal"},
      {section, "max-placements", "count", "4096", "maximum number of placements that one word may stand for"},
      {section, "policy", "domain", "", "scheduling policy of the members: inherited, other, batch, idle, fifo, rr"},
      {section, "variant", "domain", "", "plain and names of [variant.NAME] sections, to be compared with each other"},
      {section, "start", "domain", "", "of ranks: barrier, dissemination, window; default: the measurement's own"},
      {section, "bystander", "domain", "", "none, present: a further, sleeping thread beside a single member"},
  };
}

std::vector<OptionInfo> all_of(std::vector<std::vector<OptionInfo>> parts) {
  std::vector<OptionInfo> all;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const auto table = all_of({campaign_options(), precision_options(), series_options(), variant_options()});
  return table;
}

std::vector<OptionInfo> options_of(std::string_view section) {
  std::vector<OptionInfo> found;
  std::copy_if(option_table().begin(), option_table().end(), std::back_inserter(found),
               [section](const OptionInfo& option) { return option.section == section; });
  return found;
}

}  // namespace assay
