// SPDX-License-Identifier: Apache-2.0
// Many places in memory for what members share, so that no single address decides on a result.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "channel/channel.hpp"

namespace assay {

/// How far the home of a line is from the members' cores depends on its address, and changes when a hypervisor moves
/// them: pairs of lines took 225 to 320 ns there, and 550 on pages that the host had elsewhere. So there are many
/// objects, on pages of their own and on other lines of them, and each member goes to the next when a batch begins.
/// Members make the same batches, and are at the same place in each.
/// Where the number of members is known beforehand, finding the place is one load less, in what is timed.
template <class T, std::size_t members = std::dynamic_extent>
class Places {
 public:
  static constexpr std::size_t usual = 64;

  /// `make()` returns an object in memory that members share, and which outlives this one; called for each place.
  template <class Make>
  Places(Setup& setup, Make make, std::size_t count = usual) {
    while (all_.size() < count) {
      all_.push_back(&make());
      setup.share<Gap>();
    }
    if constexpr (members == std::dynamic_extent) own_.resize(static_cast<std::size_t>(setup.members()));
    for (Own& own : own_) own = {all_.front(), 0};
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
    T* here = nullptr;
    std::size_t at = 0;
  };
  std::vector<T*> all_;
  std::conditional_t<members == std::dynamic_extent, std::vector<Own>, std::array<Own, members>> own_;
};

/// Of what two members exchange through.
template <class T>
using ChannelPlaces = Places<T, 2>;

/// In a futex wait at any of the places, on the word that `word_of` picks.
template <class T, class WordOf>
SleepingPlace in_futex_of_any(const ChannelPlaces<T>& places, WordOf word_of) {
  SleepingPlace all = in_futex_of(word_of(*places.all().front()));
  for (T* place : places.all()) {
    const SleepingPlace here = in_futex_of(word_of(*place));
    all.low = std::min(all.low, here.low);
    all.high = std::max(all.high, here.high);
  }
  return all;
}

/// As many as usual.
template <class T>
ChannelPlaces<T> channel_places(Setup& setup) {
  return ChannelPlaces<T>(setup, [&]() -> T& { return setup.share<T>(); });
}

}  // namespace assay
