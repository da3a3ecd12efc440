// SPDX-License-Identifier: Apache-2.0
// Domains and ranges: bounded, in order, ending where they should, and reading back from their own text.
#include <algorithm>
#include <cmath>

#include "base/factor.hpp"
#include "base/levels.hpp"
#include "fuzz/fuzz.hpp"

namespace assay::fuzz {
namespace {

constexpr std::size_t limit = 1000;
constexpr std::size_t domain_limit = 100'000;

Value value_from(Input& input) {
  switch (input.byte() % 3) {
    case 0:
      return input.number<std::int64_t>();
    case 1:
      return static_cast<std::int64_t>(input.number<std::int16_t>());
    default:
      return input.number<double>();
  }
}

/// Numbers come from texts, which cannot say "infinite".
bool is_finite(const Value& value) { return std::isfinite(number_of(value).value()); }

void check_range(const SteppedRange& range) {
  if (!is_finite(range.first) || !is_finite(range.last) || !is_finite(range.step)) return;
  const LevelsResult found = expand(range, limit);
  promise((found.wrong == RangePart::none) == found.what.empty(), "levels, or what is wrong");
  if (found.wrong != RangePart::none) return;
  promise(!found.levels.empty() && found.levels.size() <= limit, "as many levels as allowed");
  std::vector<double> numbers;
  for (const Value& level : found.levels) numbers.push_back(number_of(level).value());
  promise(std::adjacent_find(found.levels.begin(), found.levels.end()) == found.levels.end(), "each level once");
  promise(std::is_sorted(numbers.begin(), numbers.end()), "levels ascend");
  promise(numbers.front() == number_of(range.first) && numbers.back() == number_of(range.last), "both ends are levels");
}

void check_domain(std::string_view text, FactorKind kind) {
  const DomainResult read = parse_domain(text, kind);
  if (read.error) {
    promise(read.error->offset <= text.size() && !read.error->what.empty(), "errors have a place and a text");
    return;
  }
  const Domain& domain = read.domain;
  promise(!domain.levels.empty() && domain.levels.size() <= domain_limit, "as many levels as allowed");
  const DomainResult again = parse_domain(to_text(domain), kind);
  promise(!again.error, "the notation of a domain reads back: " + to_text(domain).substr(0, 200));
  promise(again.domain.levels == domain.levels && again.domain.refine == domain.refine &&
              again.domain.open_range == domain.open_range && again.domain.quantity == domain.quantity &&
              again.domain.multiple == domain.multiple,
          "and means the same: " + to_text(domain).substr(0, 200));
}

}  // namespace
}  // namespace assay::fuzz

/// The first byte says what the rest is: a range's three numbers, or the text of a domain of either kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::Input input(data, size);
  const char form = static_cast<char>(input.byte());
  if (form == 'r' || form == 'g') {
    SteppedRange range{fuzz::value_from(input), fuzz::value_from(input), fuzz::value_from(input), form == 'g'};
    fuzz::check_range(range);
  } else {
    fuzz::check_domain(input.rest(), form == 'w' ? FactorKind::categorical : FactorKind::quantitative);
  }
  return 0;
}
