// SPDX-License-Identifier: Apache-2.0
// Distributions of our own over the standard engine, because the standard ones differ between libraries.
#include "base/rng.hpp"

#include <cmath>

namespace assay {

std::uint64_t scattered(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

Rng Rng::substream(std::string_view name) const { return Rng(scattered(scattered(seed_) ^ stable_hash(name))); }

std::uint64_t Rng::below(std::uint64_t bound) {
  // The lowest 2^64 mod bound draws would make small results likelier.
  const std::uint64_t excess = (0 - bound) % bound;
  std::uint64_t draw = next();
  while (draw < excess) draw = next();
  return draw % bound;
}

double Rng::uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

double Rng::normal() {
  double x = 0;
  double square = 0;
  do {
    x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  return x * std::sqrt(-2 * std::log(square) / square);
}

std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

}  // namespace assay
