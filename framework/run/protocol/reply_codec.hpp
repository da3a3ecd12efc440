// SPDX-License-Identifier: Apache-2.0
// Bodies of the worker's messages as JSON and back.
#pragma once
#include "run/protocol/messages.hpp"
#include "text/json.hpp"

namespace assay {

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

}  // namespace assay
