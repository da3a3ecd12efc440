// SPDX-License-Identifier: Apache-2.0
// Messages of every kind with random content.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "run/protocol/messages.hpp"

namespace assay::testing_support {

inline std::string random_text(Rng& rng) {
  constexpr std::string_view alphabet = "abc/= \"\\\n\t{}[]:,\x01\x7f";
  std::string text;
  for (auto length = rng.below(12); length > 0; --length) text += alphabet[rng.below(alphabet.size())];
  return text + "x";
}

inline std::int64_t random_integer(Rng& rng) { return static_cast<std::int64_t>(rng.next() >> (1 + rng.below(63))); }
inline int random_small(Rng& rng) { return static_cast<int>(rng.below(1000)); }
inline bool random_flag(Rng& rng) { return rng.below(2) == 0; }
inline Nanoseconds random_duration(Rng& rng) { return {rng.uniform() * 1e12}; }

inline std::vector<int> random_cpus(Rng& rng, std::size_t count) {
  std::vector<int> cpus(count);
  for (int& cpu : cpus) cpu = random_small(rng);
  return cpus;
}

inline Value random_level(Rng& rng) {
  if (rng.below(3) == 0) return random_integer(rng);
  if (rng.below(2) == 0) return rng.normal();
  return random_text(rng);
}

inline Point random_point(Rng& rng) {
  Point point;
  for (auto factors = rng.below(4); factors > 0; --factors) point.set("f" + std::to_string(factors), random_level(rng));
  return point;
}

inline OpenMessage random_open(Rng& rng) {
  const auto members = 1 + rng.below(4);
  return {
      random_text(rng),
      random_point(rng),
      random_text(rng),
      static_cast<int>(members),
      {random_text(rng), random_cpus(rng, random_flag(rng) ? members : 0), random_flag(rng) ? -1 : random_small(rng)},
      random_text(rng),
      random_flag(rng),
      random_flag(rng),
      rng.next(),
      random_duration(rng),
      random_small(rng)};
}

inline VisitOrder random_order(Rng& rng) {
  return {Reps{1 + random_integer(rng)}, random_small(rng), random_small(rng),
          1 + random_small(rng),         random_flag(rng),  random_duration(rng)};
}

inline Opened random_opened(Rng& rng) {
  return {1 + random_small(rng), random_cpus(rng, rng.below(4)),
          random_duration(rng),  random_integer(rng),
          random_small(rng),     random_duration(rng),
          random_duration(rng),  random_duration(rng),
          random_duration(rng),  random_text(rng),
          random_small(rng)};
}

inline MemberReport random_report(Rng& rng) {
  MemberReport report;
  if (random_flag(rng)) report.claims.set(rng.below(max_quantities), rng.normal());
  report.voluntary = random_integer(rng);
  report.cpu_after = random_small(rng);
  report.wall = random_duration(rng);
  return report;
}

inline VisitYield random_yield(Rng& rng) {
  VisitYield yield;
  for (auto batches = 1 + rng.below(5); batches > 0; --batches)
    yield.batches.push_back({Reps{1 + random_integer(rng)}, {random_report(rng), random_report(rng)}});
  yield.discarded = static_cast<int>(rng.below(yield.batches.size() + 1));
  if (random_flag(rng)) yield.reference = random_duration(rng);
  return yield;
}

inline Traits random_traits(Rng& rng) {
  const Reps least{1 + random_small(rng)};
  return {{random_text(rng), random_text(rng)},
          static_cast<Waiting>(rng.below(5)),
          rng.uniform() + 0.1,
          {least, Reps{least.count + random_integer(rng) / 2}},
          random_flag(rng),
          random_text(rng),
          random_text(rng)};
}

inline Description random_description(Rng& rng) {
  const int least = 1 + random_small(rng);
  Description description{random_text(rng), random_text(rng), {}, {}, {least, least + random_small(rng)}};
  for (auto quantities = 1 + rng.below(max_quantities); quantities > 0; --quantities)
    description.quantities.push_back({random_text(rng), static_cast<Unit>(rng.below(6)),
                                      static_cast<Combine>(rng.below(5)), static_cast<int>(rng.below(2)) % least,
                                      static_cast<Per>(rng.below(2)), random_flag(rng), random_text(rng)});
  for (auto factors = rng.below(3); factors > 0; --factors)
    description.factors.push_back({random_text(rng),
                                   static_cast<FactorKind>(rng.below(2)),
                                   static_cast<Unit>(rng.below(6)),
                                   random_level(rng),
                                   {random_text(rng)},
                                   random_text(rng)});
  description.traits = random_traits(rng);
  description.selector = random_text(rng);
  description.selected = {{random_text(rng), random_traits(rng)}};
  return description;
}

/// A message of every kind, as lines.
inline std::vector<std::string> random_requests(Rng& rng) {
  return {encode(Request(random_open(rng)), 1 + random_integer(rng) / 2),
          encode(Request(random_order(rng)), 1 + random_integer(rng) / 2),
          encode(Request(DescribeMessage{}), 1 + random_integer(rng) / 2)};
}

inline std::vector<std::string> random_replies(Rng& rng) {
  return {encode(Reply(random_opened(rng)), random_integer(rng)), encode(Reply(random_yield(rng)), random_integer(rng)),
          encode(Reply(FailedMessage{Outcome::unsupported, random_text(rng), random_text(rng)}), random_integer(rng)),
          encode(Reply(Described{{random_description(rng), random_description(rng)}}), random_integer(rng))};
}

}  // namespace assay::testing_support
