// SPDX-License-Identifier: Apache-2.0
// The tables of the reference documents.
#pragma once
#include <string>
#include <string_view>

namespace assay {

/// A table in Markdown by its name: "commands", "environment", "exit codes", or "keys SECTION". Throws
/// std::invalid_argument for an unknown one.
std::string reference_table(std::string_view name);

/// A document in Markdown with its tables made anew: each stands between `<!-- table: NAME -->` and
/// `<!-- end of table -->`. Throws std::invalid_argument for an unknown table and for one without an end.
std::string with_tables_renewed(std::string_view document);

}  // namespace assay
