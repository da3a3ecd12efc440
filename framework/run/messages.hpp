// SPDX-License-Identifier: Apache-2.0
// What supervisor and worker say to each other: one JSON line each, both directions checked.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "api/description.hpp"
#include "run/host.hpp"

namespace assay {

/// Supervisor to worker.
struct OpenMessage {
  std::string measurement;
  Point point;
  std::string vehicle;
  int members = 1;
  Placement placement;
  bool bystander = false;
  bool counter_clock = false;
  std::uint64_t seed = 0;
  Nanoseconds warm_up{};
};
/// Asks for the descriptions of everything registered, plugins included.
struct DescribeMessage {};
using Request = std::variant<OpenMessage, VisitOrder, DescribeMessage>;

/// Worker to supervisor.
struct FailedMessage {
  Outcome outcome = Outcome::failed;
  std::string why;
  std::string code;
};
struct Described {
  std::vector<Description> measurements;
};
using Reply = std::variant<Opened, VisitYield, FailedMessage, Described>;

/// Both carry the protocol's version; decoding throws JsonError for anything unexpected.
std::string encode(const Request& request);
Request decode_request(const std::string& line);
std::string encode(const Reply& reply);
Reply decode_reply(const std::string& line);

}  // namespace assay
