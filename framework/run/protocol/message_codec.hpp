// SPDX-License-Identifier: Apache-2.0
// Messages as lines and back.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "run/protocol/messages.hpp"
#include "text/json.hpp"

namespace assay {

/// Decoding throws JsonError for a member that is missing, unknown, twice, of another type or out of range.
Json encode_body(const OpenMessage& open);
OpenMessage decode_open(const Json& json);
Json encode_body(const VisitOrder& order);
VisitOrder decode_visit(const Json& json);
Json encode_body(const DescribeMessage& describe);
DescribeMessage decode_describe(const Json& json);

/// Decoding throws JsonError for a member that is missing, unknown, twice, of another type or out of range.
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

/// Decoding throws JsonError for anything unexpected: another version, a member missing, unknown, twice, of another
/// type or out of range.
std::string encode(const Request& request, std::int64_t number);
NumberedRequest decode_request(std::string_view line);
std::string encode(const Reply& reply, std::int64_t answers);
NumberedReply decode_reply(std::string_view line);

}  // namespace assay
