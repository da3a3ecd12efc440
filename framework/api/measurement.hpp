// SPDX-License-Identifier: Apache-2.0
// Room: what a measurement is written against; installed for plugins.
// The interface of a measurement: what a plugin author writes against.
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/description.hpp"
#include "api/keep.hpp"
#include "api/loop_copies.hpp"
#include "api/stopwatch.hpp"
#include "base/quantity.hpp"
#include "base/units.hpp"
#include "base/value.hpp"

namespace assay {

/// Distance that keeps two writers out of each other's cache lines, adjacent-line prefetch included.
inline constexpr std::size_t line_size = 128;

/// Thrown by a measurement's constructor when a point cannot be measured here, or later by any of its functions when
/// that turns out. The point becomes a result that says so.
class Unsupported : public std::runtime_error {
 public:
  /// `code` is one of N1..N11 where one applies (doc/logp.md), else empty.
  explicit Unsupported(const std::string& why, std::string code = {})
      : std::runtime_error(why), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

/// Whether members run on the same CPU.
enum class CpuSharing : unsigned char {
  none,      ///< each is bound to a CPU of its own
  possible,  ///< unbound: the kernel decides, and may change its mind
  certain    ///< two of them are bound to one CPU, or there are fewer usable CPUs than members
};

/// Where a rank of MPI stands among the others, and what it talks through (api/mpi.hpp).
struct MpiPlace;

/// What a measurement is built from. Lives as long as the measurement, for one point in one incarnation; constructed,
/// and the measurement with it, in the worker before any member but the first exists, so that what the constructor
/// opens is inherited by members that are processes.
class Setup {
 public:
  virtual ~Setup() = default;
  virtual int members() const = 0;
  /// "thread", "process" or "mpi".
  virtual std::string_view vehicle() const = 0;
  virtual CpuSharing cpu_sharing() const = 0;
  /// The scheduling policy that the members take: "other", "batch", "idle", "fifo" or "rr"; "inherited" where the
  /// series leaves it as it is.
  virtual std::string_view policy() const = 0;
  /// True under a policy that never lets a woken member preempt the one that woke it: "fifo" and "rr", since all
  /// members have one priority.
  bool wakes_without_preemption() const { return policy() == "fifo" || policy() == "rr"; }
  /// The point's level of a factor, or the factor's standard level. Throws std::out_of_range for an undeclared factor.
  virtual const Value& value(std::string_view factor) const = 0;
  /// Seed for the measurement's own randomness: differs by point and incarnation, reproducible with the campaign's
  /// seed.
  virtual std::uint64_t seed() const = 0;
  /// Under the vehicle "mpi": this rank's place. Else null.
  virtual const MpiPlace* mpi() const { return nullptr; }

  /// A level as a number of type T. Throws std::invalid_argument when it is a word or does not fit.
  template <class T>
  T level(std::string_view factor) const
    requires std::integral<T> || std::floating_point<T>
  {
    const Value& v = value(factor);
    if constexpr (std::integral<T>) {
      if (const auto* i = std::get_if<std::int64_t>(&v); i && std::in_range<T>(*i)) return static_cast<T>(*i);
    } else if (const auto* i = std::get_if<std::int64_t>(&v)) {
      return static_cast<T>(*i);
    } else if (const auto* d = std::get_if<double>(&v)) {
      return static_cast<T>(*d);
    }
    throw std::invalid_argument("level of factor '" + std::string(factor) + "' is not a number of the type asked for");
  }
  /// A level as a word; empty for a number.
  std::string word(std::string_view factor) const {
    const auto* text = std::get_if<std::string>(&value(factor));
    return text ? *text : std::string();
  }

  /// An object that all members see, whatever the vehicle: constructed in shared memory, aligned to at least
  /// `line_size`, destroyed by the first member after the others have ended and after the measurement, in reverse
  /// order. Only in the measurement's constructor: throws std::logic_error later, when members may be other processes
  /// already. Throws Unsupported under the vehicle "mpi", where all members of a rank see the measurement itself and no
  /// other memory is shared.
  template <class T, class... Args>
  T& share(Args&&... args) {
    constexpr std::size_t alignment = alignof(T) > line_size ? alignof(T) : line_size;
    T* object = ::new (allocate(sizeof(T), alignment)) T(std::forward<Args>(args)...);
    at_end([](void* p) { static_cast<T*>(p)->~T(); }, object);
    return *object;
  }

 protected:
  virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
  virtual void at_end(void (*destroy)(void*), void* object) = 0;
};

/// A participant, already running where its placement says. Each member has its own; none is shared.
class Member {
 public:
  /// `beats` is this member's heartbeat, on a line of its own; borrowed. `loop_copy` says which copy of each timed loop
  /// it runs; where there are fewer, they are counted around.
  Member(int rank, int members, Stopwatch watch, std::atomic<std::int64_t>& beats, int loop_copy = 0)
      : rank_(rank),
        members_(members),
        watch_(watch),
        beats_(&beats),
        loop_copy_(static_cast<int>(static_cast<unsigned>(loop_copy) % loop_copies)) {}

  int rank() const { return rank_; }
  int members() const { return members_; }
  /// Which copy of each timed loop it runs: 0 to loop_copies - 1.
  int loop_copy() const { return loop_copy_; }
  /// The time source of this member's claims.
  const Stopwatch& stopwatch() const { return watch_; }
  /// Replaces the time source: for measurements of simulated time, from enter().
  void use(Stopwatch watch) { watch_ = watch; }

  /// The time that `reps` calls of `body` take: two clock reads around an inlined loop, and nothing else. There are
  /// `loop_copies` of the loop at different places, of which this member runs its own; of a very long body the compiler
  /// may make one.
  template <class Body>
  [[gnu::always_inline]] Nanoseconds timed(Reps reps, Body&& body) const {
    // One call in the source, and copies after inlining: what is inlined does not depend on how many there are.
    const int own = loop_copy_;
    std::int64_t from = 0;
    std::int64_t to = 0;
#pragma GCC unroll loop_copies
    for (int copy = 0; copy < loop_copies; ++copy) {
      if (copy != own) continue;
      std::int64_t left = reps.count;
      from = watch_.start();
      if (left > 0) {
        place_loop(copy, left);
#pragma GCC unroll 1
        for (; __builtin_expect_with_probability(left != 0, true, 0.75); --left) body();
      }
      to = watch_.stop();
    }
    return watch_.between(from, to);
  }

  /// One heartbeat of a polling loop: proves that this member ran during the batch. Part of the channel's
  /// definition where it is used. Where any member beats, every member but the first has to: one without a heartbeat
  /// still in a batch was not running.
  void beat() const noexcept { beats_->store(beats_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  /// Counts the context switches of a thread that the measured action started and that acted for this member in the
  /// current batch: they join this member's own in the guards.
  void adopt(std::int64_t voluntary, std::int64_t involuntary) {
    adopted_.voluntary += voluntary;
    adopted_.involuntary += involuntary;
  }
  /// What was adopted since the last call.
  struct Adopted {
    std::int64_t voluntary = 0;
    std::int64_t involuntary = 0;
  };
  Adopted take_adopted() { return std::exchange(adopted_, {}); }

 private:
  int rank_;
  int members_;
  Stopwatch watch_;
  std::atomic<std::int64_t>* beats_;
  Adopted adopted_;
  int loop_copy_;
};

/// The thing timed. The constructor prepares, the destructor undoes; every member then calls enter, run (often) and
/// leave.
class Measurement {
 public:
  Measurement() = default;
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;
  virtual ~Measurement() = default;

  /// Once per member, untimed, where it is placed: first touch, warm buffers.
  virtual void enter(Member&) {}
  /// Performs `reps` repetitions and returns the totals that this member claims. Called by all members with the same
  /// `reps`. The first member starts last: within about a microsecond of the others where all are bound to different
  /// CPUs, later elsewhere; so a claim of another member begins with a repetition of its own before its clock. Never
  /// divides by reps, prints, sleeps to settle, or chooses reps. May throw: the incarnation then ends as `failed`, or
  /// as `unsupported` where the first member throws Unsupported.
  virtual Claims run(Member& member, Reps reps) = 0;
  /// On the first member after the last batch of a visit, untimed, before the worker is parked: ends or puts to sleep
  /// what the action left running, such as a library's pool of threads that poll for work.
  virtual void rest(Member&) {}
  /// Once per member, after its last run.
  virtual void leave(Member&) {}
};

/// Builds a measurement for a point.
using Factory = std::function<std::unique_ptr<Measurement>(Setup&)>;

/// A description with its factory.
struct Entry {
  Description description;
  Factory make;
};

/// The measurements of a process. An ordinary object, filled by ordinary functions; there is no global one.
class Registry {
 public:
  /// Adds a measurement whose class is constructible from Setup&.
  template <class M>
  void add(Description description) {
    add(std::move(description), [](Setup& setup) { return std::make_unique<M>(setup); });
  }
  /// Adds a measurement with its own factory. Throws std::invalid_argument when the name is taken.
  void add(Description description, Factory make) {
    if (find(description.name))
      throw std::invalid_argument("measurement '" + description.name + "' is registered twice");
    entries_.push_back({std::move(description), std::move(make)});
  }
  /// The entry of that name, or nullptr.
  const Entry* find(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.description.name == name) return &entry;
    return nullptr;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace assay
