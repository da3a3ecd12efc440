// SPDX-License-Identifier: Apache-2.0
// The client of the web server.
#include "net/http.hpp"

#include <sys/socket.h>

#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "limits/room.hpp"

namespace assay {
namespace {

constexpr std::size_t piece = 65536;
constexpr std::string_view status = "HTTP/1.0 200 ";

std::deque<WebObject> make_objects() {
  require_descriptors(web_object_sizes.size() + 3, "the objects of a web server", "points");
  std::deque<WebObject> objects;
  for (const std::size_t size : web_object_sizes) objects.emplace_back(objects.size(), size);
  return objects;
}

}  // namespace

Http::Http(Setup&) : objects_(make_objects()), server_(objects_), received_(2 * piece, '\0') {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    requests_.push_back("GET /" + std::to_string(i) + " HTTP/1.0\r\n\r\n");
    responses_.push_back(objects_[i].response());
  }
}

std::size_t Http::bytes_of_pass() const {
  return std::accumulate(responses_.begin(), responses_.end(), std::size_t{0},
                         [](std::size_t sum, const std::string& response) { return sum + response.size(); });
}

Claims Http::run(Member& member, Reps reps) {
  if (member.rank() == 1) {
    const std::int64_t requests = (reps.count + 2) * static_cast<std::int64_t>(objects_.size());
    for (std::int64_t i = 0; i < requests; ++i) server_.serve_one(listener_);
    return {};
  }
  fetch_all<true>();
  const Nanoseconds taken = member.timed(reps, [this] { fetch_all<false>(); });
  fetch_all<true>();
  const double all = static_cast<double>(bytes_of_pass()) * static_cast<double>(reps.count);
  return Claims{}.set(rate, all * (seconds(1) / taken)).set(time, taken).set(bytes, all);
}

template <bool compares>
void Http::fetch_all() {
  for (std::size_t i = 0; i < objects_.size(); ++i) fetch<compares>(i);
}

template <bool compares>
void Http::fetch(std::size_t number) {
  const OwnedDescriptor socket("opening a socket", new_tcp_socket());
  reset_when_closed(socket.number());
  const sockaddr_in address = loopback_address(listener_.port());
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    refuse_loopback("connecting over the loopback interface");
  send_all(socket.number(), requests_[number].data(), requests_[number].size());
  const std::size_t got = receive(socket.number());
  const std::string& due = responses_[number];
  const std::size_t looked_at = compares ? due.size() : status.size();
  if (got != due.size() || std::memcmp(received_.data(), due.data(), looked_at) != 0) refuse(number, got);
}

std::size_t Http::receive(int socket) {
  for (std::size_t size = 0;;) {
    const auto n =
        uninterrupted("receiving a response", [&] { return ::recv(socket, received_.data() + size, piece, 0); });
    if (n == 0) return size;
    size = std::min(size + static_cast<std::size_t>(n), received_.size() - piece);
  }
}

void Http::refuse(std::size_t number, std::size_t got) const {
  throw std::logic_error("object " + std::to_string(number) + " came as a response of " + std::to_string(got) +
                         " bytes that begins '" + received_.substr(0, status.size()) + "', which is not the one of " +
                         std::to_string(responses_[number].size()) + " bytes that the server has");
}

}  // namespace assay
