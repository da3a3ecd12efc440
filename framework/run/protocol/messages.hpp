// SPDX-License-Identifier: Apache-2.0
// Room: messages between supervisor and workers.
// What supervisor and worker say to each other: one JSON line each, both directions checked.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/description.hpp"
#include "run/host.hpp"

namespace assay {

/// Version of the protocol. A worker of another build may have another one, which is refused before anything is
/// measured.
inline constexpr int protocol_version = 4;

/// Supervisor to worker.
struct OpenMessage {
  std::string measurement;
  Point point;  ///< levels of the measurement's own factors
  std::string vehicle;
  int members = 1;
  Placement placement;
  std::string policy = "inherited";
  bool bystander = false;
  bool counter_clock = false;
  std::uint64_t seed = 0;
  Nanoseconds warm_up{};
  int loop_copy = 0;  ///< of each timed loop (api/loop_copies.hpp)
};
/// Asks for the descriptions of everything registered, plugins included.
struct DescribeMessage {};
using Request = std::variant<OpenMessage, VisitOrder, DescribeMessage>;

/// Worker to supervisor.
struct FailedMessage {
  Outcome outcome = Outcome::failed;  ///< failed, unsupported or not_applicable
  std::string why;
  std::string code;
};
struct Described {
  std::vector<Description> measurements;
};
/// Between two batches, at most one a second: the request is still being worked on, and its answer follows.
struct AliveMessage {};
using Reply = std::variant<Opened, VisitYield, FailedMessage, Described, AliveMessage>;

/// A request with its number, counted from 1 in each worker.
struct NumberedRequest {
  std::int64_t number = 0;
  Request request;
};

/// A reply with the number of the request it answers, so that a stale one cannot be taken for a later one. A
/// FailedMessage may carry last_word instead: its process has ended, and answers no other request.
struct NumberedReply {
  std::int64_t answers = 0;
  Reply reply;
};
inline constexpr std::int64_t last_word = 0;

}  // namespace assay
