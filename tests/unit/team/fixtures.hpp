// SPDX-License-Identifier: Apache-2.0
// Measurements and helpers for the tests of teams.
#pragma once
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <thread>

#include "api/measurement.hpp"
#include "base/error.hpp"
#include "platform/thread/guard.hpp"
#include "platform/thread/shared_memory.hpp"
#include "team/team.hpp"

namespace assay::team_test {

/// An entry of the class under any number of members and both vehicles.
template <class M, class... Args>
Entry entry_of(Args... args) {
  Entry entry;
  entry.description.name = "test/any";
  entry.description.members = at_least(1);
  entry.description.traits.vehicles = {"thread", "process"};
  entry.make = [args...](Setup& setup) { return std::make_unique<M>(setup, args...); };
  return entry;
}

/// The entry with members that wait for each other in such a way: those who sleep part together where they share CPUs.
inline Entry waiting(Waiting how, Entry entry) {
  entry.description.traits.waiting = how;
  return entry;
}

inline TeamRequest request_of(const std::string& vehicle, int members) {
  TeamRequest request;
  request.vehicle = vehicle;
  request.members = members;
  return request;
}

/// Bound to the first so many CPUs, or all to the first one.
inline Placement on_different_cpus(int members) {
  Placement placement{"different", binding_of_self()};
  placement.cpus.resize(static_cast<std::size_t>(members));
  return placement;
}
inline Placement on_one_cpu(int members) {
  return {"same-pu", std::vector<int>(static_cast<std::size_t>(members), binding_of_self().front())};
}
inline bool has_two_cpus() { return binding_of_self().size() >= 2; }

/// Does nothing; claims its repetitions, a hundred nanoseconds each.
class Idle final : public Measurement {
 public:
  explicit Idle(Setup&) {}
  Claims run(Member&, Reps reps) override { return Nanoseconds{100.0 * static_cast<double>(reps.count)}; }
};

/// A token goes round all members, once per repetition, asleep meanwhile: progress does not depend on the load of the
/// machine. Claims repetitions (0), the token's last number (1).
class Ring final : public Measurement {
  using Token = std::atomic<std::uint32_t>;

 public:
  explicit Ring(Setup& setup) : token_(setup.share<Token>(0U)) {}
  Claims run(Member& member, Reps reps) override {
    std::uint32_t last = 0;
    for (std::int64_t i = 0; i < reps.count; ++i) last = pass(member);
    return Claims{}.set(0, static_cast<double>(reps.count)).set(1, last);
  }

 private:
  std::uint32_t pass(Member& member) {
    const auto is_ours = [&](std::uint32_t token) {
      return token % static_cast<std::uint32_t>(member.members()) == static_cast<std::uint32_t>(member.rank());
    };
    std::uint32_t token = 0;
    while (!is_ours(token = token_.load())) wait_while_equal(token_, token);
    member.beat();
    token_.store(token + 1);
    wake_all(token_);
    return token + 1;
  }
  Token& token_;
};

/// Waits forever, politely: for members whose partner fails.
[[noreturn]] inline void wait_for_ever() {
  for (std::atomic<int> never{0};;) {
    never.load();
    std::this_thread::yield();
  }
}

/// A place in memory that forked members share with the test.
template <class T>
class Common {
 public:
  Common() : memory_(sizeof(T) + 4096), object_(::new(memory_.allocate(sizeof(T), 64)) T()) {}
  T* operator->() const { return object_; }
  T* get() const { return object_; }

 private:
  SharedMemory memory_;
  T* object_;
};

/// What is to go wrong, where.
struct Fault {
  std::string where;  ///< "constructor", "enter", "run", "leave"
  int rank = 0;
  std::function<void()> what;
  int waits_from = 1000;  ///< members from this rank on, besides the one at fault, never return from a run
};

class Faulty final : public Measurement {
  struct Progress {
    std::atomic<bool> first_waits{false};
  };

 public:
  Faulty(Setup& setup, Fault fault) : progress_(setup.share<Progress>()), fault_(std::move(fault)) {
    if (fault_.where == "constructor") fault_.what();
  }
  void enter(Member& member) override { strike("enter", member); }
  Claims run(Member& member, Reps) override {
    if (member.rank() == 0) progress_.first_waits = true;
    while (fault_.waits_from == 0 && !progress_.first_waits) std::this_thread::yield();
    strike("run", member);
    if (member.rank() >= fault_.waits_from) wait_for_ever();
    return Nanoseconds{1};
  }
  void leave(Member& member) override { strike("leave", member); }

 private:
  void strike(const char* where, const Member& member) const {
    if (fault_.where == where && fault_.rank == member.rank()) fault_.what();
  }
  Progress& progress_;
  Fault fault_;
};

/// Ends the process without the last words of a sanitizer, which changes statuses and minds threads that hang on.
[[noreturn]] inline void end_at_once(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

/// The wait status of a forked process that does this, and nothing of the test program.
inline int status_of(const std::function<void()>& deed) {
  const pid_t pid = fork();
  if (pid == 0) {
    try {
      deed();
    } catch (...) {
      end_at_once(111);
    }
    end_at_once(0);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// The text of what a callable throws as an E; a mark when it throws nothing.
template <class E, class Deed>
std::string thrown(Deed deed) {
  try {
    deed();
  } catch (const E& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

/// The scheduler's letter for a thread or process: 'R', 'S', 'Z', ...; 'X' where it is gone.
inline char state_of(int id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string text;
  std::getline(file, text);
  return text.empty() ? 'X' : text.at(text.rfind(')') + 2);
}

/// The ids of the threads of this process.
inline std::set<int> threads() {
  std::set<int> ids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    ids.insert(std::stoi(entry.path().filename().string()));
  return ids;
}

}  // namespace assay::team_test
