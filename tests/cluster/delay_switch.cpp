// SPDX-License-Identifier: Apache-2.0
// A switch in user space between the nodes of a fake cluster: frames arrive after a delay that is set per link.
//
//   delay_switch NAMESPACE...      node i has the tap device of the i-th namespace, and address 02:00:00:00:00:0i
//
// Commands come by standard input, one a line, times in ns, each answered by "ok": "delay NS" of all links, "link A B
// NS" of one, both ways, "step BYTES NS" more for frames with that much TCP payload or above.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t most_frame = 65600;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t oversleep = 100'000;  // looked out for awake: a sleeper comes late, on virtual CPUs above all

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second + time.tv_nsec;
}

int checked(int result, const std::string& what) {
  if (result < 0) throw std::runtime_error(what + ": " + std::strerror(errno));
  return result;
}

/// The device of a node, opened from within its network.
int open_tap(const std::string& network) {
  const int space = checked(open(("/run/netns/" + network).c_str(), O_RDONLY | O_CLOEXEC), network);
  checked(setns(space, CLONE_NEWNET), "entering " + network);
  close(space);
  const int tap = checked(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "/dev/net/tun");
  ifreq request{};
  request.ifr_flags = static_cast<short>(IFF_TAP | IFF_NO_PI);
  std::strcpy(request.ifr_name, "node0");
  checked(ioctl(tap, TUNSETIFF, &request), "making a tap device");
  return tap;
}

struct Frame {
  std::int64_t due = 0;
  std::uint64_t order = 0;  ///< frames of a link do not overtake each other
  std::size_t to = 0;
  std::vector<unsigned char> bytes;
  bool operator>(const Frame& other) const { return due != other.due ? due > other.due : order > other.order; }
};

/// Bytes that TCP carries in an Ethernet frame of IPv4; 0 for anything else.
std::size_t payload_of(const unsigned char* frame, std::size_t size) {
  constexpr std::size_t ethernet = 14;
  if (size < ethernet + 40 || frame[12] != 8 || frame[13] != 0 || frame[ethernet + 9] != 6) return 0;
  const std::size_t header = (frame[ethernet] & 15U) * 4U;
  const std::size_t total = frame[ethernet + 2] * 256U + frame[ethernet + 3];
  const std::size_t tcp = (frame[ethernet + header + 12] >> 4U) * 4U;
  return total > header + tcp ? total - header - tcp : 0;
}

class Switch {
 public:
  explicit Switch(const std::vector<std::string>& networks)
      : delays_(networks.size(), std::vector<std::int64_t>(networks.size(), 0)),
        latest_(networks.size(), std::vector<std::int64_t>(networks.size(), 0)) {
    for (const std::string& network : networks) taps_.push_back(open_tap(network));
  }

  void run() {
    std::vector<pollfd> waited;
    for (const int tap : taps_) waited.push_back({tap, POLLIN, 0});
    waited.push_back({0, POLLIN, 0});
    for (bool is_open = true; is_open;) {
      wait(waited);
      for (std::size_t from = 0; from < taps_.size(); ++from)
        if ((waited[from].revents & POLLIN) != 0) take(from);
      deliver();
      if (waited.back().revents != 0) is_open = obey();
    }
  }

 private:
  void wait(std::vector<pollfd>& waited) const {
    timespec left{1, 0};
    if (!frames_.empty()) {
      const std::int64_t rest = std::max<std::int64_t>(0, frames_.top().due - now() - oversleep);
      left = {rest / second, rest % second};
    }
    ppoll(waited.data(), waited.size(), &left, nullptr);
  }

  void take(std::size_t from) {
    std::array<unsigned char, most_frame> bytes;
    for (ssize_t size = 0; (size = read(taps_[from], bytes.data(), bytes.size())) > 0;) {
      const std::int64_t arrived = now();
      const std::size_t to = bytes[0] == 2 ? bytes[5] : taps_.size();
      for (std::size_t other = 0; other < taps_.size(); ++other)
        if (other != from && (to == other || to >= taps_.size()))
          send(from, other, arrived, bytes.data(), static_cast<std::size_t>(size));
    }
  }

  void send(std::size_t from, std::size_t to, std::int64_t arrived, const unsigned char* bytes, std::size_t size) {
    const std::int64_t more = step_ > 0 && payload_of(bytes, size) >= step_ ? step_delay_ : 0;
    const std::int64_t due = std::max(latest_[from][to], arrived + delays_[from][to] + more);
    latest_[from][to] = due;
    frames_.push({due, ++order_, to, {bytes, bytes + size}});
  }

  void deliver() {
    for (const std::int64_t time = now(); !frames_.empty() && frames_.top().due <= time; frames_.pop()) {
      const Frame& frame = frames_.top();
      if (write(taps_[frame.to], frame.bytes.data(), frame.bytes.size()) < 0) ++lost_;
    }
  }

  /// False at the end of the commands.
  bool obey() {
    std::string line;
    if (!std::getline(std::cin, line)) return false;
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "delay") {
      std::int64_t delay = 0;
      words >> delay;
      for (auto& row : delays_) row.assign(row.size(), delay);
    } else if (what == "link") {
      std::size_t a = 0;
      std::size_t b = 0;
      std::int64_t delay = 0;
      words >> a >> b >> delay;
      delays_.at(a).at(b) = delays_.at(b).at(a) = delay;
    } else if (what == "step") {
      words >> step_ >> step_delay_;
    }
    std::cout << (words.fail() ? "what is " + line : "ok") << std::endl;
    return true;
  }

  std::vector<int> taps_;
  std::vector<std::vector<std::int64_t>> delays_;
  std::vector<std::vector<std::int64_t>> latest_;
  std::priority_queue<Frame, std::vector<Frame>, std::greater<>> frames_;
  std::uint64_t order_ = 0;
  std::uint64_t lost_ = 0;
  std::size_t step_ = 0;
  std::int64_t step_delay_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  try {
    std::cin.tie(nullptr);
    Switch nodes(std::vector<std::string>(arguments + 1, arguments + count));
    // Frames are late by what others take of the CPU: go first, where that is permitted.
    prctl(PR_SET_TIMERSLACK, 1);
    const sched_param priority{50};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) std::perror("delay_switch: without priority");
    std::cout << "ready" << std::endl;
    nodes.run();
  } catch (const std::exception& error) {
    std::cerr << "delay_switch: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
