// SPDX-License-Identifier: Apache-2.0
// A memory barrier on all CPUs that run threads of the process, or on all, by the kernel.
#pragma once
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// Member 0 calls membarrier(2), while the others run in user space: what they cost it shows by their number. The
/// expedited commands interrupt the CPUs that run registered processes; `global` waits until each CPU has passed
/// through the scheduler.
class Membarrier final : public Measurement {
  struct alignas(line_size) Batch {
    std::atomic<std::uint32_t> over{0};
  };
  struct Command {
    std::string_view word;
    int barrier;
    int registration;  // 0: none is needed
  };
  static constexpr std::array<Command, 4> commands{
      Command{"private-expedited", MEMBARRIER_CMD_PRIVATE_EXPEDITED, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED},
      Command{"private-sync-core", MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE,
              MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE},
      Command{"global-expedited", MEMBARRIER_CMD_GLOBAL_EXPEDITED, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED},
      Command{"global", MEMBARRIER_CMD_GLOBAL, 0}};

 public:
  /// Levels of the factor `command`.
  static std::vector<std::string> words() {
    std::vector<std::string> all;
    for (const Command& command : commands) all.emplace_back(command.word);
    return all;
  }

  /// Traits by level: the caller sleeps through a grace period.
  static std::vector<std::pair<std::string, Traits>> selected() {
    std::vector<std::pair<std::string, Traits>> all;
    for (const Command& command : commands) {
      const bool sleeps = command.barrier == MEMBARRIER_CMD_GLOBAL;
      all.emplace_back(command.word, Traits{.waiting = sleeps ? Waiting::either : Waiting::spins});
    }
    return all;
  }

  /// Throws Unsupported for a command that the kernel does not have, or does not grant.
  explicit Membarrier(Setup& setup)
      : batch_(setup.share<Batch>()), batches_(static_cast<std::size_t>(setup.members())) {
    const std::string word = setup.word("command");
    for (const Command& command : commands)
      if (command.word == word) command_ = &command;
    const long offered = call(MEMBARRIER_CMD_QUERY);
    if (offered < 0 || (offered & command_->barrier) == 0)
      throw Unsupported("the kernel does not offer membarrier(2) with " + word +
                        " (it depends on its version and configuration, and global is off with nohz_full)");
    if (command_->registration != 0 && call(command_->registration) != 0)
      throw Unsupported("the kernel does not register this process for membarrier(2) with " + word);
  }

  Claims run(Member& member, Reps reps) override {
    const std::uint32_t batch = ++batches_[static_cast<std::size_t>(member.rank())].number;
    if (member.rank() != 0) {
      while (batch_.over.load(std::memory_order_acquire) != batch) relax();
      return {};
    }
    long failed = 0;
    const Nanoseconds taken = member.timed(reps, [&, which = command_->barrier] { failed |= call(which); });
    batch_.over.store(batch, std::memory_order_release);
    if (failed != 0) throw std::logic_error("membarrier(2) failed");
    return taken;
  }

 private:
  struct alignas(line_size) Batches {
    std::uint32_t number = 0;
  };
  static long call(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

  Batch& batch_;
  std::vector<Batches> batches_;
  const Command* command_ = nullptr;
};

}  // namespace assay
