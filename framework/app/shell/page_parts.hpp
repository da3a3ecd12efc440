// SPDX-License-Identifier: Apache-2.0
// What several pages of the manual have.
#pragma once
#include <string>
#include <vector>

#include "app/shell/guide.hpp"
#include "app/shell/roff.hpp"

namespace assay {

/// The corners of a page; `date` as "2026-11-23".
PageHead page_head(const std::string& title, int section, const std::string& date);
void add_exits(ManPage& page, const std::vector<ExitMeaning>& exits);
/// Nothing where there are none.
void add_environment(ManPage& page, const std::vector<EnvironmentVariable>& variables);
void add_examples(ManPage& page, const std::vector<Example>& examples);
/// Pages as "assay-run(1)".
void add_see_also(ManPage& page, const std::vector<std::string>& pages);

}  // namespace assay
