// SPDX-License-Identifier: Apache-2.0
// A letter for the kind of answer, then its content.
#include "team/ranks/rank_reply.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "api/measurement.hpp"
#include "base/error.hpp"

namespace assay {
namespace {

static_assert(std::is_trivially_copyable_v<MemberReport>);

constexpr char good = '=';
constexpr char unsupported = 'u';
constexpr char failed = 'f';
constexpr std::size_t code_room = 8;
constexpr std::size_t most_words = 4000;  // bytes

[[noreturn]] void rethrow(const std::string& reply, int rank) {
  const std::string who = "rank " + std::to_string(rank) + ": ";
  if (reply.empty() || (reply[0] != unsupported && reply[0] != failed) || reply.size() < 1 + code_room)
    throw std::runtime_error(who + "an answer that cannot be read");
  const std::string why = who + reply.substr(1 + code_room);
  if (reply[0] == failed) throw std::runtime_error(why);
  const std::string code = reply.substr(1, code_room);
  throw Unsupported(why, code.substr(0, code.find('\0')));
}

/// A text that a record can hold, cut between characters (UTF-8), whatever a library has to say.
std::string short_enough(std::string text) {
  if (text.size() <= most_words) return text;
  std::size_t end = most_words;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
  return text + "...";
}

std::string failure(char kind, std::string code, const std::string& why) {
  code.resize(code_room, '\0');
  return kind + code + short_enough(why);
}

}  // namespace

std::string rank_reply() { return {good}; }

std::string rank_reply_of_bytes(std::span<const std::byte> bytes) {
  std::string reply(1 + bytes.size(), good);
  if (!bytes.empty()) std::memcpy(reply.data() + 1, bytes.data(), bytes.size());
  return reply;
}

std::string rank_reply(std::span<const MemberReport> reports) { return rank_reply_of_bytes(std::as_bytes(reports)); }

std::string rank_failure() noexcept {
  try {
    throw;
  } catch (const Unsupported& error) {
    return failure(unsupported, error.code(), error.what());
  } catch (const std::exception& error) {
    return failure(failed, {}, error.what());
  } catch (...) {
    return failure(failed, {}, "threw something that is not a std::exception");
  }
}

bool is_unsupported(const std::string& reply) { return !reply.empty() && reply[0] == unsupported; }

std::vector<MemberReport> reports_of(const std::string& reply, int rank) {
  const auto bytes = bytes_of(reply, rank);
  if (bytes.size() % sizeof(MemberReport) != 0) rethrow({}, rank);
  std::vector<MemberReport> reports(bytes.size() / sizeof(MemberReport));
  if (!bytes.empty()) std::memcpy(reports.data(), bytes.data(), bytes.size());
  return reports;
}

std::span<const std::byte> bytes_of(const std::string& reply, int rank) {
  if (reply.empty() || reply[0] != good) rethrow(reply, rank);
  return std::as_bytes(std::span(reply)).subspan(1);
}

}  // namespace assay
