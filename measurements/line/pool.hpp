// SPDX-License-Identifier: Apache-2.0
// Memory with many lines, of which each pass takes some at random, and the operations on them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "api/cache_line.hpp"
#include "api/measurement.hpp"
#include "base/rng.hpp"
#include "line/operation.hpp"

namespace assay {

/// Pages whose lines are in pairs of 128 bytes, since many processors fetch the neighbour too: of a pair at most one
/// line is ever chosen at a time. One pair of each page is left out: loading from it brings the page's translation back
/// and touches no chosen line. These are at different places of their pages, hence in different sets of a cache.
struct LinePool {
  static constexpr std::size_t page = 4096, pairs = page / line_size, pages = 32;
  static constexpr std::size_t line = line_size / 2;
  static constexpr std::size_t places = pages * (pairs - 1);

  LinePool() {}  // NOLINT(modernize-use-equals-default): else its bytes would be zeroed where it is constructed

  /// Offset of a place's pair.
  static constexpr std::size_t offset_of(std::size_t place) {
    const std::size_t on = place / (pairs - 1);
    const std::size_t pair = place % (pairs - 1);
    return on * page + (pair + (pair >= left_out(on) ? 1 : 0)) * line_size;
  }
  static constexpr std::size_t left_out(std::size_t on) { return on % pairs; }

  alignas(page) std::array<std::byte, pages * page> bytes;
};

/// How many lines a pass accesses.
inline constexpr std::size_t lines_per_pass = 64;
using LineOffsets = std::array<std::uint32_t, lines_per_pass>;

/// Chooses lines of the pool, none twice in a pass: of pairs at random one of both lines at random, in random order.
class LineChooser {
 public:
  explicit LineChooser(std::uint64_t seed) : rng_(seed) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = static_cast<std::uint16_t>(i);
  }

  LineOffsets next() {
    LineOffsets chosen{};
    std::uint64_t sides = rng_.next();
    for (std::size_t i = 0; i < chosen.size(); ++i, sides >>= 1U) {
      std::swap(places_[i], places_[i + rng_.below(places_.size() - i)]);
      chosen[i] = static_cast<std::uint32_t>(LinePool::offset_of(places_[i]) + (sides & 1U) * LinePool::line);
    }
    return chosen;
  }
  std::uint64_t next_key() { return key_from(rng_.next()); }

 private:
  Rng rng_;
  std::array<std::uint16_t, LinePool::places> places_{};
};
static_assert(lines_per_pass <= 64, "a line of each pair is chosen by one bit of a word");

/// The lines of the pool, of this machine.
class PoolLines {
 public:
  explicit PoolLines(LinePool& pool) : bytes_(pool.bytes.data()) {}

  void store(int, std::size_t at, std::uint64_t key) { __atomic_store_n(word(at), key, __ATOMIC_RELAXED); }
  std::uint64_t load(int, std::size_t at) { return __atomic_load_n(word(at), __ATOMIC_RELAXED); }
  void flush(int, std::size_t at) { flush_line(word(at)); }
  [[gnu::always_inline]] void complete(int) { await_accesses(); }
  [[gnu::always_inline]] void drain(int) { drain_stores(); }

  /// Where the line at an offset is.
  [[gnu::always_inline]] std::byte* place(std::size_t at) const { return bytes_ + at; }

  /// The operation on the word at that place, with the order that a lock needs; what it returns is the word as it was,
  /// or its first byte. Of a compare-and-swap that is what the instruction returns: the standard's form would branch on
  /// its success, which the processor foresees, and the next access would not wait.
  template <LineOperation operation>
  [[gnu::always_inline]] std::uint64_t access(int, std::byte* place, std::uint64_t key) {
    using enum LineOperation;
    auto* const held = reinterpret_cast<std::uint64_t*>(place);
    if constexpr (operation == load) return __atomic_load_n(held, __ATOMIC_RELAXED);
    if constexpr (operation == store) return __atomic_store_n(held, key + 1, __ATOMIC_RELAXED), key;
    if constexpr (operation == cas) return __sync_val_compare_and_swap(held, key, key + 1);
    if constexpr (operation == cas_fail) return __sync_val_compare_and_swap(held, ~key, key + 1);
    if constexpr (operation == fetch_add) return __atomic_fetch_add(held, 1, __ATOMIC_ACQ_REL);
    if constexpr (operation == exchange) return __atomic_exchange_n(held, key + 1, __ATOMIC_ACQ_REL);
    if constexpr (operation == test_and_set)
      return __atomic_exchange_n(reinterpret_cast<std::uint8_t*>(held), std::uint8_t{1}, __ATOMIC_ACQ_REL);
  }

  /// Brings the translation of every page of the pool to the calling member's core.
  void touch_pages() const {
    for (std::size_t on = 0; on < LinePool::pages; ++on)
      static_cast<void>(
          *static_cast<const volatile std::byte*>(bytes_ + on * LinePool::page + LinePool::left_out(on) * line_size));
  }

 private:
  [[gnu::always_inline]] std::uint64_t* word(std::size_t at) const {
    return reinterpret_cast<std::uint64_t*>(bytes_ + at);
  }
  std::byte* bytes_;
};

}  // namespace assay
