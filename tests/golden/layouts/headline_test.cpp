// SPDX-License-Identifier: Apache-2.0
// What is computed or shown of points is of the state that was answered for: no row of another state slips in.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>

#include "golden/samples/cluster_samples.hpp"
#include "golden/samples/desupinski_samples.hpp"
#include "golden/samples/loggp_samples.hpp"
#include "golden/samples/logp_samples.hpp"
#include "golden/samples/picture_samples.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "record/compare/average.hpp"
#include "record/export/exports.hpp"
#include "record/journal/codec.hpp"
#include "record/table/pictures.hpp"
#include "run/point/open_point.hpp"
#include "run/series/symmetry.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/records/printed_layout.hpp"

namespace assay {
namespace {

using Records = std::vector<Record>;
using View = std::function<std::string(const Records&)>;

Result far_away(Result result) {
  Estimate& headline = result.headline;
  for (double* value : {&headline.value, &headline.interval.low, &headline.interval.high, &result.summary.mean,
                        &result.summary.median, &result.summary.min, &result.summary.max})
    *value *= 1000;
  for (IncarnationMedian& process : result.processes) process.value *= 1000;
  result.verdict.estimate = headline;
  return result;
}

// The same points, with other states beside their results: far slower ones, in every regime.
Records with_others(Records records) {
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record)) {
      const std::vector<Result> results = point->results;
      for (const Result& result : results)
        for (const Regime regime : {Regime::solo, Regime::spin, Regime::blocked}) {
          Result other = far_away(result);
          other.regime = regime;
          other.regime_share = 1;
          other.state.sharing = Sharing::shared;
          point->others.push_back(other);
        }
    }
  return records;
}

// What would be seen if they were taken for results.
Records with_other_results(Records records) {
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record))
      for (Result& result : point->results) result = far_away(result);
  return records;
}

void expect_headlines_only(const std::string& name, const Records& records, const View& view) {
  const std::string plain = view(records);
  EXPECT_FALSE(plain.empty()) << name;
  EXPECT_EQ(view(with_others(records)), plain) << name;
  EXPECT_NE(view(with_other_results(records)), plain) << name << " would not show a row that slips in";
}

std::string text_of(const std::vector<DerivedRecord>& derived) {
  std::string text;
  for (const DerivedRecord& one : derived) text += to_text(encode(one)) + "\n";
  return text;
}

template <class Print>
std::string streamed(Print print) {
  std::ostringstream out;
  print(out);
  return out.str();
}

TEST(Headline, LayoutsAndTheirExplanations) {
  for (const auto& [name, records] :
       {std::pair("logp", test::logp_records()), std::pair("loggp", test::loggp_records()),
        std::pair("desupinski-may", test::desupinski_records()), std::pair("cluster", test::cluster_records())})
    for (const Detail detail : {Detail::usual, Detail::explained})
      expect_headlines_only(name, records,
                            [&, layout = name](const Records& shown) { return test::printed(layout, shown, detail); });
}

TEST(Headline, DerivedValuesOfLayouts) {
  for (const auto& [name, records] :
       {std::pair("logp", test::logp_records()), std::pair("loggp", test::loggp_records())})
    expect_headlines_only(name, records, [layout = name](const Records& shown) {
      return text_of(find_layout(layout)->derive(group_by_series(shown), ""));
    });
}

PointRecord measured_at(const std::string& text, double value, const char* placement) {
  PointRecord point;
  point.series = "one";
  point.point = parse_point(text).value();
  point.point.set("placement", std::string(placement));
  point.outcome = Outcome::converged;
  Result result;
  result.quantity = "time";
  result.regime_share = 1;
  result.headline = {"median", value, {0.99 * value, 1.01 * value, 0.95}, "visits"};
  for (int i = 0; i < 5; ++i) result.processes.push_back({0, i, value * (1 + 0.001 * i), 40});
  point.results.push_back(result);
  return point;
}

Records of_a_series() {
  Records records;
  for (int bytes = 1; bytes <= 8; ++bytes)
    for (const char* mode : {"a", "b"})
      records.emplace_back(measured_at("bytes=" + std::to_string(bytes) + " mode=" + mode,
                                       (mode[0] == 'a' ? 100 : 130) + 10.0 * bytes, "cpus:0-1"));
  return records;
}

std::vector<PointRecord> points_in(const Records& records) {
  std::vector<PointRecord> points;
  for (const Record& record : records)
    if (const auto* point = std::get_if<PointRecord>(&record)) points.push_back(*point);
  return points;
}

TEST(Headline, DerivedValuesOfSeries) {
  using Kind = DerivedSpec::Kind;
  for (const DerivedSpec& spec : {DerivedSpec{"extra", Kind::difference, "mode", "b", "a", "difference mode b a"},
                                  DerivedSpec{"per byte", Kind::slope, "bytes", "", "", "slope bytes"},
                                  DerivedSpec{"levels", Kind::plateaus, "bytes", "", "", "plateaus bytes"}}) {
    SeriesPlan series = test::fake_series("one", {test::levels("bytes", 8), test::words("mode", {"a", "b"})});
    series.derived.push_back(spec);
    expect_headlines_only(spec.name, of_a_series(),
                          [&](const Records& shown) { return text_of(derive(series, points_in(shown))); });
  }
}

TEST(Headline, Curves) {
  expect_headlines_only("curves", test::picture_records(), [](const Records& shown) {
    return streamed([&](std::ostream& out) {
      for (const SeriesGroup& group : group_by_series(shown)) print_curves(out, group, {});
    });
  });
}

TEST(Headline, Averages) {
  expect_headlines_only("averages", test::logp_records(), [](const Records& shown) {
    const std::vector<ShownCampaign> campaigns{{"a", shown}, {"b", shown}};
    const Averages averages = average(campaigns);
    return streamed([&](std::ostream& out) { print_averages(out, averages, 2); }) +
           test::printed("plain", averages.records);
  });
}

TEST(Headline, VerdictsOnAClusterDoNotDependOnOtherStates) {
  const auto text = [](const Records& shown) {
    return streamed([&](std::ostream& out) { cluster::print_verdicts(out, cluster::verdicts_of(shown)); });
  };
  EXPECT_FALSE(text(test::cluster_records()).empty());
  EXPECT_EQ(text(with_others(test::cluster_records())), text(test::cluster_records()));
}

TEST(Headline, FormatsOfOtherPrograms) {
  const std::map<std::string, decltype(&write_bencher)> formats{
      {"bencher", &write_bencher},
      {"github-action", &write_github_action},
      {"skampi", &write_skampi},
  };
  for (const auto& [name, write] : formats)
    expect_headlines_only(name, of_a_series(), [&, write = write](const Records& shown) {
      return streamed([&](std::ostream& out) {
        ExportOptions options;
        options.direction = Better::smaller;
        write(out, {shown, {}}, options);
      });
    });
}

}  // namespace
}  // namespace assay
