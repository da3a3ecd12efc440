// SPDX-License-Identifier: Apache-2.0
// A letter for the kind of answer, then its content.
#include "team/rank_reply.hpp"

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

std::string rank_reply(std::span<const MemberReport> reports) {
  std::string reply(1 + reports.size_bytes(), good);
  std::memcpy(reply.data() + 1, reports.data(), reports.size_bytes());
  return reply;
}

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

std::vector<MemberReport> reports_of(const std::string& reply, int rank) {
  if (reply.empty() || reply[0] != good) rethrow(reply, rank);
  const std::size_t bytes = reply.size() - 1;
  if (bytes % sizeof(MemberReport) != 0) rethrow({}, rank);
  std::vector<MemberReport> reports(bytes / sizeof(MemberReport));
  if (bytes > 0) std::memcpy(reports.data(), reply.data() + 1, bytes);
  return reports;
}

}  // namespace assay
