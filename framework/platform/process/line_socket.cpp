// SPDX-License-Identifier: Apache-2.0
// A text line each way over a stream socket, with deadlines.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "platform/clock/system_clock.hpp"
#include "platform/process/process.hpp"

namespace assay {
namespace {

constexpr std::size_t longest_line = std::size_t{16} << 20;
constexpr std::size_t buffer_size = 65536;

/// Sends all of it; false when the other side is gone.
bool send_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    text.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  }
  return true;
}

timespec as_timespec(Nanoseconds duration) {
  const auto whole = static_cast<std::int64_t>(duration.count);
  return {whole / 1'000'000'000, whole % 1'000'000'000};
}

/// The moment when patience ends; asked for, it is over once and for all.
class Deadline {
 public:
  explicit Deadline(std::optional<Nanoseconds> patience) : patience_(patience), start_(clock_.now()) {}
  /// Time left, 0 when over; nothing when there is no deadline.
  std::optional<Nanoseconds> left() const {
    if (!patience_) return std::nullopt;
    const Nanoseconds rest = *patience_ - (clock_.now() - start_);
    return rest.count > 0 ? std::min(rest, longest) : Nanoseconds{0};
  }

 private:
  /// Keeps conversions within 64 bits; a wait that ends early is only repeated.
  static constexpr Nanoseconds longest = seconds(1e6);
  MonotonicClock clock_;
  std::optional<Nanoseconds> patience_;
  Instant start_;
};

/// What ended a wait.
struct Woken {
  bool socket = false;
  bool interrupt = false;
};

/// Waits for the socket, for output beside it or for an interrupt. Errors of the socket count as something that it has:
/// reading distinguishes them.
Woken wait_for(int descriptor, OutputTail* beside, int interrupt, std::optional<Nanoseconds> left) {
  pollfd watched[] = {
      {descriptor, POLLIN, 0}, {beside == nullptr ? -1 : beside->descriptor(), POLLIN, 0}, {interrupt, POLLIN, 0}};
  const timespec limit = as_timespec(left.value_or(Nanoseconds{}));
  if (::ppoll(watched, 3, left ? &limit : nullptr, nullptr) <= 0) return {};
  if (watched[1].revents != 0) beside->drain();
  return {watched[0].revents != 0, watched[2].revents != 0};
}

}  // namespace

LineSocket::LineSocket(LineSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      beside_(other.beside_),
      buffer_(std::move(other.buffer_)),
      pending_(std::move(other.pending_)),
      searched_(other.searched_) {}

LineSocket& LineSocket::operator=(LineSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(beside_, other.beside_);
  std::swap(buffer_, other.buffer_);
  std::swap(pending_, other.pending_);
  std::swap(searched_, other.searched_);
  return *this;
}

LineSocket::~LineSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool LineSocket::send(std::string_view line) { return send_all(descriptor_, std::string(line) + '\n'); }

bool LineSocket::receive_more() {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(buffer_size);
  const ssize_t count = ::recv(descriptor_, buffer_.get(), buffer_size, 0);
  if (count > 0) pending_.append(buffer_.get(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

bool LineSocket::take(std::string& line) {
  const std::size_t end = pending_.find('\n', searched_);
  searched_ = end == std::string::npos ? pending_.size() : 0;
  if (end == std::string::npos) return false;
  line.assign(pending_, 0, end);
  pending_.erase(0, end + 1);
  return true;
}

LineSocket::Status LineSocket::receive(std::string& line, std::optional<Nanoseconds> patience,
                                       const Interrupt& interrupt) {
  const Deadline deadline(patience);
  // One look after the deadline and no more, however busy the other side is.
  for (bool over = false; !over;) {
    if (take(line)) return Status::line;
    if (pending_.size() > longest_line) return Status::too_long;
    const auto left = deadline.left();
    over = left && left->count == 0;
    const Woken woken = wait_for(descriptor_, beside_, interrupt.descriptor, left);
    if (woken.interrupt && interrupt.requested()) return Status::interrupted;
    if (woken.socket && !receive_more()) return Status::closed;
  }
  return take(line) ? Status::line : Status::timeout;
}

}  // namespace assay
