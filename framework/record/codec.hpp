// SPDX-License-Identifier: Apache-2.0
// Records as JSON and back: one mapping for the journal and for the messages between supervisor and worker.
#pragma once
#include "record/json.hpp"
#include "record/record.hpp"

namespace assay {

/// The record's members, without sequence number and checksum; "type" comes first.
Json encode(const Record& record);
/// Exact inverse. Throws JsonError for an unknown type or a missing member.
Record decode(const Json& json);

/// A batch with claims and guards by member.
Json encode(const Batch& batch);
Batch decode_batch(const Json& json);

}  // namespace assay
