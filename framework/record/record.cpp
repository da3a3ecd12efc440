// SPDX-License-Identifier: Apache-2.0
// What can be asked of records, and names of what they hold.
#include "record/record.hpp"

#include <algorithm>
#include <array>

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

const Result* dominant_result(const PointRecord& point, std::string_view quantity) {
  if (point.results.empty()) return nullptr;
  const std::string_view wanted = quantity.empty() ? std::string_view(point.results.front().quantity) : quantity;
  const Result* best = nullptr;
  for (const Result& result : point.results)
    if (result.quantity == wanted && (best == nullptr || result.regime_share > best->regime_share)) best = &result;
  return best;
}

}  // namespace assay
