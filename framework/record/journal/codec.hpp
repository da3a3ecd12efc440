// SPDX-License-Identifier: Apache-2.0
// Records as JSON and back, for the journal and for shards. Messages between supervisor and worker have their own
// encoding, run/protocol.
#pragma once
#include "record/journal/codec_point.hpp"
#include "record/record.hpp"
#include "text/json.hpp"

namespace assay {

/// The record's members, without sequence number and checksum; "type" comes first.
Json encode(const Record& record);
/// Exact inverse, as far as texts are valid UTF-8. Members that it does not know are ignored. Throws JsonError for an
/// unknown type, a missing member, a value of another type or out of range.
Record decode(const Json& json);

/// A batch with claims and guards by member. Compact, as batches are most of a journal: one array per guard, indexed by
/// rank, and none for a guard that has nothing to say (no switch, no fault, no heartbeat, no change of CPU).
Json encode(const Batch& batch);
Batch decode_batch(const Json& json);
/// The same with what was judged of it, in the same object; the usual judgement, solo and clean, takes no room.
Json encode(const JudgedBatch& judged);
JudgedBatch decode_judged(const Json& json);

/// True for a type of record that this program knows.
bool is_record_type(std::string_view type);

}  // namespace assay
