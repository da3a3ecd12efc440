// SPDX-License-Identifier: Apache-2.0
// The protocol of sync/line: preparing lines, and one access to each of them. A template over what lines are, so that
// it also runs on simulated ones, whose states can be asked.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "api/cache_line.hpp"
#include "line/operation.hpp"
#include "line/state.hpp"

namespace assay {

/// Lines at offsets, each with one word, and what a member can do to them.
template <class L>
concept Lines = requires(L& lines, int rank, std::size_t at, std::uint64_t key) {
  lines.store(rank, at, key);
  { lines.load(rank, at) } -> std::same_as<std::uint64_t>;
  lines.flush(rank, at);
  lines.complete(
      rank);          // the member's stores and flushes have taken effect when it returns, and nothing later has begun
  lines.drain(rank);  // its stores have
  { lines.template access<LineOperation::cas>(rank, lines.place(at), key) } -> std::same_as<std::uint64_t>;
};

/// Where the lines of a pass are, in the order in which they are accessed.
using ChosenLines = std::span<const std::uint32_t>;

/// One member's part of a step of a preparation: writes `key`, reads it, or flushes. Not 0 where it read anything else.
template <Lines L>
std::uint64_t perform(L& lines, int rank, const LineStep& step, ChosenLines chosen, std::uint64_t key) {
  std::uint64_t different = 0;
  for (const std::uint32_t at : chosen) {
    if (step.act == LineStep::Act::write) lines.store(rank, at, key);
    if (step.act == LineStep::Act::flush) lines.flush(rank, at);
    if (step.act == LineStep::Act::read) different |= lines.load(rank, at) ^ key;
  }
  lines.complete(rank);
  return different;
}

/// How accesses follow each other.
enum class LineFollow : std::uint8_t {
  dependent,   ///< the address of each depends on the result of the one before; after a store, its completion
  independent  ///< they overlap as far as the processor can do it
};

/// The place or number, which is computed here and not together with what it is added to.
template <class T>
[[gnu::always_inline]] inline T computed(T value) noexcept {
  asm volatile("" : "+r"(value));
  return value;
}
[[gnu::always_inline]] inline std::uint64_t address_of(const std::byte* place) noexcept {
  return reinterpret_cast<std::uint64_t>(place);
}
[[gnu::always_inline]] inline std::uint64_t address_of(std::uint64_t place) noexcept { return place; }

/// A zero that the compiler does not know.
[[gnu::always_inline]] inline std::uint64_t unknown_zero() noexcept { return computed(std::uint64_t{0}); }

/// One access to each line, until the last has taken effect. Not 0 where one returned anything but what the preparation
/// left there. The dependence is an `and` with zero and an addition; values are compared beside it.
template <LineOperation operation, LineFollow follow, Lines L>
[[gnu::always_inline]] inline std::uint64_t access_lines(L& lines, int rank, ChosenLines chosen, std::uint64_t key) {
  constexpr bool is_chain = follow == LineFollow::dependent;
  const std::uint64_t expected = returned_of(operation, key);
  const std::uint64_t zero = unknown_zero();
  std::uint64_t different = 0;
  std::uint64_t after = 0;
#pragma GCC unroll 1
  for (const std::uint32_t at : chosen) {
    const std::uint64_t found =
        lines.template access<operation>(rank, computed(computed(lines.place(at)) + after), key);
    different |= found ^ expected;
    if constexpr (is_chain && operation == LineOperation::store) lines.complete(rank);
    if constexpr (is_chain && operation != LineOperation::store) after = found & zero;
  }
  if constexpr (!is_chain && may_change(operation)) lines.drain(rank);
  return different;
}

/// The same without accesses: what of the time above is not theirs. Of a chain the instructions that make it one, or
/// the fences after stores; of independent accesses the wait for the last only, since the loop runs beside them. Of a
/// chain of atomic updates that nothing passes nothing is left out: an addition by hand took as long with the address
/// in a register as with two more instructions between one and the next (4.23 ns), and without them 3.77.
template <LineOperation operation, LineFollow follow, Lines L>
[[gnu::always_inline]] inline std::uint64_t access_nothing(L& lines, int rank, ChosenLines chosen, std::uint64_t key) {
  constexpr bool is_chain = follow == LineFollow::dependent;
  const std::uint64_t zero = unknown_zero();
  std::uint64_t different = 0;
  std::uint64_t after = 0;
  if constexpr (is_chain && is_atomic_update(operation) && atomics_await) {
    return different;
  } else if constexpr (is_chain) {
#pragma GCC unroll 1
    for (const std::uint32_t at : chosen) {
      const std::uint64_t found = address_of(computed(computed(lines.place(at)) + after));
      different |= found ^ key;
      if constexpr (operation == LineOperation::store) lines.complete(rank);
      if constexpr (operation != LineOperation::store) after = found & zero;
    }
  } else if constexpr (may_change(operation)) {
    lines.drain(rank);
  }
  return different;
}

}  // namespace assay
