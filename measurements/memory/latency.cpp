// SPDX-License-Identifier: Apache-2.0
// Caches as the kernel lists them, and sizes that follow; chains that can be had, their pages, and batches of loads.
#include "memory/latency.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "api/measurement.hpp"
#include "base/rng.hpp"
#include "limits/limits.hpp"

namespace assay {
namespace {

constexpr std::size_t mebi = std::size_t{1} << 20U;
constexpr std::size_t least_range = 64 * mebi;
constexpr std::size_t range_without_cache = 256 * mebi;
constexpr std::size_t times_outer = 4;
constexpr std::size_t least_times_outer = 2;

// "512K", "32M" or "1G".
std::size_t bytes_of(std::istream& text) {
  std::size_t number = 0;
  char unit = ' ';
  if (!(text >> number)) return 0;
  text >> unit;
  const std::size_t shift = unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0;
  return number << shift;
}

}  // namespace

std::size_t outer_cache(const std::string& folder) {
  std::size_t largest = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string type;
    std::ifstream(entry.path() / "type") >> type;
    if (type != "Data" && type != "Unified") continue;
    std::ifstream size(entry.path() / "size");
    largest = std::max(largest, bytes_of(size));
  }
  return largest;
}

ChainWarmUp warm_up_of(std::size_t places, std::size_t outer) {
  constexpr std::size_t places_without_cache = std::size_t{1} << 20U;
  constexpr std::size_t most_places = std::size_t{1} << 22U;
  const std::size_t reach = outer == 0 ? places_without_cache : std::min(most_places, 2 * outer / cache_line);
  return places <= reach ? ChainWarmUp::round : ChainWarmUp::pages;
}

std::size_t main_memory_range(std::size_t outer, std::size_t stride, std::size_t available) {
  const std::size_t spread = std::max<std::size_t>(1, stride / cache_line);  // of the range's lines, one has a place
  const auto range_of = [&](std::size_t times) { return std::max(least_range, times * outer * spread); };
  const std::size_t wanted = outer == 0 ? range_without_cache : range_of(times_outer);
  const std::size_t least = range_of(least_times_outer);
  const std::size_t most = available / 4;
  if (most < least)
    throw Unsupported("a range of " + std::to_string(least / mebi) +
                      " MiB, whose lines take twice the outer cache of " + std::to_string(outer / mebi) +
                      " MiB, in a quarter of the memory that is available, which is " + std::to_string(most / mebi) +
                      " MiB; free memory, or choose a size with memory/latency");
  const std::size_t range = std::min(wanted, most);
  return range - range % stride;
}

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

// Each of as many places as there are numbers has the one after its own behind it: from any place on all numbers come,
// each at another place, which are all there are.
bool PointerChain::is_cycle() const {
  std::size_t right = 0;
  for (std::size_t number = 0; number < places_; ++number) {
    const Link& link = *place(number);
    const std::uint64_t following = link.number + 1 == places_ ? 0 : link.number + 1;
    right += link.number < places_ && link.next->number == following ? 1 : 0;
  }
  return right == places_;
}

void PointerChain::touch_pages() const {
  const std::size_t step = std::max<std::size_t>(1, page / stride_);
  const std::size_t beside = stride_ > line ? line : 0;
  for (std::size_t number = 0; number < places_; number += step) {
    const auto at = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(place(number)) - memory_.begin());
    static_cast<void>(*reinterpret_cast<const volatile std::uint64_t*>(memory_.begin() + (at ^ beside)));
  }
}

void PointerChain::settle() {
  touch_pages();
  for (std::size_t done = 0; done < settling_loads; done += unrolled) chase();
}

namespace {

ChainOrder order_of(const std::string& word) {
  if (word == "forward") return ChainOrder::forward;
  if (word == "paged") return ChainOrder::paged;
  return word == "backward" ? ChainOrder::backward : ChainOrder::random;
}

void require_places(std::size_t bytes, std::size_t stride) {
  if (stride == 0 || stride % sizeof(PointerChain::Link) != 0)
    throw Unsupported("a stride of " + std::to_string(stride) + " bytes; an element takes 16, choose a multiple");
  if (stride > PointerChain::page && stride % PointerChain::page != 0)
    throw Unsupported("a stride of " + std::to_string(stride) + " bytes; beyond a page choose whole pages of 4096");
  if (bytes < stride || bytes % stride != 0)
    throw Unsupported("a size of " + std::to_string(bytes) + " bytes is no multiple of the stride of " +
                      std::to_string(stride) + "; choose one that is");
  if (bytes / stride > std::numeric_limits<std::uint32_t>::max())
    throw Unsupported("a chain of more than 2^32 elements; choose a smaller size or a larger stride");
}

void require_huge(const Pages& pages) {
  const std::size_t huge = huge_bytes_of(pages);
  if (huge >= pages.size()) return;
  throw Unsupported("of " + std::to_string(pages.size()) + " bytes " + std::to_string(huge) +
                    " are in huge pages (AnonHugePages); allow them "
                    "(/sys/kernel/mm/transparent_hugepage/enabled: madvise), free memory, or choose pages = normal");
}

PageKind pages_of(const Setup& setup) { return setup.word("pages") == "huge" ? PageKind::huge : PageKind::small; }

ChainForm main_memory_form(const Setup& setup) {
  const auto stride = setup.level<std::size_t>("stride");
  require_places(stride, stride);
  return {main_memory_range(outer_cache(), stride, std::min(memory_left(), address_usage().left())), stride,
          ChainOrder::random, pages_of(setup), setup.seed()};
}

}  // namespace

MemoryLatency::MemoryLatency(const ChainForm& form) : form_(form) {
  require_places(form.bytes, form.stride);
  const std::size_t places = form.bytes / form.stride;
  const std::size_t slack = form.pages == PageKind::huge ? 2 * Pages::huge_size : 0;
  // While it is built, the order is in memory too.
  const std::size_t touched = form.bytes + places * sizeof(std::uint32_t) + slack;
  require_memory(touched, touched, "the places of a chain", "bytes, or a larger stride");
  warm_up_ = warm_up_of(places, outer_cache());
}

MemoryLatency::MemoryLatency(Setup& setup)
    : MemoryLatency({setup.level<std::size_t>("size"), setup.level<std::size_t>("stride"),
                     order_of(setup.word("order")), pages_of(setup), setup.seed()}) {}

void MemoryLatency::enter(Member&) {
  chain_ = std::make_unique<PointerChain>(form_.bytes, form_.stride, form_.order, form_.pages, form_.seed);
  if (form_.pages == PageKind::huge) require_huge(chain_->memory());
  // Going round one of 30 million places takes 18 s where a load takes 600 ns.
  const bool is_whole = warm_up_ == ChainWarmUp::round ? chain_->round() == chain_->places() : chain_->is_cycle();
  if (!is_whole)
    throw std::logic_error("a chain is no cycle through all of its " + std::to_string(chain_->places()) + " places");
}

Claims MemoryLatency::run(Member& member, Reps reps) {
  if (std::exchange(is_cold_, false)) {
    if (warm_up_ == ChainWarmUp::round)
      keep(chain_->round());
    else
      chain_->settle();
  }
  const std::uint64_t from = chain_->position();
  const Nanoseconds taken = member.timed(reps, [this] { chain_->chase(); });
  const auto loads = static_cast<std::uint64_t>(reps.count * PointerChain::unrolled);
  if (chain_->position() != (from + loads) % chain_->places())
    throw std::logic_error(std::to_string(loads) + " loads from visit " + std::to_string(from) + " ended at visit " +
                           std::to_string(chain_->position()) + " of " + std::to_string(chain_->places()));
  return taken;
}

MainMemoryLatency::MainMemoryLatency(Setup& setup) : MemoryLatency(main_memory_form(setup)) {}

Claims MainMemoryLatency::run(Member& member, Reps reps) {
  return MemoryLatency::run(member, reps).set(range, static_cast<double>(form().bytes));
}

}  // namespace assay
