// SPDX-License-Identifier: Apache-2.0
// Locks in which each member has a place of its own, and the use of any lock by one member.
#pragma once
#include <concepts>

#include "lock/lock.hpp"

namespace assay {

/// A lock as `Lock`, but for what a member needs to use it: `place(rank)` of the object, which no other member uses.
/// A member holds it once at a time. `enter` is called by each member, where it is placed, before it uses its place.
template <class L>
concept PlacedLock = std::constructible_from<typename L::Object, Setup&> &&
                     requires(typename L::Object& object, typename L::Place& place) {
                       { object.place(0) } -> std::same_as<typename L::Place&>;
                       { L::enter(object, place) } -> std::same_as<void>;
                       { L::lock(object, place) } -> std::same_as<int>;
                       { L::unlock(object, place) } -> std::same_as<int>;
                       { L::waiting } -> std::convertible_to<Waiting>;
                       { L::exclusive } -> std::convertible_to<bool>;
                     };

template <class L>
concept AnyLock = Lock<L> || PlacedLock<L>;

/// A lock as one member uses it.
template <AnyLock L>
class LockOf {
 public:
  LockOf(typename L::Object& object, int) : object_(object) {}
  void enter() {}
  int lock() { return L::lock(object_); }
  int unlock() { return L::unlock(object_); }

 private:
  typename L::Object& object_;
};
template <PlacedLock L>
class LockOf<L> {
 public:
  LockOf(typename L::Object& object, int rank) : object_(object), place_(object.place(rank)) {}
  void enter() { L::enter(object_, place_); }
  int lock() { return L::lock(object_, place_); }
  int unlock() { return L::unlock(object_, place_); }

 private:
  typename L::Object& object_;
  typename L::Place& place_;
};

/// As of a lock's object, through the one who uses it.
template <AnyLock L>
void try_out(LockOf<L> user) {
  accept(user.lock(), "the lock cannot be acquired");
  accept(user.unlock(), "the lock cannot be released");
}

}  // namespace assay
