// SPDX-License-Identifier: Apache-2.0
// Groups of senders and receivers in which every sender writes to every receiver.
#pragma once
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "chat/gate.hpp"
#include "chat/threads.hpp"
#include "limits/limits.hpp"

namespace assay {

/// The size of a crowd, and what its messages pass through.
struct GroupsPlan {
  std::uint32_t groups = 1;
  std::uint32_t pairs = 20;      ///< senders of a group, and receivers
  std::uint32_t messages = 100;  ///< of each sender to each receiver
  std::size_t bytes = 100;
  bool through_pipes = false;  ///< else sockets of the local family
  std::uint64_t all_messages() const { return std::uint64_t{groups} * pairs * pairs * messages; }
};

/// The pattern of hackbench (Russell; today of rt-tests) with threads: each receiver has a pipe, or a pair of sockets,
/// that all senders of its group write to, one message to each receiver in turn. Every message is checked: it has to be
/// its sender's next. Threads and descriptors are there before, and sleep between rounds.
class SenderGroups {
 public:
  /// Throws Unsupported for a crowd that the system has no room for, or that is none.
  explicit SenderGroups(const GroupsPlan& plan) : plan_(checked(plan)), threads_(course_) {
    try {
      for (std::uint32_t group = 0; group < plan_.groups; ++group) start_group();
    } catch (...) {
      course_.end();
      throw;
    }
  }
  SenderGroups(const SenderGroups&) = delete;
  SenderGroups& operator=(const SenderGroups&) = delete;
  ~SenderGroups() { course_.end(); }

  /// One round; how long it took until the last thread was done. Throws std::runtime_error for a message that was not
  /// its sender's next: the round is then over all the same, since everything sent is read.
  Nanoseconds run(const Stopwatch& watch) {
    course_.heard.start(static_cast<std::int64_t>(threads_.size()), watch);
    const std::int64_t from = watch.start();
    course_.talk.open();
    if (!course_.heard.wait()) throw std::runtime_error(course_.failure());
    return watch.between(from, course_.heard.stamp());
  }

 private:
  static constexpr std::size_t touched_by_thread = std::size_t{16} << 10U;
  /// What a message begins with.
  struct Head {
    std::uint32_t sender;
    std::uint32_t number;
  };

  static const GroupsPlan& checked(const GroupsPlan& plan) {
    if (plan.groups < 1 || plan.pairs < 1 || plan.messages < 1)
      throw Unsupported("a crowd has a group, a sender and a message; use groups, pairs and messages = 1 or more");
    if (plan.bytes < sizeof(Head) || plan.bytes > PIPE_BUF)
      throw Unsupported("messages of several senders stay whole from " + std::to_string(sizeof(Head)) + " to " +
                        std::to_string(PIPE_BUF) + " bytes only; choose bytes in between");
    const std::uint64_t receivers = std::uint64_t{plan.groups} * plan.pairs;
    if (receivers > 1'000'000) throw Unsupported("the crowd would have more than a million receivers");
    const std::string who = std::to_string(plan.groups) + " groups of " + std::to_string(plan.pairs) + " pairs";
    const std::size_t threads = 2 * receivers;
    require_descriptors(2 * receivers, who, "groups or pairs");
    require_threads(threads, who, "groups or pairs");
    require_memory(threads * ChatThreads::stack, threads * touched_by_thread, who, "groups or pairs");
    return plan;
  }

  void start_group() {
    const std::size_t first = ends_.size();
    for (std::uint32_t i = 0; i < plan_.pairs; ++i) open_ends();
    for (std::uint32_t i = 0; i < plan_.pairs; ++i) {
      threads_.start([this, from = ends_[first + i][0]] { receive(from); });
      threads_.start([this, first, i] { send(first, i); });
    }
  }
  void open_ends() {
    if (plan_.through_pipes)
      ends_.emplace_back("opening a pipe", [](int* numbers) { return ::pipe2(numbers, O_CLOEXEC); });
    else
      ends_.emplace_back("opening a pair of sockets",
                         [](int* numbers) { return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers); });
  }

  void send(std::size_t first, std::uint32_t sender) {
    std::vector<std::byte> text(plan_.bytes);
    for (std::uint32_t round = 0; course_.talk.wait(round); ++round) {
      for (std::uint32_t number = 0; number < plan_.messages; ++number) {
        const Head head{sender, number};
        std::memcpy(text.data(), &head, sizeof head);
        for (std::uint32_t to = 0; to < plan_.pairs; ++to) write_whole(ends_[first + to][1], text);
      }
      course_.heard.arrive();
    }
  }
  void receive(int from) {
    std::vector<std::byte> text(plan_.bytes);
    std::vector<std::uint32_t> numbers(plan_.pairs);
    for (std::uint32_t round = 0; course_.talk.wait(round); ++round) {
      numbers.assign(plan_.pairs, 0);
      for (std::uint64_t left = std::uint64_t{plan_.pairs} * plan_.messages; left > 0; --left) {
        read_whole(from, text);
        Head head{};
        std::memcpy(&head, text.data(), sizeof head);
        if (head.sender >= plan_.pairs || head.number != numbers[head.sender]++)
          course_.fail("a message of sender " + std::to_string(head.sender) + " was lost, doubled or torn");
      }
      course_.heard.arrive();
    }
  }
  static void write_whole(int to, const std::vector<std::byte>& text) {
    for (std::size_t done = 0; done < text.size();)
      done += static_cast<std::size_t>(
          uninterrupted("writing a message", [&] { return ::write(to, text.data() + done, text.size() - done); }));
  }
  static void read_whole(int from, std::vector<std::byte>& text) {
    for (std::size_t done = 0; done < text.size();) {
      const auto more =
          uninterrupted("reading a message", [&] { return ::read(from, text.data() + done, text.size() - done); });
      if (more == 0) fail_at_end("reading a message");
      done += static_cast<std::size_t>(more);
    }
  }

  GroupsPlan plan_;
  Course course_;
  std::deque<DescriptorPair> ends_;
  ChatThreads threads_;
};

/// A batch is one round of a crowd.
class ChatGroups final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { elapsed, rate, switches };

  /// Throws Unsupported as SenderGroups does.
  explicit ChatGroups(Setup& setup) : plan_(plan(setup)), crowd_(plan_) {}

  Claims run(Member& member, Reps) override {
    const SwitchCount before = switches_of_others();
    const Nanoseconds taken = crowd_.run(member.stopwatch());
    const SwitchCount made = switches_of_others() - before;
    member.adopt(made.voluntary, made.involuntary);
    const auto messages = static_cast<double>(plan_.all_messages());
    return Claims(taken)
        .set(rate, messages / taken.count * 1e9)
        .set(switches, static_cast<double>(made.voluntary + made.involuntary) / messages);
  }

 private:
  static GroupsPlan plan(const Setup& setup) {
    return {setup.level<std::uint32_t>("groups"), setup.level<std::uint32_t>("pairs"),
            setup.level<std::uint32_t>("messages"), setup.level<std::size_t>("bytes"), setup.word("through") == "pipe"};
  }
  GroupsPlan plan_;
  SenderGroups crowd_;
};

}  // namespace assay
