// SPDX-License-Identifier: Apache-2.0
// The order of a chain, and its links in memory.
#include "memory/chain.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/rng.hpp"

namespace assay {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers ascending(std::size_t count) {
  Numbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

Numbers by_pages(std::size_t places, std::size_t per_page, std::uint64_t seed) {
  Rng rng(seed);
  Numbers order;
  order.reserve(places);
  for (const std::size_t page : rng.shuffled(ascending((places + per_page - 1) / per_page))) {
    const std::size_t first = page * per_page;
    for (const std::uint32_t place : rng.shuffled(ascending(std::min(per_page, places - first))))
      order.push_back(static_cast<std::uint32_t>(first) + place);
  }
  return order;
}

}  // namespace

std::vector<std::uint32_t> chain_order(std::size_t places, std::size_t per_page, ChainOrder order, std::uint64_t seed) {
  if (order == ChainOrder::paged) return by_pages(places, per_page, seed);
  Numbers numbers = ascending(places);
  if (order == ChainOrder::random) return Rng(seed).shuffled(std::move(numbers));
  if (order == ChainOrder::backward) std::ranges::reverse(numbers);
  return numbers;
}

PointerChain::PointerChain(std::size_t bytes, std::size_t stride, ChainOrder order, PageKind kind, std::uint64_t seed)
    : stride_(stride), places_(bytes / stride), memory_(bytes, kind) {
  const Numbers numbers = chain_order(places_, std::max<std::size_t>(1, page / stride), order, seed);
  for (std::size_t i = 0; i < places_; ++i) *place(numbers[i]) = {place(numbers[(i + 1) % places_]), i};
  at_ = place(numbers.front());
}

PointerChain::Link* PointerChain::place(std::size_t number) const {
  const std::size_t offset = stride_ < page ? 0 : number % (page / line) * line;
  return reinterpret_cast<Link*>(memory_.begin() + number * stride_ + offset);
}

std::size_t PointerChain::round() const {
  const Link* at = at_;
  std::size_t loads = 0;
  do {
    load(at);
    ++loads;
  } while (at != at_ && loads <= places_);
  return loads;
}

}  // namespace assay
