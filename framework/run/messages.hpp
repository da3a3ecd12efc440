// SPDX-License-Identifier: Apache-2.0
// What supervisor and worker say to each other: one JSON line each, both directions checked.
#pragma once
#include <string>
#include <variant>

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
using Request = std::variant<OpenMessage, VisitOrder>;

/// Worker to supervisor.
struct FailedMessage {
  Outcome outcome = Outcome::failed;
  std::string why;
  std::string code;
};
using Reply = std::variant<Opened, VisitYield, FailedMessage>;

/// Both carry the protocol's version; decoding throws JsonError for anything unexpected.
std::string encode(const Request& request);
Request decode_request(const std::string& line);
std::string encode(const Reply& reply);
Reply decode_reply(const std::string& line);

}  // namespace assay
