// SPDX-License-Identifier: Apache-2.0
// How long a load takes that needs the one before, over a range of memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "memory/cache_size.hpp"
#include "memory/pages.hpp"

namespace assay {

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
  /// One load in each page that has a place, in ascending order, which a core does many at a time: of a long chain this
  /// takes a hundredth of going round. Where there is room beside the places, the loads are there, so that no place is
  /// brought into a cache out of turn.
  void touch_pages() const;

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
  /// The chain is built and gone round by the member that uses it. Throws std::logic_error where it is not a cycle
  /// through all places.
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
