// SPDX-License-Identifier: Apache-2.0
// The names of the periods that intervals are valid for, and of what a test of symmetry found.
#include <algorithm>
#include <array>

#include "record/record.hpp"

namespace assay {
namespace {

using TermNames = std::array<std::string_view, 3>;
constexpr TermNames terms{"short-term", "session", "long-term"};
constexpr TermNames symmetries{"homogeneous", "split", "unclear"};

template <class Word>
std::optional<Word> parse(const TermNames& names, std::string_view text) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Word>(found - names.begin());
}

}  // namespace

std::string to_text(Term term) { return std::string(terms.at(static_cast<std::size_t>(term))); }

std::optional<Term> parse_term(std::string_view text) { return parse<Term>(terms, text); }

std::string to_text(Symmetry symmetry) { return std::string(symmetries.at(static_cast<std::size_t>(symmetry))); }

std::optional<Symmetry> parse_symmetry(std::string_view text) { return parse<Symmetry>(symmetries, text); }

}  // namespace assay
