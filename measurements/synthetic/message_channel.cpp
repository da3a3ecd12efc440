// SPDX-License-Identifier: Apache-2.0
// The parameters of the protocol that a message's size selects.
#include "synthetic/message_channel.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace assay {
namespace {

Factor factor(std::string name, Value standard, std::string summary, Unit unit = Unit::nanoseconds) {
  return {.name = std::move(name),
          .kind = FactorKind::quantitative,
          .unit = unit,
          .standard = std::move(standard),
          .summary = std::move(summary)};
}

struct Defaults {
  double o_s, o_s_byte, o_r, o_r_byte, latency, g, per_byte;
};
constexpr Defaults eager{500, 0.05, 300, 0.05, 2000, 800, 0.1};
constexpr Defaults rendezvous{3000, 0, 400, 0, 2000, 1000, 0.08};

void add_parameters(std::vector<Factor>& factors, const std::string& prefix, const Defaults& standard) {
  factors.push_back(factor(prefix + "o_s", standard.o_s, "the processor's time for a send, without its bytes"));
  factors.push_back(factor(prefix + "o_s_B", standard.o_s_byte, "and per byte"));
  factors.push_back(factor(prefix + "o_r", standard.o_r, "the processor's time for a receive, without its bytes"));
  factors.push_back(factor(prefix + "o_r_B", standard.o_r_byte, "and per byte"));
  factors.push_back(factor(prefix + "L", standard.latency, "from departure to arrival, without the bytes"));
  factors.push_back(factor(prefix + "g", standard.g, "least time between two departures, without the bytes"));
  factors.push_back(factor(prefix + "G", standard.per_byte, "transfer time per byte"));
}

}  // namespace

std::vector<Factor> message_factors() {
  std::vector<Factor> factors{factor("bytes", std::int64_t{1}, "size of a message", Unit::bytes)};
  add_parameters(factors, "", eager);
  factors.push_back(factor("eager", std::int64_t{4096},
                           "largest message accepted without a receiver; larger ones have the rdv_ parameters",
                           Unit::bytes));
  factors.push_back(factor("credit", std::int64_t{1024}, "messages held without a receiver", Unit::count));
  add_parameters(factors, "rdv_", rendezvous);
  factors.push_back(factor("noise", 0.0, "standard deviation of the log of each operation's time", Unit::ratio));
  factors.push_back(factor("between", 0.0, "the same of all times of a process together", Unit::ratio));
  return factors;
}

MessageLaw::MessageLaw(const Setup& setup, std::int64_t most_credit)
    : noise_(setup.level<double>("noise")), seed_(setup.seed()) {
  const auto bytes = setup.level<double>("bytes");
  const bool is_eager = bytes <= setup.level<double>("eager");
  const std::string prefix = is_eager ? "" : "rdv_";
  const auto parameter = [&](const char* name) { return setup.level<double>(prefix + name); };
  const auto with_bytes = [&](const char* fixed, const char* each) {
    return parameter(fixed) + bytes * parameter(each);
  };
  Rng rng(seed_);
  const double process_effect = std::exp(setup.level<double>("between") * rng.normal());
  costs_ = {with_bytes("o_s", "o_s_B") * process_effect, with_bytes("o_r", "o_r_B") * process_effect,
            with_bytes("L", "G") * process_effect, with_bytes("g", "G") * process_effect};
  credit_ = is_eager ? setup.level<std::int64_t>("credit") : 0;
  if (std::min({costs_.o_s, costs_.o_r, costs_.way, costs_.gap, noise_, bytes}) < 0)
    throw Unsupported("LogGP parameters, sizes and noise are not negative");
  if (credit_ < 0 || credit_ > most_credit || (is_eager && credit_ == 0))
    throw Unsupported("a credit of 1 to " + std::to_string(most_credit) + " messages can be had");
}

std::int64_t MessageLaw::Noise::of(double usual) {
  if (spread_ <= 0) return std::llround(usual);
  constexpr std::uint64_t one_in = 1000;
  constexpr double slower = 5;
  const double factor = std::exp(spread_ * rng_.normal()) * (rng_.below(one_in) == 0 ? slower : 1);
  return std::llround(usual * factor);
}

MessageLaw::Noise MessageLaw::noise_of(int rank) const {
  return {noise_, seed_ + 1 + static_cast<std::uint64_t>(rank)};
}

}  // namespace assay
