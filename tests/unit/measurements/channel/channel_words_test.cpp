// SPDX-License-Identifier: Apache-2.0
// Every channel that can be named exchanges messages under every vehicle that it declares, in a real team.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "catalog.hpp"
#include "support/measurements/channel_pair.hpp"
#include "team/batch_classifier.hpp"
#include "team/team.hpp"

namespace assay::test {
namespace {

const Entry& measurement(std::string_view name) {
  static const Registry registry = [] {
    Registry filled;
    register_all(filled);
    return filled;
  }();
  return *registry.find(name);
}

std::optional<double> run(const Entry& entry, const std::string& vehicle,
                          const std::vector<std::pair<std::string, Value>>& levels, Reps reps) {
  TeamRequest request;
  request.vehicle = vehicle;
  request.members = 2;
  for (const auto& [factor, level] : levels) request.point.set(factor, level);
  const Traits& traits = traits_at(entry.description, request.point);
  if (const auto cpus = usable_cpus(); cpus.size() > 1) request.placement.cpus = {cpus[0], cpus[1]};
  const auto team = open_team(entry, request);
  return observe(team->run(reps), entry.description, 0, traits);
}

class ChannelWords : public Watched {
  void SetUp() override { ::alarm(60); }  // some fifty teams, on a machine that may be busy
};

TEST_F(ChannelWords, AreThoseOfTheManual) {
  for (const std::string word : {"flag",
                                 "flag-one-line",
                                 "ring",
                                 "futex",
                                 "futex-lazy",
                                 "condvar",
                                 "condvar-inside",
                                 "condvar-paper",
                                 "sem",
                                 "counting-semaphore",
                                 "sysv-sem",
                                 "atomic-wait-4",
                                 "atomic-wait-8",
                                 "barrier",
                                 "std-barrier",
                                 "eventfd",
                                 "eventfd-counter",
                                 "pipe",
                                 "mqueue",
                                 "unix-stream",
                                 "unix-dgram",
                                 "unix-seqpacket",
                                 "tcp",
                                 "udp",
                                 "rpc-udp",
                                 "rpc-tcp",
                                 "signal",
                                 "signal-handler",
                                 "signal-rt"}) {
    const auto& selected = measurement("logp/round_trip").description.selected;
    EXPECT_TRUE(std::any_of(selected.begin(), selected.end(), [&](const auto& s) { return s.first == word; })) << word;
  }
}

TEST_F(ChannelWords, EachMakesRoundTripsUnderEachVehicle) {
  const Entry& entry = measurement("logp/round_trip");
  for (const auto& [word, traits] : entry.description.selected)
    for (const std::string& vehicle : traits.vehicles) {
      if (traits.waiting == Waiting::spins && !has_two_cpus()) continue;
      if (word == "mutex-pp-ring") continue;  // needs a real-time policy (N8)
      SCOPED_TRACE(word + " " + vehicle);
      EXPECT_GT(run(entry, vehicle, {{"channel", word}}, Reps{200}).value_or(0), 0);
    }
}

TEST_F(ChannelWords, ObjectsThatAreNotSharedStayWithThreads) {
  for (const std::string word : {"counting-semaphore", "atomic-wait-4", "atomic-wait-8", "std-barrier"})
    EXPECT_THROW(run(measurement("logp/round_trip"), "process", {{"channel", word}}, Reps{1}), Unsupported) << word;
}

// Queued signals count against a limit of the user's: other tests want to run meanwhile.
class FewPendingSignals {
 public:
  FewPendingSignals() {
    ::getrlimit(RLIMIT_SIGPENDING, &before_);
    const rlimit few{std::min<rlim_t>(before_.rlim_cur, 1024), before_.rlim_max};
    ::setrlimit(RLIMIT_SIGPENDING, &few);
  }
  FewPendingSignals(const FewPendingSignals&) = delete;
  FewPendingSignals& operator=(const FewPendingSignals&) = delete;
  ~FewPendingSignals() { ::setrlimit(RLIMIT_SIGPENDING, &before_); }

 private:
  rlimit before_{};
};

void run_or_say_why_not(const Entry& entry, const std::string& word, const Traits& traits, const std::string& vehicle) {
  SCOPED_TRACE(entry.description.name + " " + word + " " + vehicle);
  try {
    run(entry, vehicle, {{"channel", word}}, std::min(traits.reps.most, Reps{3}));
  } catch (const Unsupported& reason) {
    EXPECT_STRNE(reason.what(), "");
  }
}

class ProtocolOverChannels : public ChannelWords, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Each, ProtocolOverChannels,
                         testing::Values("overheads", "issue", "blocked", "one_way", "burst", "capacity"),
                         [](const auto& protocol) { return protocol.param; });

TEST_P(ProtocolOverChannels, RunsUnderEachVehicleOrSaysWhyNot) {
  const FewPendingSignals considerate;
  const Entry& entry = measurement("logp/" + GetParam());
  for (const auto& [word, traits] : entry.description.selected)
    for (const std::string& vehicle : traits.vehicles)
      if (traits.waiting != Waiting::spins || has_two_cpus()) run_or_say_why_not(entry, word, traits, vehicle);
}

TEST_F(ChannelWords, RefuseFactorsThatTheyDoNotHave) {
  const auto refuses = [](const std::string& word, const std::string& factor, const Value& level) {
    EXPECT_THROW(run(measurement("logp/round_trip"), "thread", {{"channel", word}, {factor, level}}, Reps{1}),
                 Unsupported)
        << word << " " << factor;
  };
  refuses("futex", "bytes", std::int64_t{64});
  refuses("eventfd", "bytes", std::int64_t{64});
  refuses("pipe", "pair", std::string("shared"));
  refuses("pipe", "heartbeat", std::string("on"));
  refuses("mqueue", "pair", std::string("shared"));
  refuses("rpc-udp", "pair", std::string("shared"));
  refuses("udp", "nodelay", std::string("off"));
  refuses("signal-rt", "heartbeat", std::string("on"));
  for (const std::string word : {"pipe", "mqueue", "unix-stream", "unix-dgram", "unix-seqpacket", "tcp", "udp"})
    refuses(word, "bytes", std::int64_t{0});
}

}  // namespace
}  // namespace assay::test
