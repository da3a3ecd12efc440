// SPDX-License-Identifier: Apache-2.0
// Room: messages between supervisor and workers.
// What supervisor and worker exchange: one JSON line each, both directions checked.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/description.hpp"
#include "run/host.hpp"
#include "text/json.hpp"

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

/// Messages as JSON and back. Decoding throws JsonError for a member that is missing, unknown, twice, of another type
/// or out of range.
Json encode_body(const OpenMessage& open);
OpenMessage decode_open(const Json& json);
Json encode_body(const VisitOrder& order);
VisitOrder decode_visit(const Json& json);
Json encode_body(const DescribeMessage& describe);
DescribeMessage decode_describe(const Json& json);
Json encode_body(const Opened& opened);
Opened decode_opened(const Json& json);
Json encode_body(const VisitYield& yield);
VisitYield decode_yield(const Json& json);
Json encode_body(const FailedMessage& failed);
FailedMessage decode_failed(const Json& json);
Json encode_body(const Described& described);
Described decode_described(const Json& json);
Json encode_body(const AliveMessage& alive);
AliveMessage decode_alive(const Json& json);

/// Messages as lines and back. Decoding throws JsonError for anything unexpected: another version, a member missing,
/// unknown, twice, of another type or out of range.
std::string encode(const Request& request, std::int64_t number);
NumberedRequest decode_request(std::string_view line);
std::string encode(const Reply& reply, std::int64_t answers);
NumberedReply decode_reply(std::string_view line);

}  // namespace assay
