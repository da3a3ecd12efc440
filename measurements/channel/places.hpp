// SPDX-License-Identifier: Apache-2.0
// Many places in memory for what members share, so that no single address decides on a result.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "channel/channel.hpp"

namespace assay {

/// How far the home of a line is from the members' cores depends on its address, and changes when a hypervisor moves
/// them: pairs of lines took 225 to 320 ns there, and 550 on pages that the host had elsewhere. So there are many
/// objects, on pages of their own and on other lines of them, and each member goes to the next when a batch begins.
/// Members make the same batches, and are at the same place in each.
template <class T>
class Places {
 public:
  static constexpr std::size_t usual = 32;

  /// `make()` returns an object in memory that members share, and which outlives this one; called for each place.
  template <class Make>
  Places(Setup& setup, Make make, std::size_t count = usual) {
    while (all_.size() < count) {
      all_.push_back(&make());
      setup.share<Gap>();
    }
    own_.assign(static_cast<std::size_t>(setup.members()), {all_.front(), 0});
  }

  /// Where the member is.
  T& of(int rank) const { return *own_[static_cast<std::size_t>(rank)].here; }
  /// Takes the member to the next place.
  void wander(int rank) {
    Own& own = own_[static_cast<std::size_t>(rank)];
    own.at = (own.at + 1) % all_.size();
    own.here = all_[own.at];
  }
  /// In the order in which members come to them.
  const std::vector<T*>& all() const { return all_; }

 private:
  struct Gap {
    std::array<std::byte, 4096> bytes;
  };
  /// Used by its member alone: under processes each has a copy.
  struct alignas(line_size) Own {
    T* here;
    std::size_t at;
  };
  std::vector<T*> all_;
  std::vector<Own> own_;
};

/// In a futex wait at any of the places, on the word that `word_of` picks.
template <class T, class WordOf>
SleepingPlace in_futex_of_any(const Places<T>& places, WordOf word_of) {
  SleepingPlace all = in_futex_of(word_of(*places.all().front()));
  for (T* place : places.all()) {
    const SleepingPlace here = in_futex_of(word_of(*place));
    all.low = std::min(all.low, here.low);
    all.high = std::max(all.high, here.high);
  }
  return all;
}

/// Places of objects that are made from the Setup.
template <class T, class... Args>
Places<T> shared_places(Setup& setup, const Args&... args) {
  return Places<T>(setup, [&]() -> T& { return setup.share<T>(args...); });
}

}  // namespace assay
