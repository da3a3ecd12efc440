// SPDX-License-Identifier: Apache-2.0
// Asking which of many descriptors are ready, when all of them are.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "channel/loopback.hpp"
#include "file/temporary.hpp"
#include "limits/limits.hpp"

namespace assay {

/// Duplicates of one descriptor that can always be written to: of an empty file, or of a connected socket of TCP over
/// the loopback interface, to which nothing is ever sent.
class WritableDescriptors {
 public:
  /// Throws Unsupported where there is no room for so many, after the limit was raised as far as it may be.
  WritableDescriptors(bool is_file, std::size_t count, const std::string& directory)
      : limit_(count < unlimited - others ? count + others : unlimited) {
    if (count < 1) throw Unsupported("there is nothing to wait for; use count = 1 or more");
    require_descriptors(count < unlimited - others ? count + others : unlimited, std::to_string(count) + " descriptors",
                        "descriptors");
    if (is_file) {
      file_.emplace(directory);
    } else {
      listener_.emplace();
      connection_ = listener_->connect({.client = false, .server = false});
    }
    const int first = is_file ? file_->descriptor() : connection_.client->number();
    for (std::size_t i = 0; i < count; ++i)
      all_.emplace_back("duplicating a descriptor", ::fcntl(first, F_DUPFD_CLOEXEC, 0));
  }

  std::vector<int> numbers() const {
    std::vector<int> all;
    for (const OwnedDescriptor& each : all_) all.push_back(each.number());
    return all;
  }

 private:
  static constexpr std::size_t others = 8;  // the sockets themselves, and epoll's
  RaisedDescriptorLimit limit_;
  std::optional<NamelessFile> file_;
  std::optional<Listener> listener_;
  Connection connection_;
  std::deque<OwnedDescriptor> all_;
};

/// One select, poll or epoll_wait that does not wait and finds all descriptors ready to be written to: lat_select
/// (lmbench; McVoy and Staelin, 1996), with all descriptors looked at, and its younger relatives.
class AskReady final : public Measurement {
 public:
  /// Throws Unsupported where there is no room for so many descriptors, for numbers that select cannot take, and for
  /// epoll of files.
  explicit AskReady(Setup& setup)
      : how_(setup.word("how")),
        count_(setup.level<std::size_t>("count")),
        descriptors_(setup.word("kind") == "file", count_, directory_of(setup)) {
    const std::vector<int> numbers = descriptors_.numbers();
    if (how_ == "select") prepare_select(numbers);
    if (how_ == "poll")
      for (const int number : numbers) polled_.push_back({number, POLLOUT, 0});
    if (how_ == "epoll") prepare_epoll(numbers, setup.word("kind"));
  }

  Claims run(Member& member, Reps reps) override {
    if (how_ == "select") return run_select(member, reps);
    return how_ == "poll" ? run_poll(member, reps) : run_epoll(member, reps);
  }

 private:
  void prepare_select(const std::vector<int>& numbers) {
    FD_ZERO(&asked_);
    highest_ = *std::max_element(numbers.begin(), numbers.end());
    if (highest_ >= FD_SETSIZE)
      throw Unsupported("select takes descriptors below " + std::to_string(FD_SETSIZE) +
                        " (FD_SETSIZE), and the last of " + std::to_string(count_) + " is " + std::to_string(highest_) +
                        "; choose fewer descriptors, or how = poll");
    for (const int number : numbers) FD_SET(number, &asked_);
  }
  void prepare_epoll(const std::vector<int>& numbers, const std::string& kind) {
    if (kind == "file") throw Unsupported("epoll takes no regular files (EPERM); use kind = tcp, or how = poll");
    events_.resize(count_);
    epoll_.emplace("an epoll instance", ::epoll_create1(EPOLL_CLOEXEC));
    for (const int number : numbers) {
      epoll_event event{.events = EPOLLOUT, .data = {.fd = number}};
      if (::epoll_ctl(epoll_->number(), EPOLL_CTL_ADD, number, &event) != 0) fail("adding a descriptor to epoll");
    }
  }

  Claims run_select(const Member& member, Reps reps) {
    return checked(member, reps, [this] {
      fd_set found = asked_;
      timeval at_once{};
      return ::select(highest_ + 1, nullptr, &found, nullptr, &at_once);
    });
  }
  Claims run_poll(const Member& member, Reps reps) {
    const Claims claims = checked(member, reps, [this] { return ::poll(polled_.data(), polled_.size(), 0); });
    // What is not open is found as well.
    if (std::any_of(polled_.begin(), polled_.end(), [](const pollfd& each) { return each.revents != POLLOUT; }))
      throw std::logic_error("poll found a descriptor ready for something else than writing");
    return claims;
  }
  Claims run_epoll(const Member& member, Reps reps) {
    return checked(member, reps, [this, file = epoll_->number()] {
      return ::epoll_wait(file, events_.data(), static_cast<int>(events_.size()), 0);
    });
  }
  template <class Ask>
  Claims checked(const Member& member, Reps reps, Ask ask) const {
    bool all = true;
    const Nanoseconds taken = member.timed(reps, [&] { all &= ask() == static_cast<int>(count_); });
    if (!all) throw std::logic_error(how_ + " found another number ready than all " + std::to_string(count_));
    return taken;
  }

  std::string how_;
  std::size_t count_;
  WritableDescriptors descriptors_;
  fd_set asked_{};
  int highest_ = 0;
  std::vector<pollfd> polled_;
  std::vector<epoll_event> events_;
  std::optional<OwnedDescriptor> epoll_;
};

}  // namespace assay
