// SPDX-License-Identifier: Apache-2.0
// Points as JSON and back.
#pragma once
#include "base/point.hpp"
#include "text/json.hpp"

namespace assay {

/// A point as an object: a member per factor, in order.
Json encode(const Point& point);
/// Exact inverse. Throws JsonError for what can be no point.
Point decode_point(const Json& json);

}  // namespace assay
