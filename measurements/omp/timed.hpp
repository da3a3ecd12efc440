// SPDX-License-Identifier: Apache-2.0
// Each construct in the form in which it is timed, and work of a wanted length for it. Compiled with OpenMP only.
#pragma once
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "api/keep.hpp"
#include "api/stopwatch.hpp"
#include "base/units.hpp"

/// The forms of the EPCC OpenMP microbenchmarks (Bull, Measuring Synchronisation and Scheduling Overheads in OpenMP,
/// 1999; Bull, Reid and McDonnell on tasks, 2012): a construct around a piece of work, many times. Unlike there, the
/// clock is read inside the parallel region where the construct needs one, so that creating the region is not in it.
/// `Work` is called with the number of its piece.

namespace assay {

/// A delay that touches no memory. Its length is what the processor makes of it: a reference beside it measures it.
class Delay {
 public:
  /// Calibrates the number of steps for `wanted` on the calling thread; 0 steps for no time.
  explicit Delay(Nanoseconds wanted)
      : steps_(wanted > Nanoseconds{} ? static_cast<std::int64_t>(std::ceil(wanted / step())) : 0) {}
  /// Continues where the thread's last delay ended, so that no two of them can overlap in the processor.
  void operator()() const noexcept {
    thread_local std::uint64_t last = 1;
    last = work(last, steps_);
  }
  std::int64_t steps() const { return steps_; }

 private:
  static std::uint64_t work(std::uint64_t value, std::int64_t steps) noexcept {
    for (std::int64_t i = 0; i < steps; ++i) {
      value = value * 6364136223846793005U + 1442695040888963407U;
      keep(value);
    }
    return value;
  }
  // The fastest of several: whatever disturbs one makes it longer.
  static Nanoseconds step() {
    constexpr std::int64_t many = 1 << 14;
    const Stopwatch watch;
    Nanoseconds fastest{std::numeric_limits<double>::max()};
    for (int trial = 0; trial < 7; ++trial) {
      const auto from = watch.start();
      keep(work(1, many));
      fastest = std::min(fastest, watch.between(from, watch.stop()));
    }
    return fastest / static_cast<double>(many);
  }
  std::int64_t steps_;
};

}  // namespace assay

namespace assay::omp {

/// Who executes, and by which clock.
struct Team {
  int threads = 1;
  Stopwatch watch{};
};

/// Schedule of a loop; a chunk of 0 is the schedule's own default.
enum class Schedule : std::uint8_t { fixed, dynamic, guided };

/// How many of `n` pieces that are dealt out the calling thread has.
inline std::int64_t share_of(std::int64_t n) {
  const std::int64_t threads = omp_get_num_threads();
  return n / threads + (omp_get_thread_num() < n % threads ? 1 : 0);
}

/// Time of `body` on all threads, from when all are there until all are through.
template <class Body>
Nanoseconds time_inside(const Team& team, Body body) {
  std::int64_t from = 0;
  std::int64_t to = 0;
#pragma omp parallel num_threads(team.threads)
  {
#pragma omp barrier
#pragma omp masked
    from = team.watch.start();
    body();
#pragma omp barrier
#pragma omp masked
    to = team.watch.stop();
  }
  return team.watch.between(from, to);
}

/// `n` parallel regions, in each of which every thread does one piece.
template <class Work>
Nanoseconds time_parallel(const Team& team, std::int64_t n, Work work) {
  const std::int64_t from = team.watch.start();
  for (std::int64_t i = 0; i < n; ++i) {
#pragma omp parallel num_threads(team.threads)
    work(i);
  }
  return team.watch.between(from, team.watch.stop());
}

/// `n` parallel regions with a sum over all threads, which becomes `sum`: n times the threads.
template <class Work>
Nanoseconds time_reduction(const Team& team, std::int64_t n, Work work, std::int64_t& sum) {
  std::int64_t total = 0;
  const std::int64_t from = team.watch.start();
  for (std::int64_t i = 0; i < n; ++i) {
#pragma omp parallel num_threads(team.threads) reduction(+ : total)
    {
      work(i);
      total += 1;
    }
  }
  const std::int64_t to = team.watch.stop();
  sum = total;
  return team.watch.between(from, to);
}

/// One loop over `pieces`, shared by the team that meets it.
template <class Work>
void share_loop(Schedule schedule, int chunk, std::int64_t pieces, Work work) {
  if (schedule == Schedule::dynamic) {
    const int size = chunk > 0 ? chunk : 1;
#pragma omp for schedule(dynamic, size)
    for (std::int64_t i = 0; i < pieces; ++i) work(i);
  } else if (schedule == Schedule::guided) {
    const int size = chunk > 0 ? chunk : 1;
#pragma omp for schedule(guided, size)
    for (std::int64_t i = 0; i < pieces; ++i) work(i);
  } else if (chunk > 0) {
#pragma omp for schedule(static, chunk)
    for (std::int64_t i = 0; i < pieces; ++i) work(i);
  } else {
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < pieces; ++i) work(i);
  }
}

/// `n` loops of `each` pieces per thread.
template <class Work>
Nanoseconds time_loop(const Team& team, std::int64_t n, Schedule schedule, int chunk, std::int64_t each, Work work) {
  return time_inside(team, [&] {
    for (std::int64_t i = 0; i < n; ++i) share_loop(schedule, chunk, each * team.threads, work);
  });
}

/// `n` times: every thread does a piece, then all meet.
template <class Work>
Nanoseconds time_barrier(const Team& team, std::int64_t n, Work work) {
  return time_inside(team, [&] {
    for (std::int64_t i = 0; i < n; ++i) {
      work(i);
#pragma omp barrier
    }
  });
}

/// `n` times: one thread does a piece, the others wait for it.
template <class Work>
Nanoseconds time_single(const Team& team, std::int64_t n, Work work) {
  return time_inside(team, [&] {
    for (std::int64_t i = 0; i < n; ++i) {
#pragma omp single
      work(i);
    }
  });
}

/// `n` pieces dealt out to the threads, one at a time in a critical section.
template <class Work>
Nanoseconds time_critical(const Team& team, std::int64_t n, Work work) {
  return time_inside(team, [&] {
    const std::int64_t own = share_of(n);
    for (std::int64_t i = 0; i < own; ++i) {
#pragma omp critical
      work(i);
    }
  });
}

/// `n` pieces dealt out to the threads, one at a time under a lock.
template <class Work>
Nanoseconds time_lock(const Team& team, std::int64_t n, Work work) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  const Nanoseconds time = time_inside(team, [&] {
    const std::int64_t own = share_of(n);
    for (std::int64_t i = 0; i < own; ++i) {
      omp_set_lock(&lock);
      work(i);
      omp_unset_lock(&lock);
    }
  });
  omp_destroy_lock(&lock);
  return time;
}

/// One loop of `n` pieces, which are done in order.
template <class Work>
Nanoseconds time_ordered(const Team& team, std::int64_t n, Work work) {
  return time_inside(team, [&] {
#pragma omp for ordered schedule(static, 1)
    for (std::int64_t i = 0; i < n; ++i) {
#pragma omp ordered
      work(i);
    }
  });
}

/// `n` atomic additions dealt out to the threads; `sum` becomes n.
inline Nanoseconds time_atomic(const Team& team, std::int64_t n, std::int64_t& sum) {
  std::int64_t total = 0;
  const Nanoseconds time = time_inside(team, [&] {
    const std::int64_t own = share_of(n);
    for (std::int64_t i = 0; i < own; ++i) {
#pragma omp atomic
      total += 1;
    }
  });
  sum = total;
  return time;
}

/// Every thread makes `n` tasks of a piece each.
template <class Work>
Nanoseconds time_task(const Team& team, std::int64_t n, Work work) {
  return time_inside(team, [&] {
    for (std::int64_t i = 0; i < n; ++i) {
#pragma omp task firstprivate(i)
      work(i);
    }
  });
}

}  // namespace assay::omp
