// SPDX-License-Identifier: Apache-2.0
// What procfs says about a thread, read as a proof that it sleeps where it should.
#include "logp/proof.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "channel/channel.hpp"

namespace assay {
namespace {

const SleepingPlace place{{202, 240}, 0x7f0000001000, 0x7f0000001fff};

TEST(Proof, ASleeperAtThePlaceIsShown) {
  EXPECT_TRUE(shows_sleep_at("202 0x7f0000001000 0x80 0x1 0x0 0x0 0x0 0x7ffc00000000 0x7f1100000000\n", place));
  EXPECT_TRUE(shows_sleep_at("240 0x7f0000001fff 0x80\n", place)) << "the second call, at the end of the place";
}

TEST(Proof, AnotherCallOrAnotherAddressIsNoProof) {
  EXPECT_FALSE(shows_sleep_at("0 0x7f0000001000 0x80 0x1\n", place));
  EXPECT_FALSE(shows_sleep_at("202 0x7f0000002000 0x80\n", place)) << "just behind the place";
  EXPECT_FALSE(shows_sleep_at("202 0x7f0000000fff 0x80\n", place)) << "just before the place";
}

TEST(Proof, WhoRunsOrSleepsOutsideACallIsNotThere) {
  EXPECT_FALSE(shows_sleep_at("running\n", place));
  EXPECT_FALSE(shows_sleep_at("-1 0x7ffc00000000 0x7f1100000000\n", place)) << "a page fault, not a call";
  EXPECT_FALSE(shows_sleep_at("-1 0x7ffc00000000\n", SleepingPlace{})) << "an unused call of a place matches nothing";
  EXPECT_FALSE(shows_sleep_at("", place));
  EXPECT_FALSE(shows_sleep_at("202", place));
  EXPECT_FALSE(shows_sleep_at("202 0x", place));
}

TEST(Proof, TheStateStandsBehindTheNameWhateverTheName) {
  EXPECT_TRUE(shows_sleep("17 (assay) S 1 17 17 0 -1"));
  EXPECT_FALSE(shows_sleep("17 (assay) R 1 17 17 0 -1"));
  EXPECT_FALSE(shows_sleep("17 (a) S (b) D 1 17 17 0 -1")) << "a name with brackets in it";
  EXPECT_FALSE(shows_sleep("no brackets S"));
}

TEST(Proof, AThreadThatCannotBeFoundIsUnsupportedWithTheWeakerProof) {
  try {
    const SleepProof proof(ProofKind::syscall, {::getpid(), -1});
    FAIL() << "a file of no thread was opened";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.code(), "N7");
    EXPECT_NE(std::string(error.what()).find("proof = state"), std::string::npos) << error.what();
  }
}

/// A thread that sleeps in read on a pipe until it is destroyed.
class Reader {
 public:
  Reader() {
    EXPECT_EQ(::pipe(ends_), 0);
    thread_ = std::thread([this] {
      name_ = ThreadName::of_self();
      known_ = true;
      char byte;
      EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
    });
    while (!known_) std::this_thread::yield();
  }
  ~Reader() {
    EXPECT_EQ(::write(ends_[1], "x", 1), 1);
    thread_.join();
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  ThreadName name() const { return name_; }
  int end() const { return ends_[0]; }

 private:
  int ends_[2]{};
  ThreadName name_;
  std::atomic<bool> known_{false};
  std::thread thread_;
};

// Ten seconds are for a machine that is very busy; a sleeper is found in microseconds.
bool comes_to_hold(const SleepProof& proof, const SleepingPlace& there) {
  for (int i = 0; i < 10'000; ++i) {
    if (proof.holds(there)) return true;
    ::usleep(1000);
  }
  return false;
}

TEST(Proof, AThreadThatReadsIsFoundInItsReadAndNowhereElse) {
  const Reader reader;
  try {
    const SleepProof proof(ProofKind::syscall, reader.name());
    EXPECT_TRUE(comes_to_hold(proof, on_descriptor(SYS_read, reader.end())));
    EXPECT_FALSE(proof.holds(on_descriptor(SYS_read, reader.end() + 1))) << "another descriptor";
    EXPECT_FALSE(proof.holds(in_any_futex())) << "another call";
  } catch (const Unsupported& error) {
    GTEST_SKIP() << error.what();
  }
}

TEST(Proof, TheStateOfASleeperIsSeenAndThatOfARunnerIsNot) {
  const Reader reader;
  EXPECT_TRUE(comes_to_hold(SleepProof(ProofKind::state, reader.name()), {}));
  EXPECT_FALSE(SleepProof(ProofKind::state, ThreadName::of_self()).holds({}));
}

}  // namespace
}  // namespace assay
