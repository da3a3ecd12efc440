// SPDX-License-Identifier: Apache-2.0
// One campaign after another.
#include "record/table/layout.hpp"

#include <ostream>

#include "text/printable.hpp"

namespace assay {

std::function<void(std::ostream&, std::span<const ShownCampaign>, Detail)> one_by_one(OnePrinter print) {
  return [print](std::ostream& out, std::span<const ShownCampaign> campaigns, Detail detail) {
    for (const ShownCampaign& campaign : campaigns) {
      if (campaigns.size() > 1) out << "== " << printable(campaign.name) << "\n\n";
      print(out, campaign.records, detail);
      if (campaigns.size() > 1) out << '\n';
    }
  };
}

}  // namespace assay
