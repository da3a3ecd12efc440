// SPDX-License-Identifier: Apache-2.0
// FNV-1a over 128 bits in 64-bit arithmetic.
#include "text/text_key.hpp"

namespace assay {
namespace {

// The prime is 2^88 + 0x13b.
constexpr std::uint64_t prime_low = 0x13b;
constexpr unsigned prime_shift = 88 - 64;

TextKey times_prime(const TextKey& key) {
  const std::uint64_t lower = (key.low & 0xffffffffU) * prime_low;
  const std::uint64_t upper = (key.low >> 32U) * prime_low + (lower >> 32U);
  return {key.high * prime_low + (upper >> 32U) + (key.low << prime_shift), (upper << 32U) | (lower & 0xffffffffU)};
}

}  // namespace

TextKey text_key(std::string_view text) {
  TextKey key{0x6c62272e07bb0142U, 0x62b821756295c58dU};
  for (const char letter : text) {
    key.low ^= static_cast<unsigned char>(letter);
    key = times_prime(key);
  }
  return key;
}

}  // namespace assay
