// SPDX-License-Identifier: Apache-2.0
// Which of several nodes, and which of the links between them, deviates from the others, where only links were
// measured.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "stats/comparison/outliers.hpp"

namespace assay {

/// What was measured of the link between two nodes.
struct MeasuredLink {
  std::size_t from = 0;
  std::size_t to = 0;
  std::vector<double> estimates;  ///< by launch; NaN for one without
};

/// What was found of nodes and of links, each in its order.
struct LinkFindings {
  std::vector<UnitFinding> nodes;
  std::vector<UnitFinding> links;
};

/// Judges nodes by their links, and links beyond what their nodes explain.
///
/// A link's estimate is taken for the product of what all links of that launch, its two nodes and the link itself make
/// of it (a sum where estimates are not all positive); that of most nodes and links is 1. What explains most is sought
/// first, by how much of the absolute deviations from the median it takes away, as least absolute deviations and
/// median polish do (Tukey, Exploratory Data Analysis, 1977, chapter 11): one bad link does not make its nodes bad, nor
/// one bad node its links. A node is set apart only where more than half of its links are beyond the margin by
/// themselves, and where it explains more than any link does; of a node that is fast or links that are slow the latter
/// is believed. What is set apart has to differ from the others by ranks (Mann and Whitney) at alpha over all nodes,
/// links and tests of the family, and by more than the margin; when all have been found, it has to once more, and by
/// more than two and a half times what four or more other links differ by among themselves (by their median absolute
/// deviation, as of normal ones). Otherwise as outliers(), also in what is said of those that are not.
///
/// Throws std::invalid_argument unless 0 < alpha < 1 and margin > 0, for a link with an end that is no node, and for
/// links of different numbers of launches.
LinkFindings link_outliers(std::size_t nodes, std::span<const MeasuredLink> links, const OutlierOptions& options = {});

}  // namespace assay
