// SPDX-License-Identifier: Apache-2.0
// The names of the periods that intervals speak for.
#include <algorithm>
#include <array>

#include "record/record.hpp"

namespace assay {
namespace {

constexpr std::array<std::string_view, 3> names{"short-term", "session", "long-term"};

}  // namespace

std::string to_text(Term term) { return std::string(names.at(static_cast<std::size_t>(term))); }

std::optional<Term> parse_term(std::string_view text) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Term>(found - names.begin());
}

}  // namespace assay
