// SPDX-License-Identifier: Apache-2.0
// Unrolled loops over words of four bytes: each word is one load or store of its own, in ascending order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace assay {

using MemoryWord = std::uint32_t;

/// What a hand-unrolled loop takes at a step: sizes are multiples of it.
inline constexpr std::size_t bytes_of_step = 512;
inline constexpr std::size_t words_of_step = bytes_of_step / sizeof(MemoryWord);

/// Of the partial forms: one word of this many, which are 16 bytes. After lmbench's bw_mem (McVoy and Staelin, 1996),
/// whose comments say 32 where its code has 16.
inline constexpr std::size_t partial = 4;

namespace words {

// Volatile accesses are neither merged into wider ones, nor reordered, nor left out.
inline MemoryWord load(const MemoryWord* from) { return *static_cast<const volatile MemoryWord*>(from); }
inline void store(MemoryWord* to, MemoryWord value) { *static_cast<volatile MemoryWord*>(to) = value; }

template <std::size_t stride, class Body, std::size_t... each>
[[gnu::always_inline]] inline void step(std::size_t at, const Body& body, std::index_sequence<each...>) {
  (body(at + each * stride), ...);
}

/// `body(index)` for one word of `stride`, of `count`.
template <std::size_t stride, class Body>
[[gnu::always_inline]] inline void each(std::size_t count, const Body& body) {
  for (std::size_t at = 0; at < count; at += words_of_step)
    step<stride>(at, body, std::make_index_sequence<words_of_step / stride>());
}

/// The sum of what `body(index)` returns for one word of `stride`, in four sums that do not wait for each other: the
/// memory is the limit, and not the additions.
template <std::size_t stride, class Body>
[[gnu::always_inline]] inline MemoryWord sum_of_each(std::size_t count, const Body& body) {
  MemoryWord a = 0;
  MemoryWord b = 0;
  MemoryWord c = 0;
  MemoryWord d = 0;
  const auto four = [&](std::size_t i) {
    a += body(i);
    b += body(i + stride);
    c += body(i + 2 * stride);
    d += body(i + 3 * stride);
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));  // else the compiler makes one chain of them
  };
  each<4 * stride>(count, four);
  return a + b + c + d;
}

template <std::size_t stride>
MemoryWord sum(const MemoryWord* from, std::size_t count) {
  return sum_of_each<stride>(count, [&](std::size_t i) { return load(from + i); });
}

template <std::size_t stride>
void fill(MemoryWord* to, std::size_t count, MemoryWord value) {
  each<stride>(count, [&](std::size_t i) { store(to + i, value); });
}

template <std::size_t stride>
void copy(MemoryWord* to, const MemoryWord* from, std::size_t count) {
  each<stride>(count, [&](std::size_t i) { store(to + i, load(from + i)); });
}

/// Reads a word, then stores `value` in its place; the sum of what was read.
template <std::size_t stride>
MemoryWord exchange(MemoryWord* at, std::size_t count, MemoryWord value) {
  return sum_of_each<stride>(count, [&](std::size_t i) {
    const MemoryWord found = load(at + i);
    store(at + i, value);
    return found;
  });
}

/// A content by which every word is distinguished from its neighbours.
constexpr MemoryWord pattern(std::size_t index) { return static_cast<MemoryWord>(index + 1) * 2654435761U; }

inline void fill_pattern(MemoryWord* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = pattern(i);
}

/// What one word of `stride` of the pattern adds up to, by arithmetic: no memory is read for it.
constexpr MemoryWord pattern_sum(std::size_t count, std::size_t stride) {
  const std::uint64_t terms = count / stride;
  const std::uint64_t indexes = terms == 0 ? 0 : stride * (terms * (terms - 1) / 2) + terms;
  return static_cast<MemoryWord>(indexes) * 2654435761U;
}

}  // namespace words
}  // namespace assay
