// SPDX-License-Identifier: Apache-2.0
// Bodies of the supervisor's messages as JSON and back.
#pragma once
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

}  // namespace assay
