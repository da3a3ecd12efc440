// SPDX-License-Identifier: Apache-2.0
// The promise of the report on a cluster: what is planted is named, and hardly ever anything else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/rng.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

using cluster::Standing;
using Names = std::set<std::string>;

std::string name_of(int node) { return "n" + std::to_string(node); }

/// A cluster and what is wrong with it.
struct Planted {
  int nodes = 4;
  double noise = 0.1;  // of estimates, as a share
  double node = 1;     // by which n2 is slower, its links included
  double link = 1;     // by which the link n0 - n1 is
  Names truth() const {
    Names names;
    if (node > 1) names.insert("n2");
    if (link > 1) names.insert("n0 - n1");
    return names;
  }
};

class Campaign {
 public:
  Campaign(const Planted& planted, std::uint64_t seed) : planted_(planted), rng_(seed) {}

  std::vector<Record> records() {
    std::vector<Record> records{CampaignRecord{"cluster", "", 1, "interleaved"}};
    for (const char* series : {"lock", "thread", "handoff", "noise"}) {
      records.emplace_back(SeriesRecord{series, "fake/one", {{.name = "time"}}, "median-ci"});
      for (int node = 0; node < planted_.nodes; ++node) {
        Point point;
        point.set("node", name_of(node));
        add(records, series, point, node == 2 ? planted_.node : 1, Factors(5, 1.0));
      }
    }
    records.emplace_back(SeriesRecord{"links", "mpi/links", {{.name = "time"}}, "fixed"});
    for (const std::int64_t size : {8, 65536}) add_links(records, size);
    return records;
  }

 private:
  using Factors = std::vector<double>;

  double drawn(double spread) {
    // Box and Muller.
    const double radius = std::sqrt(-2 * std::log(1 - rng_.uniform()));
    return std::exp(spread * radius * std::cos(6.283185307179586 * rng_.uniform()));
  }

  void add_links(std::vector<Record>& records, std::int64_t size) {
    Factors launches;
    for (int i = 0; i < 5; ++i) launches.push_back(drawn(0.1));
    for (int from = 0; from < planted_.nodes; ++from)
      for (int to = from + 1; to < planted_.nodes; ++to) {
        Point point;
        point.set("node", name_of(from));
        point.set("peer", name_of(to));
        point.set("size", size);
        const double factor = (from == 2 || to == 2 ? planted_.node : 1) * (from + to == 1 ? planted_.link : 1);
        add(records, "links", point, factor, launches);
      }
  }

  void add(std::vector<Record>& records, const char* series, const Point& point, double factor, const Factors& common) {
    Result result = plain_result(1000 * factor, 0.05);
    for (int i = 0; i < 5; ++i)
      result.processes.push_back(
          {0, i, 1000 * factor * common[static_cast<std::size_t>(i)] * drawn(planted_.noise), 100});
    records.emplace_back(finished_point(series, point, result));
  }

  Planted planted_;
  Rng rng_;
};

Names named(const Planted& planted, std::uint64_t seed) {
  const cluster::Verdicts verdicts = cluster::verdicts_of(Campaign(planted, seed).records());
  Names names;
  for (const auto& node : verdicts.nodes)
    if (node.standing == Standing::slow || node.standing == Standing::fast) names.insert(node.node);
  for (const auto& link : verdicts.links) names.insert(link.node + " - " + link.peer);
  return names;
}

struct Shares {
  double right = 0;   // the truth, and nothing else
  double blamed = 0;  // anything that is well
};

Shares shares(const Planted& planted, int trials) {
  Shares shares;
  const Names truth = planted.truth();
  for (int trial = 0; trial < trials; ++trial) {
    const Names names = named(planted, static_cast<std::uint64_t>(trial + 1));
    shares.right += names == truth ? 1.0 / trials : 0;
    shares.blamed += std::includes(truth.begin(), truth.end(), names.begin(), names.end()) ? 0 : 1.0 / trials;
  }
  return shares;
}

struct Size {
  int nodes;
  int trials;
};
constexpr Size sizes[] = {{4, 200}, {8, 100}, {16, 34}};
constexpr double noises[] = {0.05, 0.1, 0.15};

TEST(ClusterReportPromise, OfEqualNodesAndLinksHardlyAnyIsNamed) {
  double alarms = 0;
  double trials = 0;
  for (const Size& size : sizes)
    for (const double noise : noises) {
      alarms += shares({size.nodes, noise}, size.trials).blamed * size.trials;
      trials += size.trials;
    }
  EXPECT_GE(trials, 1000);
  EXPECT_LE(alarms / trials, 0.05);
}

TEST(ClusterReportPromise, WhatIsPlantedIsNamedAndNothingElse) {
  for (const Size& size : sizes)
    for (const double noise : noises) {
      const auto as_it_is = [&](double node, double link) {
        return shares({size.nodes, noise, node, link}, size.trials / 2).right;
      };
      EXPECT_GE(as_it_is(1, 3), 0.95) << size.nodes << " a link " << noise;
      EXPECT_GE(as_it_is(1.5, 1), 0.95) << size.nodes << " a node " << noise;
      EXPECT_GE(as_it_is(1.5, 3), 0.95) << size.nodes << " both " << noise;
      EXPECT_GE(as_it_is(3, 1.7), 0.95) << size.nodes << " both, the node worse " << noise;
    }
}

}  // namespace
}  // namespace assay::test
