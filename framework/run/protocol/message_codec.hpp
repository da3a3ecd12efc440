// SPDX-License-Identifier: Apache-2.0
// Messages as lines and back.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "run/protocol/messages.hpp"

namespace assay {

/// Decoding throws JsonError for anything unexpected: another version, a member missing, unknown, twice, of another
/// type or out of range.
std::string encode(const Request& request, std::int64_t number);
NumberedRequest decode_request(std::string_view line);
std::string encode(const Reply& reply, std::int64_t answers);
NumberedReply decode_reply(std::string_view line);

}  // namespace assay
