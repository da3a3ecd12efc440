// SPDX-License-Identifier: Apache-2.0
// The sections `[variant.NAME]`, and the factor whose levels they are.
#pragma once
#include <string>
#include <vector>

#include "api/description.hpp"
#include "app/config/settings.hpp"
#include "run/plan.hpp"

namespace assay {

/// Reads every variant that was declared.
std::vector<Variant> read_variants(const GivenSettings& given, Problems& problems);
/// The factor `variant` with the declared names and `plain` as words.
Factor variant_factor(const std::vector<Variant>& variants);
/// A variant as its section of a resolved configuration.
std::string section_text(const Variant& variant);

/// Paths separated by commas, as joined() writes them.
std::vector<std::string> split_paths(std::string_view list);
/// Notes a problem for each path without a folder: programs and plugins are never searched for.
void require_folders(const std::vector<std::string>& paths, const Where& at, const std::string& what,
                     Problems& problems);

}  // namespace assay
