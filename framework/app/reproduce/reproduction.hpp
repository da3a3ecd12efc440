// SPDX-License-Identifier: Apache-2.0
// Room: a campaign of a crate run again on this machine.
// Whether results were reproduced.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "app/reproduce/crate_plan.hpp"
#include "app/results/listing.hpp"
#include "record/compare/comparison_report.hpp"
#include "record/record.hpp"

namespace assay {

/// What is said of a result. Closed list.
enum class Sameness : std::uint8_t { same, different, unclear };
/// "same", "different", "unclear".
std::string_view to_text(Sameness sameness);
/// By what a comparison of the two campaigns says: a change of either sign, possible ones included, is a difference.
Sameness sameness_of(Change change);

/// A campaign and its repetition. Side A of the comparison is the crate, B is here.
struct Reproduction {
  ComparisonReport comparison;
  std::string measured;              ///< when the crate's last session began, and by which version
  std::vector<std::string> machine;  ///< what differs between the machines, a sentence each
  std::vector<NotRun> not_run;
  std::size_t count(Sameness sameness) const;
};

/// Compares what a crate has with what its campaign found here. Machines of other processors are compared as well, and
/// their differences named: whether results hold on them is the question. Throws ResultError where the campaigns were
/// not measured alike.
void compare_with_crate(Reproduction& reproduction, const std::vector<Record>& then, const std::vector<Record>& here,
                        const PairingRequest& request);

/// Writes it as tables for people, or as a listing of kind `reproduction`.
void write_reproduction(std::ostream& out, const Reproduction& reproduction, ListingFormat format);

}  // namespace assay
