// SPDX-License-Identifier: Apache-2.0
// Factors and the notation of their domains: `a, b, c`; `a..b +s`; `a..b *s`; suffix `refine R [of QUANTITY]
// [multipleof M]`.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "base/value.hpp"

namespace assay {

/// Whether levels can be interpolated between.
enum class FactorKind : std::uint8_t { quantitative, categorical };

/// A factor as a measurement declares it.
struct Factor {
  std::string name{};
  FactorKind kind = FactorKind::categorical;
  Unit unit = Unit::count;           ///< of a quantitative factor's levels
  Value standard = std::int64_t{0};  ///< the level used when the configuration does not name the factor
  std::vector<std::string> words{};  ///< the permitted levels of a categorical factor; empty: any
  std::string summary{};             ///< one line for `assay describe`
  /// Of a categorical factor: its levels are patterns (base/pattern.hpp). One that is not in double quotes reaches to
  /// the end of the value. Names in braces are further factors, which the series declares by giving them levels.
  bool is_pattern = false;
};

/// The levels asked for, in the order written, each once; and how far to refine between them.
struct Domain {
  std::vector<Value> levels{};
  std::optional<double> refine;  ///< wanted relative accuracy of the interpolant, 0 < R < 1; written 0.05 or 5%
  bool open_range = false;    ///< `a..b refine R` without a step: levels holds both ends, the refiner picks the start
  std::string quantity{};     ///< the curve to be accurate; empty: the primary quantity
  std::int64_t multiple = 1;  ///< of which levels between those written are multiples
};

/// Why a domain's text is wrong, and where: `offset` counts bytes from the start of the text.
struct DomainError {
  std::size_t offset = 0;
  std::string what{};
  std::string remedy{};
  std::optional<std::size_t> earlier{};  ///< offset of what already gives the level that is given once more
};

/// Either a domain or the first error in its text.
struct DomainResult {
  Domain domain;
  std::optional<DomainError> error;
};

/// The most levels of a domain, and points of a series, unless more are asked for on purpose.
inline constexpr std::size_t usual_most_levels = 100000;

/// Reads a domain. Numbers are integers or decimal fractions with optional suffix: sizes Ki Mi Gi (2^10, 2^20, 2^30)
/// and k M G (10^3, 10^6, 10^9), times ns us ms s (all become nanoseconds). Integral results are integers. Expansion is
/// limited to `most` levels, counted before they are made; a level may be given only once, by ranges too. A range
/// always ends with its last level: `1..10 *2` is 1, 2, 4, 8, 10, and `0..10 +4` is 0, 4, 8, 10. Between integers a
/// geometric range is rounded to integers. A step too small to distinguish levels, a step of 0, a factor of 1 or less,
/// `a > b`, or a geometric range from 0 or below is an error, as are the spellings that look like numbers and are not
/// (`1,5` is a list; `0x10`, `1_000`, `010`, `+5`, `.5`, `nan`). The levels of categorical factors are words without
/// white space, commas and double quotes, or anything in double quotes with the escapes of to_text(Value); they cannot
/// be refined. `refine R of QUANTITY` names the quantity whose curve is meant, a word; whether it exists is for the
/// caller to say. `refine R multipleof M` keeps the levels that are added to multiples of M, a whole number from 1 on.
DomainResult parse_domain(std::string_view text, FactorKind kind, std::size_t most = usual_most_levels);

/// The notation back: a text that parse_domain, for a domain it can yield, reads to an equal domain.
std::string to_text(const Domain& domain);

/// One number with an optional size or time suffix, as in domains; nothing when it is malformed or not finite.
std::optional<Value> parse_number(std::string_view text);

}  // namespace assay
