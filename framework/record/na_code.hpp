// SPDX-License-Identifier: Apache-2.0
// The codes N1..N11 that stand where a number has no meaning.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// What a code means, in a line; empty for an unknown one.
std::string_view meaning_of_code(std::string_view code);
/// All codes in their order.
std::vector<std::string> all_codes();
/// The code at the start of a reason such as "N5: send and receive overlap"; empty when it has none.
std::string code_in(std::string_view reason);

}  // namespace assay
