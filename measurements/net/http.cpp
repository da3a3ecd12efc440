// SPDX-License-Identifier: Apache-2.0
// The client of the web server.
#include "net/http.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <charconv>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "api/measurement.hpp"
#include "limits/limits.hpp"
#include "net/pattern.hpp"

namespace assay {

namespace {

int anonymous_file() {
  const int file = ::memfd_create("assay-web-object", MFD_CLOEXEC);
  if (file < 0 && (errno == ENOSYS || errno == EPERM))
    throw Unsupported("this kernel gives no file in memory (memfd_create: " + std::generic_category().message(errno) +
                      "), where the objects of the web server are");
  return file;
}

std::string content(std::size_t number, std::size_t size) {
  std::string text(size, '\0');
  fill_with_pattern({reinterpret_cast<std::byte*>(text.data()), size}, number);
  return text;
}

}  // namespace

WebObject::WebObject(std::size_t number, std::size_t size)
    : number_(number),
      size_(size),
      header_("HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: " + std::to_string(size) +
              "\r\n\r\n"),
      file_("opening a file in memory", anonymous_file()) {
  const std::string bytes = content(number, size);
  const auto written =
      uninterrupted("writing a file in memory", [&] { return ::pwrite(file_.number(), bytes.data(), size, 0); });
  if (static_cast<std::size_t>(written) != size) throw std::runtime_error("a file in memory was written in part");
}

std::string WebObject::response() const { return header_ + content(number_, size_); }

void send_all(int socket, const void* bytes, std::size_t size) {
  const auto* data = static_cast<const char*>(bytes);
  for (std::size_t sent = 0; sent < size;)
    sent += static_cast<std::size_t>(
        uninterrupted("sending on a socket", [&] { return ::send(socket, data + sent, size - sent, MSG_NOSIGNAL); }));
}

void WebServer::serve_one(const Listener& listener) {
  const OwnedDescriptor connection("accepting a connection", listener.accept());
  const int which = requested(receive(connection.number()));
  if (which < 0) {
    const std::string_view refusal =
        which == -1 ? "HTTP/1.0 404 Not Found\r\n\r\n" : "HTTP/1.0 400 Bad Request\r\n\r\n";
    send_all(connection.number(), refusal.data(), refusal.size());
    return;
  }
  const WebObject& object = objects_[static_cast<std::size_t>(which)];
  send_all(connection.number(), object.header().data(), object.header().size());
  send_content(connection.number(), object);
}

int WebServer::requested(std::string_view request) const {
  constexpr std::string_view verb = "GET /";
  if (!request.starts_with(verb)) return -2;
  request.remove_prefix(verb.size());
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(request.data(), request.data() + request.size(), number);
  if (error != std::errc() || !std::string_view(rest, request.data() + request.size()).starts_with(" HTTP/1."))
    return error == std::errc() ? -2 : -1;
  return number < objects_.size() ? static_cast<int>(number) : -1;
}

// Up to the empty line; a request that is longer than any of ours is cut.
std::string_view WebServer::receive(int socket) {
  std::size_t size = 0;
  while (size < request_.size()) {
    const auto n = uninterrupted("receiving a request",
                                 [&] { return ::recv(socket, request_.data() + size, request_.size() - size, 0); });
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
    if (std::string_view(request_.data(), size).ends_with("\r\n\r\n")) break;
  }
  return {request_.data(), size};
}

void WebServer::send_content(int socket, const WebObject& object) {
  if (object.size() < mapped_from) {
    const auto n =
        uninterrupted("reading an object", [&] { return ::pread(object.file(), buffer_.data(), object.size(), 0); });
    send_all(socket, buffer_.data(), static_cast<std::size_t>(n));
    return;
  }
  void* content = ::mmap(nullptr, object.size(), PROT_READ, MAP_PRIVATE, object.file(), 0);
  if (content == MAP_FAILED) fail("mapping an object");
  try {
    send_all(socket, content, object.size());
  } catch (...) {
    ::munmap(content, object.size());
    throw;
  }
  ::munmap(content, object.size());
}

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
