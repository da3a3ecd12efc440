// SPDX-License-Identifier: Apache-2.0
// Reading a journal: every line is checked, a torn tail is told apart from damage.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "record/codec.hpp"
#include "record/journal.hpp"

namespace assay {

namespace {

constexpr std::size_t file_limit = std::size_t{8} << 30U;
constexpr std::string_view start = R"({"v":)";
constexpr std::string_view checksum_key = R"(,"crc":")";
constexpr std::string_view finish = "\"}";
constexpr std::size_t checksum_digits = 8;
constexpr std::size_t trailer_size = checksum_key.size() + checksum_digits + finish.size();

// True when a line has the form of a record and its checksum is right.
bool is_sound(std::string_view line) {
  if (!line.starts_with(start) || line.size() < start.size() + trailer_size) return false;
  const std::string_view body = line.substr(0, line.size() - trailer_size);
  const std::string trailer = std::string(checksum_key) + crc_text(crc32c(body)) + std::string(finish);
  return line.substr(body.size()) == trailer;
}

// How each record's line begins: an unfinished line agrees with it as far as it goes.
std::string expected_start(std::size_t number) {
  return std::string(start) + std::to_string(journal_version) + R"(,"seq":)" + std::to_string(number) + R"(,"type":")";
}

bool is_unfinished(std::string_view rest, std::size_t number) {
  const std::string expected = expected_start(number);
  const std::size_t common = std::min(rest.size(), expected.size());
  if (rest.substr(0, common) != expected.substr(0, common)) return false;
  // A whole record followed by something else than a line's end was written to the end: that is damage.
  const auto end = rest.rfind(finish);
  return end == rest.npos || end + finish.size() == rest.size() || !is_sound(rest.substr(0, end + finish.size()));
}

class Reader {
 public:
  Reader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  JournalContent read() {
    while (at_ < text_.size() && take_line()) {
    }
    if (at_ < text_.size()) check_tail();
    content_.good_size = static_cast<std::int64_t>(at_);
    content_.torn = static_cast<std::int64_t>(text_.size() - at_);
    return std::move(content_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why, std::size_t offset, std::size_t line) const {
    throw ResultError(name_ + ": line " + std::to_string(line) + ", byte " + std::to_string(offset) + ": " + why);
  }
  [[noreturn]] void refuse(const std::string& why) const { refuse(why, at_, content_.records.size() + 1); }

  // Takes the line at `at_`; false when it is cut or its checksum is wrong.
  bool take_line() {
    const auto end = text_.find('\n', at_);
    if (end == text_.npos) return false;
    const std::string_view line = text_.substr(at_, end - at_);
    if (!is_sound(line)) return false;
    content_.records.push_back(record_of(line));
    at_ = end + 1;
    return true;
  }

  Record record_of(std::string_view line) const {
    try {
      const Json json = parse_json(line);
      check_frame(json);
      return decode(json);
    } catch (const JsonError& error) {
      refuse(std::string("the checksum is right, but the record cannot be read: ") + error.what());
    }
  }

  void check_frame(const Json& json) const {
    const auto version = json.at("v").integer();
    if (version != journal_version)
      refuse("format version " + std::to_string(version) + "; this program reads version " +
             std::to_string(journal_version));
    const auto number = json.at("seq").integer();
    if (!std::cmp_equal(number, content_.records.size()))
      refuse("sequence number " + std::to_string(number) + " where " + std::to_string(content_.records.size()) +
             " was due: lines are missing, repeated or out of order");
  }

  // Refuses unless everything from `at_` on can be what unfinished writes left.
  void check_tail() const {
    if (content_.records.empty() && !is_unfinished(text_, 0)) refuse_damage();
    bool holes = false;
    for (std::size_t at = at_; at < text_.size();) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      const std::string_view rest = text_.substr(at, end - at);
      holes = holes || rest.find('\0') != rest.npos;
      if (!is_remnant(rest, at, end, holes)) refuse_damage();
      at = end + 1;
    }
  }

  // Whether the bytes from `at` to a line's end, or to the file's, are no record and can come from a write cut short.
  bool is_remnant(std::string_view rest, std::size_t at, std::size_t end, bool holes) const {
    const bool cut = end == text_.size();
    if (is_sound(rest)) return cut && at == at_;
    return holes || (cut && is_unfinished(rest, content_.records.size()));
  }

  [[noreturn]] void refuse_damage() const {
    if (content_.records.empty()) refuse("not a journal of this program, or damaged in its first record");
    refuse("damaged: the line is not a record with the right checksum");
  }

  const std::string& name_;
  std::string_view text_;
  std::size_t at_ = 0;
  JournalContent content_;
};

std::string file_of(const std::string& path) {
  std::error_code ignored;  // read_file will say what is wrong
  return std::filesystem::is_directory(path, ignored) ? path + "/" + journal_name : path;
}

}  // namespace

JournalContent read_journal(const std::string& path) {
  const std::string file = file_of(path);
  const std::string text = read_file(file, file_limit);
  return parse_journal(text, file);
}

JournalContent parse_journal(std::string_view text, const std::string& name) { return Reader(name, text).read(); }

}  // namespace assay
