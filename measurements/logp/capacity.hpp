// SPDX-License-Identifier: Apache-2.0
// How many messages a channel holds, found by sending until it refuses.
#pragma once
#include <stdexcept>
#include <string>

#include "channel/channel.hpp"
#include "logp/meaning.hpp"
#include "logp/polling.hpp"

namespace assay {

/// Member 0 sends until a send is refused; then member 1 receives as many.
template <Channel C>
class Capacity final : public Measurement {
  struct Sent {
    std::int64_t messages = 0;
  };

 public:
  static constexpr Meaning meaning() { return rate_of(C::delivery); }
  static Traits over(Traits channel) {
    channel.reps.most = Reps{1};
    return channel;
  }

  explicit Capacity(Setup& setup) : channel_(setup), sent_(setup.share<Sent>()), filled_(setup), emptied_(setup) {
    if (!RefusingChannel<C> || channel_.capacity() > most)
      throw Unsupported("the channel cannot be filled to find its capacity: it is documented to hold " +
                            std::to_string(channel_.capacity()) + " messages",
                        "N10");
  }
  void enter(Member& member) override { channel_.enter(member); }
  void leave(Member& member) override { channel_.leave(member); }

  Claims run(Member& member, Reps) override {
    if (member.rank() == 0) {
      sent_.messages = fill(member);
      filled_.open();
      emptied_.pass();
      return Claims{}.set(0, static_cast<double>(sent_.messages));
    }
    filled_.pass();
    for (std::int64_t i = 0; i < sent_.messages; ++i) channel_.receive(member, Direction::there);
    emptied_.open();
    return {};
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 22;

  std::int64_t fill(Member& member) {
    std::int64_t messages = 0;
    if constexpr (RefusingChannel<C>)
      while (channel_.try_send(member, Direction::there))
        if (++messages > most)
          throw std::runtime_error("no message was refused among " + std::to_string(messages) +
                                   ": the capacity of the channel cannot be found by filling it");
    return messages;
  }

  C channel_;
  Sent& sent_;
  Gate filled_;
  Gate emptied_;
};

}  // namespace assay
