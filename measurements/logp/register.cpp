// SPDX-License-Identifier: Apache-2.0
// Protocols times channels: which combinations exist, and how they are described.
#include "logp/register.hpp"

#include "channel/condvar.hpp"
#include "channel/flag.hpp"
#include "channel/futex.hpp"
#include "channel/pipe.hpp"
#include "logp/gap.hpp"
#include "logp/mutex_ring.hpp"
#include "logp/overheads.hpp"
#include "logp/round_trip.hpp"

namespace assay {
namespace {

using Maker = std::unique_ptr<Measurement> (*)(Setup&);

template <class M>
std::unique_ptr<Measurement> make(Setup& setup) {
  return std::make_unique<M>(setup);
}

/// One level of factor `channel` under one protocol.
struct Choice {
  const char* channel;
  Traits traits;
  Maker maker;
  bool has_bytes = false;
  bool has_heartbeat = false;
};

Traits ring_traits() {
  return {.vehicles = {"thread", "process"},
          .waiting = Waiting::either,
          .events_per_rep = static_cast<double>(four_lock_ring().round_trips)};
}

/// Bounded so that no send of a batch can wait for a receiver: 64 KiB is the standard room of a pipe.
Traits bounded(Traits traits, std::int64_t most) {
  traits.reps.most = Reps{most};
  return traits;
}

template <template <class> class Protocol>
std::unique_ptr<Measurement> make_flag(Setup& setup) {
  if (setup.word("heartbeat") == "on") return std::make_unique<Protocol<Flag<true>>>(setup);
  return std::make_unique<Protocol<Flag<false>>>(setup);
}

Factor channel_factor(const std::vector<Choice>& choices) {
  Factor factor{
      .name = "channel", .standard = std::string(choices.front().channel), .summary = "what carries the message"};
  for (const Choice& choice : choices) factor.words.emplace_back(choice.channel);
  return factor;
}

std::vector<Factor> factors_of(const std::vector<Choice>& choices, std::vector<Factor> further) {
  std::vector<Factor> factors{channel_factor(choices)};
  bool bytes = false;
  bool heartbeat = false;
  for (const Choice& choice : choices) {
    bytes |= choice.has_bytes;
    heartbeat |= choice.has_heartbeat;
  }
  if (bytes)
    factors.push_back({.name = "bytes",
                       .kind = FactorKind::quantitative,
                       .unit = Unit::bytes,
                       .standard = std::int64_t{1},
                       .summary = "size of a message, where messages have sizes"});
  if (heartbeat)
    factors.push_back({.name = "heartbeat",
                       .standard = std::string("off"),
                       .words = {"off", "on"},
                       .summary = "a polling receiver proves that it runs by counting in its loop"});
  for (Factor& factor : further) factors.push_back(std::move(factor));
  return factors;
}

void refuse_what_does_not_apply(const Setup& setup, const Choice& choice, const Description& description) {
  const auto declared = [&](std::string_view name) {
    return std::any_of(description.factors.begin(), description.factors.end(),
                       [&](const Factor& f) { return f.name == name; });
  };
  if (!choice.has_bytes && declared("bytes") && setup.level<std::int64_t>("bytes") != 1)
    throw Unsupported(std::string("a message over channel '") + choice.channel + "' has no size");
  if (!choice.has_heartbeat && declared("heartbeat") && setup.word("heartbeat") == "on")
    throw Unsupported(std::string("channel '") + choice.channel + "' has no polling loop to beat in");
}

void add_protocol(Registry& registry, Description description, const std::vector<Choice>& choices,
                  std::vector<Factor> further = {}) {
  description.members = exactly(2);
  description.factors = factors_of(choices, std::move(further));
  description.selector = "channel";
  description.traits = choices.front().traits;
  for (const Choice& choice : choices) description.selected.emplace_back(choice.channel, choice.traits);
  registry.add(description, [description, choices](Setup& setup) {
    for (const Choice& choice : choices) {
      if (setup.word("channel") != choice.channel) continue;
      refuse_what_does_not_apply(setup, choice, description);
      return choice.maker(setup);
    }
    throw Unsupported("there is no channel '" + setup.word("channel") + "'");
  });
}

void register_round_trip(Registry& registry) {
  add_protocol(registry,
               {.name = "logp/round_trip",
                .summary = "Round trip of one message: send and receive by member 0, receive and send by member 1.",
                .quantities = {{.name = "rtt", .summary = "one round trip, timed by the initiator"}}},
               {{"flag", Flag<false>::traits(), make_flag<RoundTrip>, false, true},
                {"futex", Futex::traits(), make<RoundTrip<Futex>>},
                {"mutex-ring", ring_traits(), make<MutexRing<four_lock_ring, false>>},
                {"mutex-ring-checked", ring_traits(), make<MutexRing<four_lock_ring, true>>},
                {"condvar", Condvar::traits(), make<RoundTrip<Condvar>>},
                {"pipe", Pipe::traits(), make<RoundTrip<Pipe>>, true}});
}

void register_overheads(Registry& registry) {
  Quantity send{.name = "o_s[idle]", .summary = "one send while the receiver is alive and not receiving"};
  Quantity receive{.name = "o_r[ready]", .claimant = 1, .summary = "one receive of a message that is there"};
  const std::int64_t many = 1 << 20;
  add_protocol(registry,
               {.name = "logp/overheads",
                .summary = "Send overhead to an idle receiver, then receive overhead of the messages that are ready.",
                .quantities = {send, receive}},
               {{"futex", bounded(Futex::traits(), many), make<Overheads<Futex>>},
                {"condvar", bounded(Condvar::traits(), many), make<Overheads<Condvar>>},
                {"pipe", bounded(Pipe::traits(), 1 << 12), make<Overheads<Pipe>>, true}});
}

void register_gap(Registry& registry) {
  Factor burst{.name = "burst",
               .kind = FactorKind::quantitative,
               .standard = std::int64_t{64},
               .summary = "messages in a burst; g is the slope of the time over it"};
  add_protocol(registry,
               {.name = "logp/gap",
                .summary = "A burst of messages and one reply; derive g as `slope burst`.",
                .quantities = {{.name = "burst_time", .summary = "from the first send to the reply's arrival"}}},
               {{"futex", Futex::traits(), make<Gap<Futex>>},
                {"condvar", Condvar::traits(), make<Gap<Condvar>>},
                {"pipe", Pipe::traits(), make<Gap<Pipe>>, true}},
               {burst});
}

}  // namespace

void register_logp(Registry& registry) {
  register_round_trip(registry);
  register_overheads(registry);
  register_gap(registry);
}

}  // namespace assay
