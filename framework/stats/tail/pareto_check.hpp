// SPDX-License-Identifier: Apache-2.0
// Whether excesses follow the generalised Pareto law that was fitted to them.
#pragma once
#include <cstdint>
#include <span>

#include "stats/tail/pareto_law.hpp"

namespace assay {

/// The statistic of Anderson and Darling (Annals of Mathematical Statistics 23, 1952) between the law and the excesses,
/// which are ascending: large where they disagree, in the tails most of all. 0 for none.
double anderson_darling(const ParetoLaw& law, std::span<const double> excesses);

/// Probability of a statistic as large as that of the excesses, were they of the law fitted to them: by samples of that
/// law, to each of which a law is fitted likewise. The statistic is that recommended for generalised Pareto laws by
/// Choulakian and Stephens, Goodness-of-fit tests for the generalized Pareto distribution, Technometrics 43 (2001);
/// samples in the place of their tables. Drawing ends early where it decides nothing (Besag and Clifford, Sequential
/// Monte Carlo p-values, Biometrika 78, 1991). `excesses` are ascending and positive. 0 for shapes above 3: of these
/// fits and draws lose their meaning in a double, and what has one is a mixture of short and long, and no tail.
double pareto_check(const ParetoLaw& law, std::span<const double> excesses, std::uint64_t seed);

}  // namespace assay
