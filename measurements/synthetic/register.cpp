// SPDX-License-Identifier: Apache-2.0
// Registers measurements with known answers: laws, the channel of known LogP parameters, and failures.
#include "synthetic/register.hpp"

#include "logp/gap.hpp"
#include "logp/overheads.hpp"
#include "logp/round_trip.hpp"
#include "synthetic/channel.hpp"
#include "synthetic/claims.hpp"
#include "synthetic/fault.hpp"
#include "synthetic/law.hpp"

namespace assay {
namespace {

Factor number(const char* name, std::int64_t standard, const char* summary, Unit unit = Unit::nanoseconds) {
  return {.name = name, .kind = FactorKind::quantitative, .unit = unit, .standard = standard, .summary = summary};
}

void register_laws(Registry& registry) {
  for (const auto& [word, summary] : law_words())
    registry.add({.name = "synthetic/" + word,
                  .summary = summary,
                  .quantities = {{.name = "time", .summary = "a draw from the law"}},
                  .factors = {number("median", 1000, "the law's median"),
                              {.name = "spread",
                               .kind = FactorKind::quantitative,
                               .unit = Unit::ratio,
                               .standard = 0.05,
                               .summary = "the law's width relative to its median"},
                              {.name = "between",
                               .kind = FactorKind::quantitative,
                               .unit = Unit::ratio,
                               .standard = 0.0,
                               .summary = "standard deviation of the logs of the median between processes"}},
                  .members = exactly(1),
                  .traits = {.simulated = true}},
                 [word = word](Setup& setup) { return std::make_unique<LawDraws>(setup, word); });
}

std::vector<Factor> channel_factors(std::vector<Factor> further = {}) {
  std::vector<Factor> factors{number("o_s", 500, "the processor's time for a send"),
                              number("o_r", 300, "the processor's time for a receive"),
                              number("L", 2000, "from a message's departure to the moment it can be received"),
                              number("g", 800, "least time between two departures"),
                              {.name = "time",
                               .standard = std::string("simulated"),
                               .words = {"simulated", "real"},
                               .summary = "whether time is computed or spent in loops"}};
  for (Factor& factor : further) factors.push_back(std::move(factor));
  return factors;
}

Traits channel_traits(bool simulated, std::int64_t most) {
  return {.vehicles = {"thread", "process"},
          .waiting = simulated ? Waiting::either : Waiting::spins,
          .reps = {.most = Reps{most}},
          .simulated = simulated};
}

template <template <class> class Protocol>
void add_channel(Registry& registry, Description description, std::vector<Factor> further = {},
                 std::int64_t most = RepsBounds{}.most.count) {
  description.members = exactly(2);
  description.factors = channel_factors(std::move(further));
  description.traits = channel_traits(true, most);
  description.selector = "time";
  description.selected = {{"simulated", channel_traits(true, most)}, {"real", channel_traits(false, most)}};
  registry.add(std::move(description), [](Setup& setup) -> std::unique_ptr<Measurement> {
    if (setup.word("time") == "real") return std::make_unique<Protocol<SyntheticChannel<RealTime>>>(setup);
    return std::make_unique<Protocol<SyntheticChannel<SimulatedTime>>>(setup);
  });
}

void register_channel(Registry& registry) {
  add_channel<RoundTrip>(registry, {.name = "synthetic/round_trip",
                                    .summary = "Round trip over a channel of known parameters: 2 (o_s + L + o_r).",
                                    .quantities = {{.name = "rtt", .summary = "one round trip"}}});
  add_channel<Overheads>(
      registry,
      {.name = "synthetic/overheads",
       .summary = "Overheads of a channel of known parameters.",
       .quantities = {{.name = "o_s[idle]", .summary = "one send"},
                      {.name = "o_r[ready]", .claimant = 1, .summary = "one receive of a message that is there"}}},
      {}, synthetic_capacity);
  add_channel<Gap>(registry,
                   {.name = "synthetic/gap",
                    .summary = "Bursts over a channel of known parameters: the slope over burst is max(g, o_s, o_r).",
                    .quantities = {{.name = "burst_time", .summary = "from the first send to the reply's arrival"}}},
                   {number("burst", 64, "messages in a burst", Unit::count)});
}

void register_claims(Registry& registry) {
  registry.add<ThreeClaims>(
      {.name = "synthetic/claims",
       .summary = "Three quantities with different claimants and known values.",
       .quantities =
           {{.name = "near", .summary = "claimed by member 0"},
            {.name = "far", .claimant = 1, .is_signed = true, .summary = "claimed by member 1"},
            {.name = "events", .unit = Unit::count, .combine = Combine::sum, .summary = "summed over all members"}},
       .factors = {number("near", 100, "value of near"), number("far", -40, "value of far")},
       .members = exactly(2),
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::either, .simulated = true}});
  registry.add<Fault>(
      {.name = "synthetic/fault",
       .summary = "A measurement that goes wrong in a chosen way.",
       .quantities = {{.is_signed = true, .summary = "one empty repetition, before it goes wrong"}},
       .factors =
           {{.name = "fault", .standard = std::string("none"), .words = fault_words(), .summary = "what happens"},
            number("rank", 0, "the member it happens to", Unit::count)},
       .members = {1, 64},
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::either}});
}

}  // namespace

void register_synthetic(Registry& registry) {
  register_laws(registry);
  register_channel(registry);
  register_claims(registry);
}

}  // namespace assay
