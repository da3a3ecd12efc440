// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: decimal, with a suffix for sizes or times.
#pragma once
#include <string>
#include <string_view>

#include "base/value.hpp"

namespace assay {

/// Either a number, or what is wrong with the text and what to write instead.
struct NumberResult {
  Value value;
  std::string what;  ///< empty when `value` holds
  std::string remedy;
};

/// Reads `-`, digits without leading zeros, a fraction, an exponent of ten and a suffix, all but the digits optional
/// and without spaces between. Decimal suffixes (k M G, ns us ms s) shift the decimal point exactly. Integral results
/// are integers, and an error outside 64 bits. Other results are the nearest real (an integer where that is integral,
/// as in 0.1s), and an error when they are too small for a real or have digits beyond 2^53 that it cannot keep.
NumberResult read_number(std::string_view text);

}  // namespace assay
