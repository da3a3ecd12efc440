// SPDX-License-Identifier: Apache-2.0
// Bad links and bad nodes of clusters of three, four and more, by hand-made estimates.
#include "stats/comparison/link_outliers.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace assay {
namespace {

/// All links of so many nodes; launches are slow and fast as wholes, and no two estimates tie.
std::vector<MeasuredLink> links_of(std::size_t nodes, const std::function<double(std::size_t, std::size_t)>& factor,
                                   int launches = 5) {
  std::vector<MeasuredLink> links;
  for (std::size_t from = 0; from < nodes; ++from)
    for (std::size_t to = from + 1; to < nodes; ++to) {
      MeasuredLink link{from, to, {}};
      for (int k = 0; k < launches; ++k) {
        const auto wobble = static_cast<double>((links.size() * 7 + static_cast<std::size_t>(k) * 5) % 11);
        link.estimates.push_back(100 * factor(from, to) * (1 + 0.3 * k) * (1 + 0.001 * wobble));
      }
      links.push_back(link);
    }
  return links;
}

/// "node 2, link 0-1": what is slow; what is fast has a minus.
std::string odd(std::size_t nodes, const std::vector<MeasuredLink>& links, const OutlierOptions& options = {}) {
  const LinkFindings found = link_outliers(nodes, links, options);
  std::string text;
  const auto add = [&](const UnitFinding& finding, const std::string& name) {
    if (finding.oddity != Oddity::slow && finding.oddity != Oddity::fast) return;
    text += (text.empty() ? "" : ", ") + std::string(finding.oddity == Oddity::fast ? "-" : "") + name;
  };
  for (std::size_t node = 0; node < nodes; ++node) add(found.nodes[node], "node " + std::to_string(node));
  for (std::size_t i = 0; i < links.size(); ++i)
    add(found.links[i], "link " + std::to_string(links[i].from) + "-" + std::to_string(links[i].to));
  return text;
}

bool is(std::size_t from, std::size_t to, std::size_t a, std::size_t b) { return from == a && to == b; }
bool of(std::size_t from, std::size_t to, std::size_t node) { return from == node || to == node; }

TEST(LinkOutliers, ABadLinkDoesNotMakeItsNodesBad) {
  for (const std::size_t nodes : {3U, 4U, 5U, 8U})
    for (const double factor : {1.2, 3.0, 100.0})
      EXPECT_EQ(odd(nodes, links_of(nodes, [&](auto a, auto b) { return is(a, b, 0, 1) ? factor : 1; })), "link 0-1")
          << nodes << " " << factor;
}

TEST(LinkOutliers, ABadNodeDoesNotMakeItsLinksBad) {
  for (const std::size_t nodes : {3U, 4U, 5U, 8U})
    for (const double factor : {1.2, 3.0, 100.0})
      EXPECT_EQ(odd(nodes, links_of(nodes, [&](auto a, auto b) { return of(a, b, 2) ? factor : 1; })), "node 2")
          << nodes << " " << factor;
}

TEST(LinkOutliers, ABadNodeAndABadLinkAreToldApart) {
  for (const std::size_t nodes : {4U, 5U, 8U})
    for (const auto& [node, link] : {std::pair{1.5, 3.0}, {3.0, 1.5}}) {
      const auto elsewhere = [&](auto a, auto b) { return (of(a, b, 2) ? node : 1) * (is(a, b, 0, 1) ? link : 1); };
      EXPECT_EQ(odd(nodes, links_of(nodes, elsewhere)), "node 2, link 0-1") << nodes << " " << node << " " << link;
    }
  const auto of_it = [](auto a, auto b) { return (of(a, b, 2) ? 1.5 : 1) * (is(a, b, 0, 2) ? 3 : 1); };
  EXPECT_EQ(odd(8, links_of(8, of_it)), "node 2, link 0-2") << "beyond what its node explains";
}

TEST(LinkOutliers, TwoOfThreeLinksAreNoNode) {
  EXPECT_EQ(odd(4, links_of(4, [](auto a, auto b) { return is(a, b, 0, 2) || is(a, b, 1, 2) ? 3 : 1; })),
            "link 0-2, link 1-2");
}

TEST(LinkOutliers, OfLinksThatAllDifferNobodyCanSayWhich) {
  EXPECT_EQ(odd(3, links_of(3, [](auto a, auto b) { return is(a, b, 0, 1) ? 1 : is(a, b, 0, 2) ? 2 : 4; })), "");
  EXPECT_EQ(odd(2, links_of(2, [](auto, auto) { return 1; })), "");
}

TEST(LinkOutliers, SmallEffectsFewLaunchesAndLargeFamiliesNameNobody) {
  const auto links = [](double factor, int launches) {
    return links_of(
        4, [=](auto a, auto b) { return is(a, b, 0, 1) ? factor : 1; }, launches);
  };
  EXPECT_EQ(odd(4, links(1.03, 20)), "") << "within what matters";
  EXPECT_EQ(link_outliers(4, links(1.03, 20)).links[0].oddity, Oddity::ok);
  EXPECT_EQ(odd(4, links(3, 1)), "");
  EXPECT_EQ(link_outliers(4, links(3, 1)).links[0].oddity, Oddity::unclear) << "one launch";
  EXPECT_EQ(odd(4, links(3, 2)), "") << "2 / C(12, 2) * 10 > 0.05";
  OutlierOptions many;
  many.family = 1000;
  EXPECT_EQ(odd(4, links(3, 5), many), "");
}

TEST(LinkOutliers, OfLinksThatDifferAnywayOneMoreIsNotOdd) {
  const double levels[] = {1.0, 1.4, 1.1, 1.8, 1.25, 1.6};
  std::size_t next = 0;
  EXPECT_EQ(odd(4, links_of(4, [&](auto, auto) { return levels[next++ / 5 % 6]; })), "");
}

TEST(LinkOutliers, OfRatesMoreIsFaster) {
  OutlierOptions rate;
  rate.larger_is_better = true;
  EXPECT_EQ(odd(5, links_of(5, [](auto a, auto b) { return of(a, b, 2) ? 0.5 : 1; }), rate), "node 2");
  EXPECT_EQ(odd(5, links_of(5, [](auto a, auto b) { return is(a, b, 1, 3) ? 2 : 1; }), rate), "-link 1-3");
}

TEST(LinkOutliers, WhatHasNoNumberIsInNobodysWay) {
  auto links = links_of(5, [](auto a, auto b) { return is(a, b, 0, 1) ? 3 : 1; });
  links[5].estimates.assign(5, std::numeric_limits<double>::quiet_NaN());
  links[7].estimates[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(odd(5, links), "link 0-1");
  EXPECT_EQ(link_outliers(5, links).links[5].oddity, Oddity::unclear);
}

TEST(LinkOutliers, WithZerosGoByDifferences) {
  auto links = links_of(5, [](auto a, auto b) { return is(a, b, 0, 1) ? 3 : 1; });
  links[9].estimates[0] = 0;
  EXPECT_FALSE(link_outliers(5, links).links[0].shift.is_ratio);
}

TEST(LinkOutliers, OptionsAndLinksHaveToMakeSense) {
  const auto links = links_of(3, [](auto, auto) { return 1; });
  EXPECT_THROW(link_outliers(3, links, {.alpha = 1}), std::invalid_argument);
  EXPECT_THROW(link_outliers(3, links, {.margin = 0}), std::invalid_argument);
  EXPECT_THROW(link_outliers(2, links), std::invalid_argument);
  auto uneven = links;
  uneven[1].estimates.pop_back();
  EXPECT_THROW(link_outliers(3, uneven), std::invalid_argument);
  EXPECT_TRUE(link_outliers(0, {}).nodes.empty());
}

}  // namespace
}  // namespace assay
