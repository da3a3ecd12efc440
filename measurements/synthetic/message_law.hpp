// SPDX-License-Identifier: Apache-2.0
// What a message of so many bytes costs on a channel of known LogGP parameters, with two protocols and a noise law.
#pragma once
#include <cstdint>
#include <vector>

#include "api/measurement.hpp"
#include "base/rng.hpp"

namespace assay {

/// The parameters of one protocol for messages of one size, in ns.
struct MessageCosts {
  double o_s = 0;  ///< the sender's occupation
  double o_r = 0;  ///< the receiver's occupation
  double way = 0;  ///< from departure to the arrival of the last byte: L + bytes G
  double gap = 0;  ///< least time between two departures: g + bytes G
};

/// Factors of the law: bytes, the parameters of both protocols, the size up to which messages are taken without a
/// receiver, how many of them, and the noise.
std::vector<Factor> message_factors();

/// The law at one point. Messages of more than `eager` bytes wait for their receiver and have parameters of their own,
/// those that begin with `rdv_`.
class MessageLaw {
 public:
  /// Throws Unsupported for negative parameters, and for more credit than `most_credit`.
  MessageLaw(const Setup& setup, std::int64_t most_credit);
  const MessageCosts& costs() const { return costs_; }
  /// Messages that are taken while none is received; 0 where each waits for its receiver.
  std::int64_t credit() const { return credit_; }

  /// How one member's operations vary: log-normal of `noise`, and one in a thousand takes five times as long.
  class Noise {
   public:
    Noise() : Noise(0, 0) {}
    Noise(double spread, std::uint64_t seed) : spread_(spread), rng_(seed) {}
    /// The duration of one operation that takes `usual`, in whole ns.
    std::int64_t of(double usual);

   private:
    double spread_;
    Rng rng_;
  };
  /// Of a member; the same in each process that has the seed of the point.
  Noise noise_of(int rank) const;

 private:
  MessageCosts costs_;
  std::int64_t credit_ = 0;
  double noise_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace assay
