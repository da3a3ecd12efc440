// SPDX-License-Identifier: Apache-2.0
// Layouts of fixed journals, byte for byte.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "golden/samples/cluster_samples.hpp"
#include "golden/samples/desupinski_samples.hpp"
#include "golden/samples/loggp_samples.hpp"
#include "golden/samples/logp_samples.hpp"
#include "platform/file/append_file.hpp"
#include "record/layout/formula.hpp"
#include "record/layout/layout_spec.hpp"
#include "record/table/layout.hpp"
#include "support/environment/golden.hpp"
#include "support/records/line_results.hpp"
#include "support/records/printed_layout.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

using test::printed;

TEST(LayoutGolden, Logp) {
  EXPECT_TRUE(test::matches_golden(printed("logp", test::logp_records()), "layouts/layout_logp.txt"));
}

TEST(LayoutGolden, LogpExplained) {
  EXPECT_TRUE(test::matches_golden(printed("logp", test::logp_records(), Detail::explained),
                                   "layouts/layout_logp_explained.txt"));
}

TEST(LayoutGolden, Loggp) {
  EXPECT_TRUE(test::matches_golden(printed("loggp", test::loggp_records()), "layouts/layout_loggp.txt"));
}

TEST(LayoutGolden, LoggpExplained) {
  EXPECT_TRUE(test::matches_golden(printed("loggp", test::loggp_records(), Detail::explained),
                                   "layouts/layout_loggp_explained.txt"));
}

TEST(LayoutGolden, DesupinskiMay) {
  EXPECT_TRUE(test::matches_golden(printed("desupinski-may", test::desupinski_records(), Detail::explained),
                                   "layouts/layout_desupinski_may.txt"));
}

TEST(LayoutGolden, Cluster) {
  EXPECT_TRUE(test::matches_golden(printed("cluster", test::cluster_records(), Detail::explained),
                                   "layouts/layout_cluster.txt"));
}

TEST(LayoutGolden, Capability) {
  const Point odd = test::line_point("cas", "exclusive", "other", 2);
  auto journal =
      test::line_results({}, [&](const Point& point, double time) { return point == odd ? 1.5 * time : time; });
  journal.series("contended", "sync/line_contended", {"time"});
  for (const auto& [members, time] : {std::pair{1, 6.0}, {2, 30.0}})
    journal.point({{"operation", std::string("cas")},
                   {"vehicle", std::string("thread")},
                   {"members", std::int64_t{members}},
                   {"placement", std::string(members == 1 ? "bound" : "same-l3")}},
                  {time});
  EXPECT_TRUE(test::matches_golden(printed("capability", journal.records(), Detail::explained),
                                   "layouts/layout_capability.txt"));
}

/// What is said about a file of published numbers.
std::string said_of_reference(const std::string& text) {
  try {
    parse_reference(text);
  } catch (const JsonError& error) {
    return std::string(error.what()) + "\n";
  }
  return "accepted\n";
}

TEST(LayoutGolden, Errors) {
  std::string told;
  const auto file = test::source_directory() + "/tests/golden/layouts/layout_errors.ini";
  try {
    parse_layout(read_file(file, 1U << 20U), "layout_errors.ini", [](const std::string&) { return std::string("{}"); });
  } catch (const ConfigError& error) {
    told = std::string(error.what()) + "\n";
  }
  for (const char* formula :
       {"", "a +", "(a", "a b", "2 + median(a)", "min(a, b over c)", "a @ \"open", "a @ library", "1.2.3"})
    told += std::string(formula) + " -> " + parse_formula(formula).error.what + "\n";
  for (const char* members : {R"(, "sistems": [])", R"(, "numbers": [{"value": "v", "of": {"C": "1"}}])",
                              R"(, "numbers": [{"value": "v", "of": {"A": "1x"}}])",
                              R"(, "numbers": [{"value": "v", "unit": "furlong", "of": {"A": "1"}}])",
                              R"(, "numbers": [{"value": "v", "of": {"A": "1"}}, {"value": "v", "of": {"A": "2"}}])",
                              R"(, "errata": [{"value": "v", "of": "A", "recomputed": "1", "why": "w"}])",
                              R"(, "lines": [{"value": "v", "columns": ["a", "b"], "of": {"A": [["1"]]}}])"})
    told += said_of_reference(R"({"source": "a paper", "systems": [{"name": "A"}, {"name": "B"}])" +
                              std::string(members) + "}");
  told += said_of_reference("{}") + said_of_reference(R"({"source": 7})");
  EXPECT_TRUE(test::matches_golden(told, "layouts/layout_errors.txt"));
}

}  // namespace
}  // namespace assay
