// SPDX-License-Identifier: Apache-2.0
// Sealing and recognising lines.
#include "record/journal/journal_line.hpp"

#include <charconv>

#include "base/escape.hpp"
#include "platform/file/crc32c.hpp"

namespace assay {

namespace {

constexpr std::string_view start = R"({"v":)";
constexpr std::string_view checksum_key = R"(,"crc":")";
constexpr std::string_view finish = "\"}";
constexpr std::size_t checksum_digits = 8;
constexpr std::size_t trailer_size = checksum_key.size() + checksum_digits + finish.size();

// Reads a text from its beginning, exactly as it is expected or not at all.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  bool skip(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool integer(std::int64_t& value) {
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) return false;
    at_ = static_cast<std::size_t>(end - text_.data());
    return true;
  }

  // A string of JSON, quotes included.
  bool string(std::string_view& token) {
    const std::size_t from = at_;
    if (!skip("\"")) return false;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ >= text_.size()) return false;
    token = text_.substr(from, ++at_ - from);
    return true;
  }

  // An object of JSON, braces included.
  bool object(std::string_view& token) {
    const std::size_t from = at_;
    if (!text_.substr(at_).starts_with('{')) return false;
    int depth = 0;
    std::string_view ignored;
    do {
      if (at_ >= text_.size()) return false;
      const char letter = text_[at_];
      if (letter == '"' && !string(ignored)) return false;
      if (letter == '"') continue;
      depth += letter == '{' ? 1 : letter == '}' ? -1 : 0;
      ++at_;
    } while (depth > 0);
    token = text_.substr(from, at_ - from);
    return true;
  }

  std::size_t at() const { return at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view without_quotes(std::string_view token) { return token.substr(1, token.size() - 2); }

// Series, point and session of records that have them.
void read_subject(Scan& scan, std::string_view line, LineHead& head) {
  if (!scan.skip(R"(,"series":)")) return;
  const std::size_t from = scan.at();
  std::string_view measurement;
  if (!scan.string(head.series)) return;
  if (scan.skip(R"(,"measurement":)") && !scan.string(measurement)) return;
  if (!scan.skip(R"(,"point":)") || !scan.object(head.point)) return;
  head.subject = line.substr(from, scan.at() - from);
  if (scan.skip(R"(,"session":)") && !scan.integer(head.session)) head.session = -1;
}

}  // namespace

std::string crc_text(std::uint32_t crc) { return hex_of(crc, 8); }

std::string sealed_line(std::int64_t number, std::int64_t unsynced, std::string_view members) {
  std::string line = std::string(start) + std::to_string(journal_version) + R"(,"seq":)" + std::to_string(number) + ",";
  line.append(members.substr(1, members.size() - 2));
  if (unsynced > 0) line += R"(,"unsynced":)" + std::to_string(unsynced);
  const std::string checksum = crc_text(crc32c(line));
  return line.append(checksum_key).append(checksum).append(finish) + '\n';
}

bool is_sound(std::string_view line) {
  if (!line.starts_with(start) || line.size() < start.size() + trailer_size) return false;
  const std::string_view body = line.substr(0, line.size() - trailer_size);
  const std::string_view trailer = line.substr(body.size());
  return trailer.starts_with(checksum_key) && trailer.ends_with(finish) &&
         trailer.substr(checksum_key.size(), checksum_digits) == crc_text(crc32c(body));
}

std::string line_start(std::int64_t number) {
  return std::string(start) + std::to_string(journal_version) + R"(,"seq":)" + std::to_string(number) + R"(,"type":")";
}

std::optional<LineHead> head_of(std::string_view line) {
  Scan scan(line);
  LineHead head;
  std::string_view type;
  if (!scan.skip(start) || !scan.integer(head.version) || !scan.skip(R"(,"seq":)") || !scan.integer(head.number) ||
      !scan.skip(R"(,"type":)") || !scan.string(type))
    return std::nullopt;
  head.type = without_quotes(type);
  read_subject(scan, line, head);
  return head;
}

}  // namespace assay
