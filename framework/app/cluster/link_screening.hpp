// SPDX-License-Identifier: Apache-2.0
// A screening whose rounds are points of mpi/links, a launch for each of its phases.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cluster/fabric_file.hpp"
#include "app/cluster/link_points.hpp"
#include "record/cluster/screened_unit.hpp"
#include "stats/screening/screening.hpp"

namespace assay {

/// The pairs of rounds by number, as mpi/links reads them: a line for each round, "0-5 1-7". Those of nodes in
/// `left_out` are missing.
std::string pairs_text(const std::vector<ScreeningRound>& rounds, const std::vector<std::size_t>& left_out = {});

/// The times that a launch found for the pairs of its rounds, in their order, in ns: the median over the batches of the
/// first one's claims; of several points of a round, such as sizes of messages, the geometric mean. NaN where a pair
/// has none at one of them.
std::vector<std::vector<double>> times_of(const LinkLaunch& launch, const std::string& series,
                                          const std::vector<ScreeningRound>& rounds);

/// The screening of a series between nodes that are members by their order.
class LinkScreening {
 public:
  LinkScreening(NamedFabric fabric, std::string series, const ScreeningOptions& options);

  bool is_done() const { return screening_.is_done(); }
  /// The number of the launch to come, from 0 on.
  std::size_t phase() const { return screening_.phase(); }
  std::vector<ScreeningRound> rounds() const { return screening_.next(); }
  /// The pairs of these rounds for the launch: without the nodes that were lost.
  std::string pairs() const { return pairs_text(rounds(), lost_); }
  /// A node was lost in a launch: it is lacking, and its further tests are left out.
  void lose(const std::string& node);
  /// Takes what the launch of this phase left. Throws ResultError where its members were other nodes, or in another
  /// order, since pairs are chosen by number.
  void add(const LinkLaunch& launch);

  /// How it went, a text for each: what was tested and how much was found, and what cannot be seen. While it is not
  /// done: that it is not.
  std::vector<std::string> notes() const;
  /// What is slow, lacking or unclear, the slowest of each kind first; nothing while it is not done.
  std::vector<cluster::ScreenedUnit> findings() const;
  bool has_deviating() const;

 private:
  NamedFabric fabric_;
  std::string series_;
  std::vector<std::size_t> lost_;
  Screening screening_;
};

}  // namespace assay
