// SPDX-License-Identifier: Apache-2.0
// What the kernel counts of connections that did not come about at once.
#pragma once
#include <cstdint>
#include <istream>

namespace assay {

/// Of this network namespace, since it exists: connections that found the accept queue full, and requests to connect
/// that were sent again.
struct ConnectFaults {
  std::int64_t overflows = 0;
  std::int64_t repeated = 0;

  /// Now, from /proc/net/netstat; zeros where it cannot be read.
  static ConnectFaults now();
  /// From the text of that file: pairs of lines, names and numbers. Zeros where it does not have them.
  static ConnectFaults read(std::istream& text);
  std::int64_t all() const { return overflows + repeated; }
};

}  // namespace assay
