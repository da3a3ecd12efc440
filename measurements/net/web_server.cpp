// SPDX-License-Identifier: Apache-2.0
// Serves one request after the other.
#include "net/web_server.hpp"

#include <sys/mman.h>
#include <sys/socket.h>

#include <charconv>

namespace assay {

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

}  // namespace assay
