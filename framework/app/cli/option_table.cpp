// SPDX-License-Identifier: Apache-2.0
// The single table of options of a campaign file.
#include <algorithm>
#include <iterator>

#include "app/cli/options.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

namespace {

constexpr std::int64_t most_rounds = 1'000'000;

std::vector<OptionInfo> campaign_options() {
  const std::string section = "campaign";
  return {
      {section, "title", text_value(), "", "what the campaign is called; default: the name of the first file"},
      {section, "seed", seed_value(), "",
       "seed of every random order; default: made from the title, so that it repeats"},
      {section, "output", text_value(), "", "directory to create for the results; default: assay-TITLE-DATE-TIME here"},
      {section, "time-limit", duration_value(), "", "stop in good order after this long; default: none"},
      {section, "reserve", duration_value(), "1min", "kept free before the end of a batch job, to end in good order"},
      {section, "max-failures", count_value(), "5",
       "failures in a row after which a measurement is given up; 0: never"},
      {section, "max-failed", share_value(Ends::both), "20%",
       "failed points, of 20 or more, above which the campaign ends; 100%: never"},
      {section, "sessions", count_value(1), "1",
       "number of sessions, each of which measures every point; from 3 on: long-term"},
      {section, "every", duration_value(), "0s", "from the start of a session to the start of the next"},
      {section, "schedule", word_value({"interleaved", "consecutive"}), "interleaved",
       "interleaved: points in rounds; consecutive: one after the other"},
      {section, "layout", raw_value("word"), "plain",
       "how the results are read as tables: a name of 'assay list layouts', or a layout file"},
      {section, "clock", word_value({"monotonic", "counter"}), "monotonic",
       "monotonic, or counter: the cycle counter where it is reliable"},
      {section, "max-workers", count_value(1), "256", "maximum number of worker processes parked at a time"},
      {section, "worker-memory", count_value(0, any_count), "",
       "bytes of address space each worker may have, as 2Gi; default: no limit"},
      {section, "keep-cores", word_value({"no", "yes"}), "no", "no, or yes: workers that crash may leave core files"},
      {section, "launcher", text_value(), "",
       "starts ranks, {n} of them, as 'srun --mpi=pmix -n {n}'; default: 'mpirun -np {n}', where it is available"},
      {section, "relaunch", count_value(), "2", "launches that may be lost for a point before it fails"},
      {section, "launch-deadline", duration_value(), "1min", "time in which the ranks of a launch have to be ready"},
      {section, "plugins", text_value(), "",
       "shared objects with measurements: paths or installed names, separated by commas"},
      {section, "plugin-deadline", duration_value(), "5s", "time in which a plugin has to be loaded"},
      {section, "durability", raw_value("word"), "point",
       "when results are forced to the disk: point (before they are reported), 'interval 5s', or none"},
  };
}

std::vector<OptionInfo> precision_options() {
  const std::string section = "precision";
  return {
      {section, "rule", raw_value("rule"), "median-ci",
       "when a sample suffices, as quantile-ci:0.25, fixed:100 or all(median-ci(eps=1%), time:1s)"},
      {section, "eps", share_value(eps_range), "", "relative accuracy wanted, 0.02 or 2%; default: the rule's own"},
      {section, "alpha", share_value(alpha_range), "0.05", "1 - confidence of the intervals"},
      {section, "floor", amount_value("remove the line for no floor"), "",
       "absolute accuracy that suffices regardless of eps, as 5ns; default: none"},
      {section, "min-visits", count_value(1), "", "visits before the first interim analysis; default: the rule's own"},
      {section, "min-timings", count_value(1), "",
       "timings before the first interim analysis; default: the rule's own"},
      {section, "max-timings", count_value(1), "", "timings after which a point is given up; default: the rule's own"},
      {section, "max-time", duration_above_zero(), "", "time after which a point is given up; default: the rule's own"},
      {section, "spare-time", word_value({"no", "yes"}), "no",
       "no, or yes: points that spent max-time continue while the campaign's time-limit leaves time"},
      {section, "reps", or_auto(count_value(1)), "auto",
       "repetitions in one batch; auto: as many as the clock requires, and several where members wait for each other"},
      {section, "batches", or_auto(count_value(1)), "auto",
       "timings kept per visit; auto: 8, then 4 to 32 by cost and variance of a visit"},
      {section, "incarnations", count_value(1), "5", "fresh processes over which a point's visits are distributed"},
      {section, "max-incarnations", count_value(1), "10",
       "upper limit, where processes differ; if not set, at least incarnations"},
      {section, "warm-up", duration_value(), "5ms",
       "execution of the action before a fresh process's first visit; 0: cold start"},
      {section, "span", duration_value(), "0s",
       "minimum time over which a point's visits are spread evenly, regardless of the rule"},
      {section, "min-span", duration_value(), "10s", "an interval whose visits span less is called short-term"},
      {section, "deadline", duration_above_zero(), "10s", "minimum time after which an unresponsive worker is killed"},
      {section, "max-points", count_value(3), "64",
       "maximum number of points of a refined line, on average over the lines of a series"},
      {section, "noisy", share_value(any_share), "0.05", "share of disturbed timings above which a result is marked"},
      {section, "too-noisy", share_value(any_share), "0.2",
       "share of disturbed timings above which no point converges: it spends its budget"},
      {section, "state", word_value({"alone", "shared", "any"}), "alone",
       "headline state of the cores: alone, shared (with other work), or any: as found"},
  };
}

std::vector<OptionInfo> variant_options() {
  const std::string section = "variant";
  return {
      {section, "setup", text_value(), "",
       "shell command that changes the system before a block of the variant's points"},
      {section, "teardown", text_value(), "", "shell command that changes it back after each block"},
      {section, "rounds", count_value(1, most_rounds), "2",
       "rounds in a block, that is visits of each point between setup and teardown"},
      {section, "deadline", duration_value(), "60s", "time after which setup or teardown is considered failed"},
      {section, "program", text_value(), "", "path of another build of assay, which runs the variant's workers"},
      {section, "build", text_value(), "",
       "build id or SHA-256 that this program has to have; 'assay run --against' sets it"},
      {section, "against", text_value(), "",
       "path of the program or the campaign that the variant stands for; 'assay run --against' sets it"},
      {section, "loader", text_value(), "", "dynamic loader of another C library, which starts the variant's workers"},
      {section, "libraries", text_value(), "", "folders in which that loader looks for libraries"},
      {section, "plugins", text_value(), "",
       "paths of shared objects for the variant's workers instead of the campaign's"},
  };
}

std::vector<OptionInfo> series_options() {
  const std::string section = "series";
  return {
      {section, "measurement", raw_value("word"), "", "what is timed; 'assay list' names them"},
      {section, "vehicle", raw_value("domain"), "", "who executes: thread, process; default: the measurement's first"},
      {section, "members", raw_value("domain"), "",
       "how many members take part: numbers, or cores, numa or package for as many as the machine, or each such "
       "part of it, has cores; default: the least the measurement has"},
      {section, "placement", raw_value("domain"), "representative",
       "relations ('assay list placements'), lists of CPUs by rank such as 0+1, representative, classes, close, "
       "spread, each-numa, each-package "
       "or all"},
      {section, "representatives", count_value(1), "1", "placements of each class, to test that they are equal"},
      {section, "max-placements", count_value(1), "4096", "maximum number of placements that one word may stand for"},
      {section, "policy", raw_value("domain"), "",
       "scheduling policy of the members: inherited, other, batch, idle, fifo, rr"},
      {section, "variant", raw_value("domain"), "",
       "plain and names of [variant.NAME] sections, to be compared with each other"},
      {section, "start", raw_value("domain"), "",
       "of ranks: barrier, dissemination, window; default: the measurement's own"},
      {section, "bystander", raw_value("domain"), "",
       "none, present: a further, sleeping thread beside a single member"},
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
