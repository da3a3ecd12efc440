// SPDX-License-Identifier: Apache-2.0
// A server of HTTP/1.0 that serves one request after the other.
#pragma once
#include <deque>
#include <string>
#include <string_view>

#include "channel/loopback.hpp"
#include "net/web_object.hpp"

namespace assay {

/// Serves objects under the paths /0, /1 and so on. Contents of more than 4 KiB it sends from a mapping of the file,
/// made for each request, others by a read and a write (as the server of lmbench does).
class WebServer {
 public:
  explicit WebServer(const std::deque<WebObject>& objects) : objects_(objects), buffer_(mapped_from, '\0') {}

  /// Accepts a connection, answers its request, closes it. Errors of the client are answered: 400 for a request that is
  /// not understood, 404 for an object that there is not. Throws std::system_error.
  void serve_one(const Listener& listener);
  /// The object that a request line asks for; -1 for none that there is, -2 for what is no such request.
  int requested(std::string_view request) const;

 private:
  static constexpr std::size_t mapped_from = 4097;
  std::string_view receive(int socket);
  void send_content(int socket, const WebObject& object);

  const std::deque<WebObject>& objects_;
  std::string request_ = std::string(1024, '\0');
  std::string buffer_;
};

}  // namespace assay
