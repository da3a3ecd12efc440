// SPDX-License-Identifier: Apache-2.0
// Whether campaigns are of one system, so that an average over them means something.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "record/table/layout.hpp"

namespace assay {

/// What else differs between the campaigns, to be reported with an average. Throws ResultError where there are fewer
/// than two, where one is given twice, or where they differ in what makes another system or another measurement:
/// machine, kernel, libraries, build of the program, clock, schedule.
std::vector<std::string> require_one_system(std::span<const ShownCampaign> campaigns);

}  // namespace assay
