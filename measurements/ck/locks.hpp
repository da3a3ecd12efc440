// SPDX-License-Identifier: Apache-2.0
// Locks of Concurrency Kit, a library, beside our own of the same kinds.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "ck/calls.hpp"
#include "lock/placed.hpp"

namespace assay {

/// Throws Unsupported where the program was built without the library.
inline void require_ck() {
  if (assay_ck_is_here() == 0)
    throw Unsupported(
        "this program was built without Concurrency Kit (libck-dev, found by pkg-config; ASSAY_CK in CMake)");
}

/// What the members of a lock of the library have: the lock's own word, and a node for each member and one more.
class CkLockParts {
 public:
  /// What a member needs of it. The library's CLH lock exchanges nodes.
  struct alignas(line_size) Place {
    void* node = nullptr;
  };

  /// Throws Unsupported where the program was built without the library.
  explicit CkLockParts(Setup& setup) : word_(setup.share<Memory>()), spare_(setup.share<Memory>()) {
    require_ck();
    for (int rank = 0; rank < setup.members(); ++rank) {
      places_.push_back(&setup.share<Place>());
      places_.back()->node = setup.share<Memory>().bytes.data();
    }
  }
  Place& place(int rank) { return *places_[static_cast<std::size_t>(rank)]; }
  void* word() { return word_.bytes.data(); }
  void* spare() { return spare_.bytes.data(); }

 private:
  struct alignas(line_size) Memory {
    std::array<std::byte, 16> bytes{};
  };
  Memory& word_;
  Memory& spare_;
  std::vector<Place*> places_;
};

/// What the three have in common.
template <class L>
class CkLock {
 public:
  using Object = L;
  using Place = CkLockParts::Place;
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool exclusive = true;

  explicit CkLock(Setup& setup) : parts_(setup) {}
  Place& place(int rank) { return parts_.place(rank); }
  static void enter(L&, Place&) {}

 protected:
  CkLockParts parts_;
};

/// ck_spinlock_ticket.
class CkTicket : public CkLock<CkTicket> {
 public:
  using CkLock::CkLock;
  static int lock(CkTicket& object, Place&) {
    assay_ck_ticket_lock(object.parts_.word());
    return 0;
  }
  static int unlock(CkTicket& object, Place&) {
    assay_ck_ticket_unlock(object.parts_.word());
    return 0;
  }
};

/// ck_spinlock_mcs.
class CkMcs : public CkLock<CkMcs> {
 public:
  using CkLock::CkLock;
  static int lock(CkMcs& object, Place& place) {
    assay_ck_mcs_lock(object.parts_.word(), place.node);
    return 0;
  }
  static int unlock(CkMcs& object, Place& place) {
    assay_ck_mcs_unlock(object.parts_.word(), place.node);
    return 0;
  }
};

/// ck_spinlock_clh.
class CkClh : public CkLock<CkClh> {
 public:
  explicit CkClh(Setup& setup) : CkLock(setup) { assay_ck_clh_init(parts_.word(), parts_.spare()); }
  static int lock(CkClh& object, Place& place) {
    assay_ck_clh_lock(object.parts_.word(), place.node);
    return 0;
  }
  static int unlock(CkClh&, Place& place) {
    assay_ck_clh_unlock(&place.node);
    return 0;
  }
};

}  // namespace assay
