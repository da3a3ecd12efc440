// SPDX-License-Identifier: Apache-2.0
// A screening whose rounds are points of mpi/links, a launch for each of its phases.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cluster/fabric_file.hpp"
#include "app/cluster/link_points.hpp"
#include "stats/screening/screening.hpp"

namespace assay {

/// The pairs of rounds by number, as mpi/links reads them: a line for each round, "0-5 1-7".
std::string pairs_text(const std::vector<ScreeningRound>& rounds);

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
  /// Takes what the launch of this phase left. Throws ResultError where its members were other nodes, or in another
  /// order, since pairs are chosen by number.
  void add(const LinkLaunch& launch);

  /// What was found, a text for each kind: what was tested, what is slow, lacking, and unclear, and what cannot be
  /// seen. While it is not done: that it is not.
  std::vector<std::string> notes() const;
  bool has_deviating() const;

 private:
  NamedFabric fabric_;
  std::string series_;
  Screening screening_;
};

}  // namespace assay
