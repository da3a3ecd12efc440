// SPDX-License-Identifier: Apache-2.0
// The factors of a series: those of its measurement, and vehicle, members and bystander, which every team has.
#pragma once
#include <vector>

#include "app/config/series_context.hpp"
#include "base/factor.hpp"
#include "design/design.hpp"

namespace assay {

/// The vehicles of a measurement at any level of its selector, each once.
std::vector<std::string> vehicles_of(const Description& measurement);
/// The factors that say who executes: vehicle and members, with what the measurement permits.
Factor vehicle_factor(const Description& measurement);
Factor members_factor(const Description& measurement);
/// "none" or "present": whether a further thread exists. Applies to teams of one member.
Factor bystander_factor();
/// Whether a measurement requests starts at agreed times at any level.
bool prefers_windows(const Description& measurement);
/// How the batches of members that are ranks start. The standard is what the measurement requests, but never windows
/// where members outnumber the CPUs of this machine: those who wait for a time would keep each other from it.
Factor start_factor(const Description& measurement, int most_members, int cpus);
/// The scheduling policy of all members.
Factor policy_factor();

/// The domain that a series gives to a factor, its standard level where it gives none. Levels that the factor does not
/// have are problems; the domain is then the standard level.
Domain domain_of(const SeriesContext& series, const Factor& factor);

/// Notes what is wrong with the domain in a setting, with the position of a level that it gives twice.
void add_problem(const SeriesContext& series, const Setting& setting, const std::string& key, const DomainError& error);
/// The measurement's own factors with their domains, in its order; of a measurement with patterns those that the series
/// gives.
std::vector<FactorDomain> own_factors(const SeriesContext& series);

}  // namespace assay
