// SPDX-License-Identifier: Apache-2.0
// Fourteen objects fetched by HTTP/1.0 over the loopback interface, a connection for each.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "net/web_server.hpp"

namespace assay {

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
