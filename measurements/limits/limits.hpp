// SPDX-License-Identifier: Apache-2.0
// Limits that the kernel holds this process to: how much of each is in use, one raised for as long as it is needed,
// whether they leave room, and which of them refused a thread.
#pragma once
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

namespace assay {

/// Stands for a limit that is not set, or cannot be read.
inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// A limit of this process or its user, and how much of it is in use.
struct Usage {
  std::size_t limit = unlimited;
  std::size_t used = 0;
  std::size_t left() const { return limit > used ? limit - used : 0; }
};

/// Descriptors of this process (`ulimit -n`).
Usage descriptor_usage();
/// Processes and threads of this user (`ulimit -u`), of this process at least `own`; unlimited for the superuser, whom
/// the kernel does not hold to it.
Usage thread_usage(std::size_t own = 0);
/// Processes and threads of the control group (pids.max).
Usage group_usage();
/// Bytes of address space of this process (`ulimit -v`, worker-memory).
Usage address_usage();
/// Bytes that the system can give without swapping; unlimited where it is not reported.
std::size_t memory_left();

/// While it lives, this process may have `needed` more descriptors, or as many as it may give itself where those are
/// fewer: whether they suffice is for require_descriptors to say.
class RaisedDescriptorLimit {
 public:
  explicit RaisedDescriptorLimit(std::size_t needed) {
    const Usage usage = descriptor_usage();
    if (::getrlimit(RLIMIT_NOFILE, &former_) != 0 || needed <= usage.left()) return;
    const rlimit raised{std::min<rlim_t>(former_.rlim_max, usage.used + needed), former_.rlim_max};
    is_raised_ = ::setrlimit(RLIMIT_NOFILE, &raised) == 0;
  }
  RaisedDescriptorLimit(const RaisedDescriptorLimit&) = delete;
  RaisedDescriptorLimit& operator=(const RaisedDescriptorLimit&) = delete;
  ~RaisedDescriptorLimit() {
    if (is_raised_) ::setrlimit(RLIMIT_NOFILE, &former_);
  }

 private:
  rlimit former_{};
  bool is_raised_ = false;
};

/// Throw Unsupported when there is no room for `needed` more: who needs how many, the limit with its number and what
/// is in use, and what to do. `who` is a plural ("20 users in 10 rooms"); `smaller` names what to choose fewer of.
void require_descriptors(std::size_t needed, const std::string& who, const std::string& smaller);
void require_threads(std::size_t needed, const std::string& who, const std::string& smaller);
/// `touched` of the `needed` bytes of address space are used at once.
void require_memory(std::size_t needed, std::size_t touched, const std::string& who, const std::string& smaller);

/// What was asked for when the library refused: looked at by who was refused, while the others are still there.
struct Refusal {
  int error = 0;            ///< what pthread_create returned
  std::size_t alive = 0;    ///< threads of this process then, all members included
  std::size_t stack = 0;    ///< bytes asked for; 0: the library's default
  std::size_t creator = 0;  ///< which of several creators was refused, from 1 on; 0: there is only one
};

/// The limits that a thread can be refused for.
struct ThreadLimits {
  Usage user{};           ///< processes and threads of the user
  Usage group{};          ///< and of the control group
  Usage address{};        ///< bytes of address space
  std::size_t stack = 0;  ///< bytes of the library's default stack
};
/// Those of this process, now, but with at least the `alive` threads that it had: some may have ended since.
ThreadLimits thread_limits(std::size_t alive);

/// The refusal in words: how many threads there were, the limit that was met with its value, and what to do. The most
/// likely limits where none is plainly used up.
std::string refusal_text(const Refusal& refusal, const ThreadLimits& limits);

/// Throws Unsupported with that text, for the limits of this process.
[[noreturn]] void refuse(const Refusal& refusal);

}  // namespace assay
