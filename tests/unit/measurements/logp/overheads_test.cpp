// SPDX-License-Identifier: Apache-2.0
// Sends that the receiver may have helped on count for nothing.
#include "logp/overheads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "logp/protocol.hpp"
#include "support/measurements/one_batch.hpp"
#include "synthetic/channel.hpp"

namespace assay::test {
namespace {

/// Sends of 500 ns, and a gate at which one of so many looks comes before the other side is done; 0: none does.
template <std::int64_t aided_one_in>
class LookedAt : public SyntheticChannel<SimulatedTime> {
 public:
  using SyntheticChannel<SimulatedTime>::SyntheticChannel;
  std::int64_t capacity() const { return 4; }

  class Gate {
   public:
    explicit Gate(Setup& setup) : gate_(setup), word_(setup.share<Word>()) {}
    void open(bool word = true) {
      word_.is_true.store(word, std::memory_order_relaxed);
      gate_.open();
    }
    void open_later() { open(); }
    bool pass() {
      gate_.pass();
      return word_.is_true.load(std::memory_order_relaxed);
    }
    bool pass_unaided() {
      gate_.pass();
      ++looks_;
      return aided_one_in == 0 || looks_ % aided_one_in != 0;
    }

   private:
    struct Word {
      std::atomic<bool> is_true{true};
    };
    assay::Gate gate_;
    Word& word_;
    std::int64_t looks_ = 0;
  };
};

template <std::int64_t aided_one_in>
OneBatch overheads() {
  using Channel = LookedAt<aided_one_in>;
  Description description = describe(Protocol::overheads);
  description.traits = Channel::traits();
  const Levels levels{
      {"o_s", std::int64_t{500}}, {"o_r", std::int64_t{300}}, {"L", std::int64_t{2000}}, {"g", std::int64_t{1}}};
  for (const auto& [name, level] : levels)
    description.factors.push_back({.name = name, .kind = FactorKind::quantitative, .standard = level});
  // Each member has a measurement of its own, as ranks have.
  return run_class<Overheads<Channel>>(description, {"process"}, levels, Reps{100});
}

std::optional<double> observed(const OneBatch& batch, std::size_t quantity) {
  return observe(batch.batch, batch.description, quantity, batch.traits);
}

TEST(Overheads, PartsThatTheReceiverMayHaveHelpedDoNotCount) {
  EXPECT_EQ(observed(overheads<0>(), 0).value(), 500);
  const OneBatch some = overheads<3>();
  EXPECT_EQ(observed(some, 0).value(), 500);  // per repetition of those that count
  EXPECT_EQ(observed(some, 1).value(), 300);
}

TEST(Overheads, WithoutAnyOtherPartASendHasNoValue) {
  const OneBatch none = overheads<1>();
  EXPECT_FALSE(observed(none, 0));
  EXPECT_EQ(observed(none, 1).value(), 300);
}

}  // namespace
}  // namespace assay::test
