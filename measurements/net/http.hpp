// SPDX-License-Identifier: Apache-2.0
// Fourteen objects fetched by HTTP/1.0 over the loopback interface, a connection for each.
#pragma once
#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "channel/loopback.hpp"

namespace assay {

/// Sizes in bytes: thirteen parts of a page and the list of them. With their headers they come to about the 41.8 kB of
/// lmbench's list, of which only the smallest and the largest size are known.
inline constexpr std::array<std::size_t, 14> web_object_sizes{116,  232,  340,  486,  700,  930,  1200,
                                                              1500, 1900, 2400, 3200, 4600, 6662, 16384};

/// One object: its header as a server sends it, and a file of no name in memory with its content.
class WebObject {
 public:
  /// Throws Unsupported where the kernel has no anonymous files, std::system_error.
  WebObject(std::size_t number, std::size_t size);
  int file() const { return file_.number(); }
  std::size_t size() const { return size_; }
  const std::string& header() const { return header_; }
  /// Header and content, as a client receives them.
  std::string response() const;

 private:
  std::size_t number_;
  std::size_t size_;
  std::string header_;
  OwnedDescriptor file_;
};

/// Writes all bytes to a socket, in as many calls as it takes. Throws std::system_error.
void send_all(int socket, const void* bytes, std::size_t size);

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

/// Member 1 serves, member 0 fetches: connects, sends its request, reads to the end of the stream in pieces of 64 KiB
/// and closes (lat_http of lmbench). A repetition is a pass over all objects, one after the other, so that no
/// connection waits behind another. The bytes of each response, header included, are counted, and its status line is
/// looked at; in a pass before and one after the clock each byte is compared. The client resets what the server has
/// ended: nothing is left to the kernel.
class Http final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t rate = 0, time = 1, bytes = 2;

  /// Throws Unsupported without descriptors or a loopback interface.
  explicit Http(Setup& setup);
  Claims run(Member& member, Reps reps) override;
  /// What one pass brings, headers included.
  std::size_t bytes_of_pass() const;

 private:
  template <bool compares>
  void fetch_all();
  template <bool compares>
  void fetch(std::size_t number);
  std::size_t receive(int socket);
  [[noreturn]] void refuse(std::size_t number, std::size_t got) const;

  std::deque<WebObject> objects_;
  std::vector<std::string> requests_;
  std::vector<std::string> responses_;
  Listener listener_;
  WebServer server_;
  std::string received_;
};

}  // namespace assay
