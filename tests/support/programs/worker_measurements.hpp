// SPDX-License-Identifier: Apache-2.0
// Measurements that fail in every way a worker has to survive or report.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "api/measurement.hpp"
#include "base/error.hpp"
#include "platform/thread/shared_memory.hpp"

namespace assay::testing_support {

/// Never returns, or not without help from outside.
inline void stay_for_ever(const std::string& fault) {
  volatile int turns = 0;
  while (fault == "spin") turns = turns + 1;
  while (fault == "spin-syscall") ::getppid();
  if (fault == "deadlock-self") {
    std::mutex mutex;
    mutex.lock();
    mutex.lock();
  }
  if (fault == "close-socket") ::close(3);
  while (fault == "hang" || fault == "close-socket") ::pause();
}

/// Starts processes that sleep forever, within the group or away from it.
inline void leave_sleepers(const std::string& fault) {
  const int count = fault == "fork-sleepers" ? 3 : fault == "setsid-escape" ? 1 : 0;
  for (int i = 0; i < count; ++i) {
    if (::fork() != 0) continue;
    if (fault == "setsid-escape") ::setsid();
    for (;;) ::pause();
  }
}

/// Takes all there is of something.
inline void use_up(const std::string& fault) {
  std::vector<std::vector<char>> hoard;
  while (fault == "oom") hoard.emplace_back(std::size_t{16} << 20U, 'x');
  while (fault == "open-files")
    if (::open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) throw PlatformError("open of /dev/null", errno);
}

/// Writes what was not requested.
inline void chatter(const std::string& fault) {
  const auto put = [](int to, const std::string& text) {
    [[maybe_unused]] const auto written = ::write(to, text.data(), text.size());
  };
  for (int i = 0; i < 20 && fault.starts_with("spam"); ++i) put(1 + i % 2, std::string(100'000, 's') + "\n");
  if (fault == "spam-throw") throw std::runtime_error("on purpose");
  if (fault == "garbage") put(3, "nonsense\n");
  if (fault == "partial") put(3, "{\"protocol\"");
}

/// Does what the word says. "ok" and unknown words do nothing.
inline void act(const std::string& fault) {
  stay_for_ever(fault);
  leave_sleepers(fault);
  use_up(fault);
  chatter(fault);
  if (fault == "throw-in-helper") std::thread([] { throw std::runtime_error("in a helper"); }).join();
  if (fault == "exit-0") std::exit(0);
  if (fault == "slow") ::usleep(300'000);  // its fault is the time that it takes
  if (fault == "throw") throw std::runtime_error("on purpose");
  if (fault == "throw-int") throw 42;
  if (fault == "unsupported") throw Unsupported("cannot be had", "N4");
  if (fault == "exit") std::_Exit(7);
  if (fault == "abort") std::abort();
  if (fault == "segv") {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
  }
}

/// Fails as factor `fault` says, at the step `where`, on the member `rank`. Its members wait for each other in every
/// batch, so that a member that fails leaves the others waiting forever.
class Faulty final : public Measurement {
 public:
  explicit Faulty(Setup& setup)
      : fault_(setup.word("fault")),
        where_(setup.word("where")),
        rank_(setup.level<int>("rank")),
        arrived_(setup.share<std::atomic<std::uint32_t>>(0U)) {
    if (where_ == "construct") act(fault_);
  }
  ~Faulty() override {
    if (where_ == "destroy") act(fault_);
  }

  void enter(Member& member) override { act_if(member, "enter"); }
  void leave(Member& member) override { act_if(member, "leave"); }
  Claims run(Member& member, Reps reps) override {
    act_if(member, "run");
    meet(static_cast<std::uint32_t>(member.members()));
    return Nanoseconds{100.0 * static_cast<double>(reps.count)};
  }

 private:
  /// Returns when all members have come. Asleep meanwhile, as a busy machine would make polling slow.
  void meet(std::uint32_t members) {
    const std::uint32_t ticket = arrived_.fetch_add(1);
    const std::uint32_t all = (ticket / members + 1) * members;
    if (ticket + 1 == all) wake_all(arrived_);
    for (std::uint32_t seen = arrived_.load(); seen < all; seen = arrived_.load()) wait_while_equal(arrived_, seen);
  }
  void act_if(const Member& member, const char* step) const {
    if (where_ == step && member.rank() == rank_) act(fault_);
  }

  std::string fault_;
  std::string where_;
  int rank_;
  std::atomic<std::uint32_t>& arrived_;
};

inline Description faulty_description() {
  Description description{"test/faulty", "a meeting of all members, or what goes wrong before it"};
  description.factors = {{"fault", FactorKind::categorical, Unit::count, std::string("ok")},
                         {"where", FactorKind::categorical, Unit::count, std::string("run")},
                         {"rank", FactorKind::quantitative, Unit::count, std::int64_t{0}}};
  description.members = at_least(1);
  description.traits.vehicles = {"thread", "process"};
  description.traits.waiting = Waiting::either;
  return description;
}

inline Registry faulty_registry() {
  Registry registry;
  registry.add<Faulty>(faulty_description());
  return registry;
}

}  // namespace assay::testing_support
