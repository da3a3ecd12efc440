// SPDX-License-Identifier: Apache-2.0
// Results as a layout prints them.
#pragma once
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "record/layout/layouts.hpp"

namespace assay::test {

/// Of one campaign.
inline std::string printed(std::string_view layout, const std::vector<Record>& records, Detail detail = Detail::usual) {
  std::ostringstream out;
  find_layout(layout)->print(out, std::vector{ShownCampaign{"campaign", records}}, detail);
  return out.str();
}

}  // namespace assay::test
