// SPDX-License-Identifier: Apache-2.0
// What a lock offers to the measurements over locks: compile-time, so that a timed body contains the operation and
// nothing else.
#pragma once
#include <concepts>
#include <string>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {

/// A way to take and to give back an object of its own kind. The object is constructed from the Setup, which may throw
/// Unsupported, where all members can reach it. `lock` and `unlock` return 0 or an error number, and `unlock` is called
/// by the member that holds the object. `exclusive` is false where several can hold it at once; `any_thread` is false
/// where the library looks who unlocks.
template <class L>
concept Lock = std::constructible_from<typename L::Object, const Setup&> && requires(typename L::Object& object) {
  { L::lock(object) } -> std::same_as<int>;
  { L::unlock(object) } -> std::same_as<int>;
  { L::waiting } -> std::convertible_to<Waiting>;
  { L::exclusive } -> std::convertible_to<bool>;
};

/// Throws for an error number that is not 0: for operations outside timed regions.
inline void accept(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// Locks and unlocks once and looks at the results. A lock that was contended keeps a mark that costs its next unlock a
/// system call, and one with a priority ceiling refuses its first user only: so each is tried before it is timed.
template <Lock L>
void try_out(typename L::Object& object) {
  accept(L::lock(object), "the lock cannot be acquired");
  accept(L::unlock(object), "the lock cannot be released");
}

/// Whether the members see the object through different address spaces' mappings.
inline bool between_processes(const Setup& setup) { return setup.vehicle() != "thread"; }

/// The vehicles of everything that lies in shared memory.
inline std::vector<std::string> local_vehicles() { return {"thread", "process"}; }
/// The traits of everything that lies there.
inline Traits local_traits(Waiting waiting, Reps least = Reps{1}) {
  return {.vehicles = local_vehicles(), .waiting = waiting, .reps = {.least = least}};
}

}  // namespace assay
