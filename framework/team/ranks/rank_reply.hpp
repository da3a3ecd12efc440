// SPDX-License-Identifier: Apache-2.0
// What a rank answers: what its members report, or why it could not.
#pragma once
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/batch.hpp"

namespace assay {

/// An answer without content.
std::string rank_reply();
/// One with these bytes.
std::string rank_reply_of_bytes(std::span<const std::byte> bytes);
/// One with the reports of a batch. All ranks run the same program, so that a report is sent as it lies in memory.
std::string rank_reply(std::span<const MemberReport> reports);
/// One with a plain value, as it lies in memory.
template <class Value>
std::string rank_reply_of(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return rank_reply_of_bytes(std::as_bytes(std::span(&value, 1)));
}
/// The exception being handled.
std::string rank_failure() noexcept;
/// Whether that was Unsupported.
bool is_unsupported(const std::string& reply);

/// The reports in a rank's answer; throws what the rank threw, as Unsupported or PlatformError where it was one, else
/// as std::runtime_error, each with the rank in its text.
std::vector<MemberReport> reports_of(const std::string& reply, int rank);
/// The bytes in a rank's answer; throws as reports_of.
std::span<const std::byte> bytes_of(const std::string& reply, int rank);
/// The plain value in a rank's answer; nothing where it is without content. Throws as reports_of.
template <class Value>
std::optional<Value> value_of(const std::string& reply, int rank) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const auto bytes = bytes_of(reply, rank);
  if (bytes.size() != sizeof(Value)) return std::nullopt;
  Value value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace assay
