// SPDX-License-Identifier: Apache-2.0
// How long a load takes that needs the one before, over a range of memory, and how long a range is that no cache holds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "memory/pages.hpp"

namespace assay {

/// Bytes of the largest cache for data of the first CPU, as the kernel states them in `folder`; 0 where it does not.
std::size_t outer_cache(const std::string& folder = "/sys/devices/system/cpu/cpu0/cache");

/// How a chain is brought back after others had the caches.
enum class ChainWarmUp : std::uint8_t {
  round,  ///< by going round once: what a cache holds of it is there again
  pages,  ///< by PointerChain::settle: translations are there again, and all else comes from memory anyway
};

/// One place in each line, or in every `stride` bytes where that is longer, takes a line of a cache.
inline constexpr std::size_t cache_line = 64;

/// `round` for a chain whose lines take up to twice the outer cache: of a longer one a cache holds next to nothing when
/// a place is due again. Where the outer cache is not known (0), up to 2^20 places; and 2^22 in any case, which take
/// longer than a visit.
ChainWarmUp warm_up_of(std::size_t places, std::size_t outer);

/// Bytes of a range, a multiple of the stride and of 64 MiB at least, whose lines at this stride take four times the
/// outer cache, or as many as fit into a quarter of the `available` bytes; 256 MiB where the outer cache is not known.
/// Throws Unsupported where a quarter does not hold twice the outer cache, or 64 MiB.
std::size_t main_memory_range(std::size_t outer, std::size_t stride, std::size_t available);

/// In which order the chain goes through its places.
enum class ChainOrder : std::uint8_t {
  random,    ///< all in random order: the next one is unpredictable, and nearly each is in another page
  paged,     ///< pages in random order, and the places of each page in random order, before the next page
  forward,   ///< ascending
  backward,  ///< descending
};

/// Places of a chain in the order in which it visits them, by their number in ascending order of addresses; `per_page`
/// of them are in a page. Each number is there once.
std::vector<std::uint32_t> chain_order(std::size_t places, std::size_t per_page, ChainOrder order, std::uint64_t seed);

/// One place in every `stride` bytes of a range, linked to a cycle through all of them.
class PointerChain {
 public:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t line = cache_line;
  static constexpr std::int64_t unrolled = 64;

  /// What is at a place.
  struct Link {
    const Link* next;
    std::uint64_t number;  ///< of the visit to this place
  };

  /// `stride` is a multiple of sizeof(Link), and `bytes` of the stride, both positive. From a page on, the place in
  /// each stride is in another line, as if numbered round: else all places would compete for the same sets of a cache,
  /// and a cache's few ways would be measured instead of the pages' translations. Throws Unsupported where the memory
  /// cannot be had.
  PointerChain(std::size_t bytes, std::size_t stride, ChainOrder order, PageKind kind, std::uint64_t seed);

  std::size_t places() const { return places_; }
  const Pages& memory() const { return memory_; }

  /// `unrolled` loads.
  void chase() {
    const Link* at = at_;
    chase(at, std::make_index_sequence<unrolled>());
    at_ = at;
  }
  /// The number of the visit that the next load is to.
  std::uint64_t position() const { return at_->number; }

  /// Goes round once; the loads until the first place came again, which is `places()` when all were visited.
  std::size_t round() const;
  /// Whether each place leads to the one whose visit is next, so that going round would come to all of them. Places are
  /// looked at in ascending order, many at a time: of a long chain this takes a fifth of going round.
  bool is_cycle() const;
  /// One load in each page that has a place, in ascending order, which a core does many at a time: of a long chain this
  /// takes a hundredth of going round. Where there is room beside the places, the loads are there, so that no place is
  /// brought into a cache out of turn.
  void touch_pages() const;
  /// Touches the pages, and then goes on for `settling_loads`: translations that were just touched lie nearer than
  /// among loads from memory, which take a fifth less at first and a twentieth less after 2^16 of them.
  void settle();
  static constexpr std::size_t settling_loads = std::size_t{1} << 17U;

 private:
  static void load(const Link*& at) {
    at = at->next;
    asm volatile("" : "+r"(at));  // else loads of a chain that the compiler knows could be left out
  }
  template <std::size_t... each>
  [[gnu::always_inline]] static void chase(const Link*& at, std::index_sequence<each...>) {
    ((static_cast<void>(each), load(at)), ...);
  }
  Link* place(std::size_t number) const;

  std::size_t stride_;
  std::size_t places_;
  Pages memory_;
  const Link* at_;
};

/// What a chain is like.
struct ChainForm {
  std::size_t bytes = 0;
  std::size_t stride = 0;
  ChainOrder order = ChainOrder::random;
  PageKind pages = PageKind::small;
  std::uint64_t seed = 0;
};

/// Loads along a chain. After lat_mem_rd of lmbench (McVoy and Staelin, 1996), with orders that no prefetcher
/// foresees besides its own.
///
/// A visit times a piece of the chain, and the next visit goes on where it ended. For the piece to take what a piece of
/// an endless chase takes, the chain is brought back before each visit, as far as a cache can hold it (warm_up_of): all
/// of it, or, of one far larger than the outer cache, the translations of its pages, whose tables others have displaced
/// and which an endless chase over 256 MiB keeps in the caches.
class MemoryLatency : public Measurement {
 public:
  static std::vector<std::string> orders() { return {"random", "paged", "forward", "backward"}; }

  /// Throws Unsupported for a stride that is no multiple of 16 bytes or no part of the size, for more than 2^32 places,
  /// where there is no room, and where huge pages were asked for and not all pages are.
  explicit MemoryLatency(Setup& setup);
  /// The chain is built by the member that uses it, and gone round or, where no cache holds it, looked at. Throws
  /// std::logic_error where it is not a cycle through all places.
  void enter(Member&) override;
  /// Throws std::logic_error unless the loads ended where they should.
  Claims run(Member& member, Reps reps) override;
  void rest(Member&) override { is_cold_ = true; }
  /// The number of the visit that the next load is to; from enter() on.
  std::uint64_t position() const { return chain_->position(); }

 protected:
  explicit MemoryLatency(const ChainForm& form);
  const ChainForm& form() const { return form_; }

 private:
  ChainForm form_;
  ChainWarmUp warm_up_ = ChainWarmUp::round;
  std::unique_ptr<PointerChain> chain_;
  bool is_cold_ = false;  ///< others may have used the caches since
};

/// The same in random order over a range that follows the outer cache (main_memory_range).
class MainMemoryLatency final : public MemoryLatency {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t latency = 0, range = 1;

  /// Throws Unsupported as MemoryLatency does, and where memory is too small for such a range.
  explicit MainMemoryLatency(Setup& setup);
  Claims run(Member& member, Reps reps) override;
};

}  // namespace assay
