// SPDX-License-Identifier: Apache-2.0
// Single system calls that do next to nothing, by one member and by many at once.
#pragma once
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "file/temporary.hpp"
#include "work/window.hpp"

namespace assay {

/// One call after the other, made as programs make them: through the C library where it has a function. The result of
/// each is checked. After lat_syscall (lmbench; McVoy and Staelin, 1996), and younger calls.
class SystemCall final : public Measurement {
 public:
  /// Their names, as levels of the factor `call`.
  static std::vector<std::string> words() {
    std::vector<std::string> all;
    for (const Call& call : calls) all.emplace_back(call.word);
    return all;
  }

  /// Whether the call of that name is about a file or a device.
  static bool has_object(const std::string& word) {
    for (const Call& call : calls)
      if (word == call.word) return call.needs_file || call.device != nullptr;
    return false;
  }

  /// Throws Unsupported where what the call is about cannot be had.
  explicit SystemCall(Setup& setup) : name_(setup.word("call")) {
    for (const Call& call : calls)
      if (name_ == call.word) call_ = &call;
    if (call_->needs_file) make_file(directory_of(setup));
    if (call_->device != nullptr) {
      const int number = ::open(call_->device, O_RDWR | O_CLOEXEC);
      if (number < 0)
        throw Unsupported("cannot open " + std::string(call_->device) + "; choose another level of `call`");
      descriptor_.emplace("opening a device", number);
    }
  }

  Claims run(Member& member, Reps reps) override { return (this->*call_->run)(member, reps); }

 private:
  struct Call {
    const char* word;
    Claims (SystemCall::*run)(const Member&, Reps);
    const char* device = nullptr;
    bool needs_file = false;
  };
  static const std::array<Call, 10> calls;

  void make_file(const std::string& directory) {
    folder_.emplace(directory);
    path_ = folder_->path() + "/file";
    descriptor_.emplace("making a file", ::open(path_.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666));
  }
  template <class Body>
  Claims checked(const Member& member, Reps reps, long expected, Body body) const {
    bool all = true;
    const Nanoseconds taken = member.timed(reps, [&] { all &= body() == expected; });
    if (!all) throw std::logic_error("a call, " + name_ + ", returned an unexpected result");
    return taken;
  }

  Claims getppid(const Member& member, Reps reps) {
    return checked(member, reps, ::getppid(), [] { return ::getppid(); });
  }
  Claims read_zero(const Member& member, Reps reps) {
    char byte;
    return checked(member, reps, 1, [&, file = descriptor_->number()] { return ::read(file, &byte, 1); });
  }
  Claims write_null(const Member& member, Reps reps) {
    const char byte = 0;
    return checked(member, reps, 1, [&, file = descriptor_->number()] { return ::write(file, &byte, 1); });
  }
  Claims stat(const Member& member, Reps reps) {
    struct stat facts;
    return checked(member, reps, 0, [&, path = path_.c_str()] { return ::stat(path, &facts); });
  }
  Claims fstat(const Member& member, Reps reps) {
    struct stat facts;
    return checked(member, reps, 0, [&, file = descriptor_->number()] { return ::fstat(file, &facts); });
  }
  Claims open_close(const Member& member, Reps reps) {
    // A file that could not be opened cannot be closed.
    return checked(member, reps, 0, [path = path_.c_str()] { return ::close(::open(path, O_RDONLY | O_CLOEXEC)); });
  }
  Claims gettid(const Member& member, Reps reps) {
    return checked(member, reps, ::gettid(), [] { return ::syscall(SYS_gettid); });
  }
  Claims clock_gettime(const Member& member, Reps reps) {
    timespec now;
    return checked(member, reps, 0, [&] { return ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now); });
  }
  Claims getrandom(const Member& member, Reps reps) {
    std::array<char, 16> bytes;
    return checked(member, reps, bytes.size(), [&] { return ::getrandom(bytes.data(), bytes.size(), 0); });
  }
  Claims futex_wake(const Member& member, Reps reps) {
    int word = 0;
    return checked(member, reps, 0, [&] {
      return ::syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
    });
  }

  std::string name_;
  const Call* call_ = nullptr;
  std::string path_;
  std::optional<TemporaryFolder> folder_;
  std::optional<OwnedDescriptor> descriptor_;
};

inline constexpr std::array<SystemCall::Call, 10> SystemCall::calls{
    Call{"getppid", &SystemCall::getppid},
    Call{"read-zero", &SystemCall::read_zero, "/dev/zero"},
    Call{"write-null", &SystemCall::write_null, "/dev/null"},
    Call{"stat", &SystemCall::stat, nullptr, true},
    Call{"fstat", &SystemCall::fstat, nullptr, true},
    Call{"open-close", &SystemCall::open_close, nullptr, true},
    Call{"gettid", &SystemCall::gettid},
    Call{"clock-gettime", &SystemCall::clock_gettime},
    Call{"getrandom", &SystemCall::getrandom},
    Call{"futex-wake", &SystemCall::futex_wake}};

/// All members make one call over and over for a window of time, each on a file or device of its own or all on one.
/// What they share in the kernel shows as time that a member alone does not take (os/system_call). Each call's result
/// is checked there.
class SystemCallContended final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, rate, fairness };

  /// Throws Unsupported as SystemCall does, and for one object of all where the call has none.
  explicit SystemCallContended(Setup& setup) : window_(setup) {
    const bool is_common = setup.word("object") == "shared";
    if (is_common && !SystemCall::has_object(setup.word("call")))
      throw Unsupported("the call " + setup.word("call") +
                        " takes no file and no device that members could share; use object = own");
    for (int i = 0; i < (is_common ? 1 : setup.members()); ++i) calls_.push_back(std::make_unique<SystemCall>(setup));
  }

  Claims run(Member& member, Reps) override {
    SystemCall& call = *calls_[calls_.size() == 1 ? 0 : static_cast<std::size_t>(member.rank())];
    Nanoseconds taken;
    std::int64_t made = 0;
    window_.begin(member);
    window_.repeat(member, [&] {
      taken += Nanoseconds{call.run(member, at_a_time)[0]};
      made += at_a_time.count;
    });
    window_.end(member);
    // Who did not run in the window has nothing to say of its calls, and the others were not many at once.
    Claims claims;
    if (made > 0) claims.set(time, taken / static_cast<double>(made));
    if (member.rank() == 0) claim_of_all(claims, window_.lasted(member.stopwatch()));
    return claims;
  }

 private:
  // The clock is read around each: often enough for the members to end together, seldom enough not to count.
  static constexpr Reps at_a_time{32};

  void claim_of_all(Claims& claims, Nanoseconds lasted) const {
    const std::vector<std::int64_t> shares = window_.shares();
    std::int64_t all = 0;
    for (const std::int64_t share : shares) all += share * at_a_time.count;
    claims.set(rate, static_cast<double>(all) / lasted.count * 1e9).set(fairness, jain_index(shares));
  }

  CommonWindow window_;
  std::vector<std::unique_ptr<SystemCall>> calls_;
};

}  // namespace assay
