// SPDX-License-Identifier: Apache-2.0
// Registers measurements with known answers: laws, the channels of known LogP and LogGP parameters, and failures.
#include "groups.hpp"

#include <iterator>

#include "logp/over_all.hpp"
#include "synthetic/channel.hpp"
#include "synthetic/faults.hpp"
#include "synthetic/law.hpp"
#include "synthetic/message_channel.hpp"
#include "synthetic/states.hpp"

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
                 [law = word](Setup& setup) { return std::make_unique<LawDraws>(setup, law); });
}

std::vector<Factor> channel_factors() {
  return {number("o_s", 500, "the processor's time for a send"),
          number("o_r", 300, "the processor's time for a receive"),
          number("L", 2000, "from a message's departure to the moment it can be received"),
          number("g", 800, "least time between two departures")};
}

Factor time_factor() {
  return {.name = "time",
          .standard = std::string("simulated"),
          .words = {"simulated", "real"},
          .summary = "whether time is computed or spent in loops"};
}

Description over_synthetic(Protocol protocol, std::vector<Factor> factors, const std::string& group = "synthetic/") {
  Description description = describe(protocol);
  description.name = group + description.name;
  std::move(description.factors.begin(), description.factors.end(), std::back_inserter(factors));
  description.factors = std::move(factors);
  return description;
}

template <template <class> class P>
void add_channel(Registry& registry, Protocol protocol) {
  using Simulated = SyntheticChannel<SimulatedTime>;
  using Real = SyntheticChannel<RealTime>;
  std::vector<Factor> factors = channel_factors();
  factors.push_back(time_factor());
  Description description = over_synthetic(protocol, std::move(factors));
  description.traits = P<Simulated>::over(Simulated::traits());
  description.selector = "time";
  description.selected = {{"simulated", description.traits}, {"real", P<Real>::over(Real::traits())}};
  registry.add(std::move(description), [](Setup& setup) -> std::unique_ptr<Measurement> {
    if (setup.word("time") == "real") return std::make_unique<P<Real>>(setup);
    return std::make_unique<P<Simulated>>(setup);
  });
}

void register_channel(Registry& registry) {
  add_channel<RoundTrip>(registry, Protocol::round_trip);
  add_channel<Overheads>(registry, Protocol::overheads);
  add_channel<OneWay>(registry, Protocol::one_way);
  add_channel<Burst>(registry, Protocol::burst);
  add_channel<Capacity>(registry, Protocol::capacity);
  Description blocked = over_synthetic(Protocol::blocked, channel_factors());
  blocked.traits = Blocked<SleepingSyntheticChannel>::over(SleepingSyntheticChannel::traits());
  registry.add<Blocked<SleepingSyntheticChannel>>(std::move(blocked));
  using Nothing = NoChannel<RealTime>;
  Description empty = describe(Protocol::round_trip);
  empty.name = "synthetic/empty";
  empty.summary = "Round trip over a channel that does nothing: 0 within the clock's resolution.";
  empty.traits = Nothing::traits();
  registry.add<RoundTrip<Nothing>>(std::move(empty));
}

template <template <class> class P>
void add_messages(Registry& registry, Protocol protocol) {
  Description description = over_synthetic(protocol, message_factors(), "synthetic-messages/");
  description.traits = P<MessageChannel>::over(MessageChannel::traits());
  registry.add<P<MessageChannel>>(std::move(description));
}

void register_messages(Registry& registry) {
  add_messages<RoundTrip>(registry, Protocol::round_trip);
  add_messages<Overheads>(registry, Protocol::overheads);
  add_messages<OneWay>(registry, Protocol::one_way);
  add_messages<Burst>(registry, Protocol::burst);
  add_messages<Capacity>(registry, Protocol::capacity);
}

void register_states(Registry& registry) {
  registry.add<States>(
      {.name = "synthetic/states",
       .summary = "An action of known length on simulated cores that other work shares intermittently.",
       .quantities = {{.name = "time", .summary = "the action, as affected by the states of the cores"}},
       .factors = states_factors(),
       .members = {1, 2},
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::either, .simulated = true}});
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
       .summary = "A measurement that fails in a chosen way.",
       .quantities = {{.is_signed = true, .summary = "one empty repetition, before it fails"}},
       .factors =
           {{.name = "fault", .standard = std::string("none"), .words = fault_words(), .summary = "what happens"},
            number("rank", 0, "the member that fails", Unit::count)},
       .members = {1, 64},
       .traits = {.vehicles = {"thread", "process"}, .waiting = Waiting::either}});
  Description lossy = describe(Protocol::round_trip);
  lossy.name = "synthetic/lost_wake_up";
  lossy.summary = "Round trips until a wake-up is lost and the receiver sleeps forever.";
  lossy.factors.push_back(number("after", 100, "messages before one is lost", Unit::count));
  lossy.traits = LosingChannel::traits();
  registry.add<RoundTrip<LosingChannel>>(std::move(lossy));
}

}  // namespace

void register_synthetic(Registry& registry) {
  register_laws(registry);
  register_channel(registry);
  register_messages(registry);
  register_claims(registry);
  register_states(registry);
}

}  // namespace assay
