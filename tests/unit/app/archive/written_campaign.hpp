// SPDX-License-Identifier: Apache-2.0
// Journals of small campaigns with chosen results.
#pragma once
#include <string>
#include <vector>

#include "record/journal/journal.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/programs/program.hpp"
#include "support/records/result_journal.hpp"

namespace assay::test {

/// What distinguishes a campaign from others.
struct Written {
  std::string started = "2026-01-01T00:00:00Z";
  std::string node = "n1";
  std::string version = "0.1.0";
  std::string kernel = "6.1";
  std::string title = "nightly";
  bool ended = true;
};

/// A point of series `lock`: a median with an interval of half a per cent to either side, and marks if wanted.
inline PointRecord lock_point(double median, const std::string& type = "normal", bool noisy = false) {
  Result result = plain_result(median, 0.005);
  result.noisy = noisy;
  PointRecord point = finished_point("lock", point_of({{"type", type}}), result);
  point.measurement = "sync/lock";
  point.id = "0123";
  return point;
}

/// The same, found while the cores were in a state.
inline PointRecord lock_point_in(const CoreState& state, double median) {
  PointRecord point = lock_point(median);
  point.results.front().state = state;
  return point;
}

/// What was found beside it in another state, for which the campaign did not answer.
inline Result beside(const CoreState& state, double median) {
  Result result = plain_result(median, 0.005);
  result.state = state;
  result.state_share = 0.3;
  result.verdict.outcome = Outcome::open;
  result.verdict.reason = std::string(other_state) + ": 30 % of the clean batches";
  return result;
}

/// Writes them as a campaign of their own.
inline void write_campaign(const std::string& directory, const Written& about, const std::vector<PointRecord>& points) {
  const FakeClock clock;
  Journal journal(directory, clock, {{Durability::Mode::none, {}}, false});
  journal.write(CampaignRecord{about.title, "[campaign]\ntitle = x\n", 1, "interleaved", "c0ffee"});
  journal.write(SessionRecord{1,
                              about.started,
                              "assay run",
                              {{"host.name", about.node},
                               {"cpu.model", "a cpu"},
                               {"assay.version", about.version},
                               {"kernel.release", about.kernel}}});
  journal.write(SeriesRecord{points.front().series, points.front().measurement, {Quantity{}}, "median-ci"});
  for (const PointRecord& point : points) journal.write(point);
  if (about.ended) journal.write(EndRecord{1, "complete", static_cast<int>(points.size()), 0, seconds(1)});
}

/// The date of day `day` of a month.
inline std::string day(int day) {
  return "2026-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + "T00:00:00Z";
}

/// Writes and adds campaigns of one point, a day apart, from the first on; returns their directories.
inline std::vector<std::string> add_days(const Scratch& folder, const std::vector<double>& medians,
                                         Written about = {}) {
  std::vector<std::string> arguments{"history", "add", "--file", folder / "h.sqlite"};
  std::vector<std::string> directories;
  for (std::size_t i = 0; i < medians.size(); ++i) {
    about.started = day(static_cast<int>(i) + 1);
    directories.push_back(folder / (about.node + std::to_string(i)));
    write_campaign(directories.back(), about, {lock_point(medians[i])});
    arguments.push_back(directories.back());
  }
  const Finished done = run_assay(arguments);
  if (done.exit_code != 0) throw std::runtime_error(done.err);
  return directories;
}

/// `assay history ACTION...` on the history of a folder.
inline Finished history(const Scratch& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "history");
  arguments.insert(arguments.end(), {"--file", folder / "h.sqlite"});
  return run_assay(arguments);
}

}  // namespace assay::test
