// SPDX-License-Identifier: Apache-2.0
// SHA-256 by the book: padding, message schedule, sixty-four rounds.
#include "text/sha256.hpp"

#include <bit>
#include <cstddef>
#include <span>

#include "base/escape.hpp"

namespace assay {
namespace {

using Words = std::array<std::uint32_t, 8>;

constexpr std::size_t block_size = 64;
constexpr std::size_t rounds = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, rounds> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t word_at(std::string_view block, std::size_t i) {
  std::uint32_t word = 0;
  for (std::size_t byte = 4 * i; byte < 4 * i + 4; ++byte)
    word = (word << 8U) | static_cast<unsigned char>(block[byte]);
  return word;
}

std::array<std::uint32_t, rounds> schedule_of(std::string_view block) {
  std::array<std::uint32_t, rounds> w{};
  for (std::size_t i = 0; i < 16; ++i) w.at(i) = word_at(block, i);
  for (std::size_t i = 16; i < rounds; ++i) {
    const std::uint32_t early = w.at(i - 15);
    const std::uint32_t late = w.at(i - 2);
    const std::uint32_t a = std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3U);
    const std::uint32_t b = std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10U);
    w.at(i) = w.at(i - 16) + a + w.at(i - 7) + b;
  }
  return w;
}

void take_block(Words& state, std::string_view block) {
  const auto schedule = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::uint32_t mix_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + mix_e + ((e & f) ^ (~e & g)) + constants.at(i) + schedule.at(i);
    const std::uint32_t mix_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = mix_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Words last{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state.at(i) += last.at(i);
}

// A bit 1, zeros, and the length in bits, so that whole blocks result.
std::string padded_end(std::string_view text) {
  std::string end(text.substr(text.size() - text.size() % block_size));
  end += '\x80';
  while (end.size() % block_size != block_size - 8) end += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>((bits >> static_cast<unsigned>(shift)) & 0xffU);
  return end;
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  Words state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::string end = padded_end(text);
  const std::size_t whole = text.size() - text.size() % block_size;
  for (std::size_t at = 0; at < whole; at += block_size) take_block(state, text.substr(at, block_size));
  for (std::size_t at = 0; at < end.size(); at += block_size)
    take_block(state, std::string_view(end).substr(at, block_size));
  std::array<std::uint8_t, 32> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest.at(i) = static_cast<std::uint8_t>(state.at(i / 4) >> (24 - 8 * (i % 4)));
  return digest;
}

std::string digest_of(std::string_view text) {
  const auto digest = sha256(text);
  return hex_of(std::span(digest).first<16>());
}

}  // namespace assay
