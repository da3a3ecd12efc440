// SPDX-License-Identifier: Apache-2.0
// What the web server of net/http serves: fourteen objects in anonymous files.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "channel/descriptor.hpp"

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

}  // namespace assay
