// SPDX-License-Identifier: Apache-2.0
// Telling and keeping what checks found.
#include "app/campaign/check_up.hpp"

#include <algorithm>
#include <ostream>

namespace assay {

void CheckUp::tell(std::ostream& out) const {
  for (const Check& check : checks_)
    if (is_serious(check)) out << check.id << ": " << to_text(check) << "\n";
}

void CheckUp::add_to(Facts& facts) const {
  for (const Check& check : checks_) facts.emplace_back("check." + check.id, to_text(check));
}

bool CheckUp::is_serious_somewhere() const { return std::ranges::any_of(checks_, is_serious); }

}  // namespace assay
