// SPDX-License-Identifier: Apache-2.0
// The program with OpenMP: each construct beside its serial reference.
#include <omp.h>
#include <sched.h>

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "omp/construct.hpp"
#include "omp/timed.hpp"
#include "thread/threads.hpp"

namespace assay {
namespace {

/// The CPUs that the calling thread may use; none where the machine has more than a set can hold.
std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

/// Binds the calling thread. Best effort: a CPU that was taken away meanwhile leaves it where it is.
void bind_caller(std::span<const int> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

/// A team of OpenMP threads that exists from a visit's first batch to its end.
class OmpTeam {
 public:
  /// `spread`: each thread is bound to a CPU of its own. Throws Unsupported with N1 for more threads than CPUs that the
  /// caller may use: they wait by polling.
  OmpTeam(int threads, bool spread) : threads_(threads), cpus_(usable_cpus()), spread_(spread && !cpus_.empty()) {
    if (threads < 1) throw Unsupported("a team has 1 thread or more, not " + std::to_string(threads));
    if (!cpus_.empty() && static_cast<std::size_t>(threads) > cpus_.size())
      throw Unsupported(std::to_string(threads) + " OpenMP threads wait for each other by polling, on " +
                            std::to_string(cpus_.size()) + " usable CPU" + (cpus_.size() == 1 ? "" : "s") +
                            "; use placement = unbound or fewer threads",
                        "N1");
  }
  /// Tries whether there can be such a team. Throws Unsupported where the library gives fewer threads than asked for.
  void enter() {
    others_ = threads_alive();
    omp_set_dynamic(0);
    int given = 0;
#pragma omp parallel num_threads(threads_)
#pragma omp masked
    given = omp_get_num_threads();
    if (given != threads_)
      throw Unsupported("the OpenMP library gives " + std::to_string(given) + " threads instead of " +
                        std::to_string(threads_) + "; see OMP_THREAD_LIMIT");
  }
  /// Puts the threads in their places, where they are not there already.
  void assemble() {
    if (std::exchange(is_assembled_, true) || !spread_) return;
#pragma omp parallel num_threads(threads_)
    bind_caller({&cpus_[static_cast<std::size_t>(omp_get_thread_num())], 1});
  }
  /// Ends the threads, which would otherwise poll for milliseconds after their last region; the next one makes them
  /// anew.
  void end() {
    if (std::exchange(is_assembled_, false) && spread_) bind_caller(cpus_);
    if (omp_pause_resource_all(omp_pause_hard) == 0) await_threads(others_);
  }
  /// Context switches of all its threads so far.
  double switches() const {
    std::int64_t sum = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : sum)
    sum += switches_of_caller();
    return static_cast<double>(sum);
  }
  omp::Team timed_by(const Stopwatch& watch) const { return {threads_, watch}; }

 private:
  int threads_;
  std::vector<int> cpus_;
  bool spread_;
  std::size_t others_ = 0;
  bool is_assembled_ = false;
};

/// The levels that only loops have.
struct LoopShape {
  omp::Schedule schedule = omp::Schedule::fixed;
  int chunk = 0;
  std::int64_t each = 1;
};

LoopShape loop_shape(const Setup& setup) {
  const std::string word = setup.word("schedule");
  const auto schedule = word == "dynamic"  ? omp::Schedule::dynamic
                        : word == "guided" ? omp::Schedule::guided
                                           : omp::Schedule::fixed;
  const LoopShape shape{schedule, setup.level<int>("chunk"), setup.level<std::int64_t>("iterations")};
  if (shape.chunk < 0 || shape.each < 1)
    throw Unsupported("a loop has 1 iteration per thread or more, in chunks of 0 (the default) or more");
  return shape;
}

/// The construct `reps` times, and before and after it half as much of what one thread does alone.
class Construct final : public Measurement {
 public:
  Construct(OmpConstruct construct, Setup& setup)
      : construct_(construct),
        team_(setup.level<int>("threads"), setup.word("spread") == "yes"),
        delay_(construct == OmpConstruct::atomic ? Nanoseconds{} : Nanoseconds{setup.level<double>("delay")}) {
    if (construct == OmpConstruct::loop) loop_ = loop_shape(setup);
  }

  void enter(Member&) override { team_.enter(); }
  void rest(Member&) override { team_.end(); }
  void leave(Member&) override { team_.end(); }
  Claims run(Member& member, Reps reps) override {
    team_.assemble();
    const std::int64_t half = reps.count / 2;
    Nanoseconds reference = alone(member, half);
    const double before = team_.switches();  // and the team polls for work from here on
    const Nanoseconds time = together(team_.timed_by(member.stopwatch()), reps.count);
    const double switches = team_.switches() - before;
    reference += alone(member, reps.count - half);
    return Claims(time).set(1, time - reference).set(2, switches);
  }

 private:
  Nanoseconds alone(const Member& member, std::int64_t n) const {
    if (construct_ != OmpConstruct::atomic) return member.timed(Reps{n * loop_.each}, delay_);
    std::int64_t sum = 0;
    return member.timed(Reps{n}, [&] {
      sum += 1;
      keep(sum);
    });
  }
  Nanoseconds together(const omp::Team& team, std::int64_t n) const {
    const auto work = [this](std::int64_t) { delay_(); };
    switch (construct_) {
      case OmpConstruct::parallel:
        return omp::time_parallel(team, n, work);
      case OmpConstruct::loop:
        return omp::time_loop(team, n, loop_.schedule, loop_.chunk, loop_.each, work);
      case OmpConstruct::barrier:
        return omp::time_barrier(team, n, work);
      case OmpConstruct::single:
        return omp::time_single(team, n, work);
      case OmpConstruct::critical:
        return omp::time_critical(team, n, work);
      case OmpConstruct::lock:
        return omp::time_lock(team, n, work);
      case OmpConstruct::ordered:
        return omp::time_ordered(team, n, work);
      case OmpConstruct::atomic:
        return checked(n, [&](std::int64_t& sum) { return omp::time_atomic(team, n, sum); });
      case OmpConstruct::reduction:
        return checked(n * team.threads, [&](std::int64_t& sum) { return omp::time_reduction(team, n, work, sum); });
      case OmpConstruct::task:
        return omp::time_task(team, n, work);
    }
    return {};
  }
  template <class Timed>
  static Nanoseconds checked(std::int64_t expected, Timed timed) {
    std::int64_t sum = 0;
    const Nanoseconds time = timed(sum);
    if (sum != expected)
      throw std::logic_error("an OpenMP sum is " + std::to_string(sum) + " instead of " + std::to_string(expected));
    return time;
  }

  OmpConstruct construct_;
  OmpTeam team_;
  Delay delay_;
  LoopShape loop_{};
};

}  // namespace

std::unique_ptr<Measurement> make_omp(OmpConstruct construct, Setup& setup) {
  return std::make_unique<Construct>(construct, setup);
}

}  // namespace assay
