// SPDX-License-Identifier: Apache-2.0
// Reading a journal: every line is checked, few are decoded, a torn tail is distinguished from damage.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/escape.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/journal.hpp"
#include "record/journal/journal_decode.hpp"
#include "record/journal/journal_line.hpp"
#include "text/json.hpp"
#include "text/line_buffer.hpp"

namespace assay {

namespace {

/// The place in the tail, in bytes and in lines from its beginning, that unfinished writes cannot have left; nothing
/// when all of it can. `offset` is where the tail begins in the file, `records` how many whole ones stand before it.
///
/// A killed process leaves the beginning of a line. A power loss leaves zeros in sectors (512 bytes) that were never
/// written, and records after them: those show by `unsynced` that the ones before were never reported as written.
struct TailDamage {
  std::size_t at = 0;
  std::size_t line = 0;
};

constexpr std::int64_t sector = 512;

bool agrees(std::string_view rest, std::string_view expected) {
  const std::size_t common = std::min(rest.size(), expected.size());
  return rest.substr(0, common) == expected.substr(0, common);
}

// The beginning of a line that was not written to its end.
bool is_unfinished(std::string_view rest, std::string_view expected) {
  if (rest.size() > journal_line_limit || !agrees(rest, expected)) return false;
  // A whole record followed by something else than a line's end was written to the end: that is damage.
  const auto end = rest.rfind("\"}");
  return end == rest.npos || end + 2 == rest.size() || !is_sound(rest.substr(0, end + 2));
}

// True when a record shows that those before it, from number `first` on, were never reported as written.
bool tells_of_unsynced(std::string_view line, std::int64_t first) {
  try {
    const Json json = parse_json(line);
    const Json* unsynced = json.find("unsynced");
    return unsynced != nullptr && json.at("seq").integer() - unsynced->integer() <= first;
  } catch (const JsonError&) {
    return false;
  }
}

class Tail {
 public:
  Tail(std::string_view text, std::int64_t offset, std::int64_t records)
      : text_(text), offset_(offset), records_(records) {}

  std::optional<TailDamage> check() {
    if (records_ == 0 && !is_unfinished(text_, line_start(0))) return TailDamage{};
    std::size_t line = 0;
    for (std::size_t at = 0; at < text_.size(); ++line) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      if (!is_remnant(at, end)) return TailDamage{at, line};
      at = end + 1;
    }
    return std::nullopt;
  }

 private:
  // Whether the bytes up to a line's end, or to the file's, can come from writes cut short.
  bool is_remnant(std::size_t at, std::size_t end) {
    const std::string_view piece = text_.substr(at, end - at);
    const bool cut = end == text_.size();
    if (piece.find('\0') != piece.npos) return holes_ = are_holes(at, end);
    if (is_sound(piece)) return holes_ ? tells_of_unsynced(piece, records_) : cut && at == 0;
    const std::string start = line_start(records_);
    return cut && is_unfinished(piece, holes_ ? start.substr(0, start.find("seq")) : start);
  }

  // Whether zeros fill whole sectors, as far as those belong to the unwritten part.
  bool are_holes(std::size_t at, std::size_t end) const {
    for (std::size_t from = text_.find('\0', at); from < end;) {
      const std::size_t to = std::min(text_.find_first_not_of('\0', from), text_.size());
      if (from != at && !is_boundary(from)) return false;
      if (to != text_.size() && !is_boundary(to)) return false;
      from = text_.find('\0', to);
    }
    return true;
  }
  bool is_boundary(std::size_t at) const { return (offset_ + static_cast<std::int64_t>(at)) % sector == 0; }

  std::string_view text_;
  std::int64_t offset_;
  std::int64_t records_;
  bool holes_ = false;
};

std::optional<TailDamage> damage_in_tail(std::string_view tail, std::int64_t offset, std::int64_t records) {
  return Tail(tail, offset, records).check();
}

constexpr std::size_t tail_limit = std::size_t{64} << 20U;
constexpr std::size_t subjects_kept = 16384;

// The text that about() makes of a point, by the bytes with which its lines name it.
class Subjects {
 public:
  std::string_view about(const LineHead& head) {
    if (head.point.empty()) return {};
    // A journal may have any number of points, this memory not.
    if (known_.size() >= subjects_kept) known_.clear();
    const auto found = known_.find(head.subject);
    if (found != known_.end()) return found->second;
    return known_.emplace(head.subject, about_text(head)).first->second;
  }

 private:
  // So that what is known is found without a copy.
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> known_;
};

class Scanner {
 public:
  Scanner(const std::string& name, const std::string& directory, ByteSource source, const Wanted& wanted,
          const Take& take)
      : name_(name), directory_(directory), lines_(std::move(source)), wanted_(wanted), take_(take) {}

  JournalEnd scan() {
    while (const auto line = lines_.line(journal_line_limit)) {
      if (!is_sound(*line)) {
        first_bad_ = std::string(*line) + '\n';
        break;
      }
      take_line(*line);
      end_.good_size += static_cast<std::int64_t>(line->size()) + 1;
      ++end_.records;
    }
    check_tail();
    return end_;
  }

 private:
  [[noreturn]] void refuse(const std::string& why, std::size_t bytes = 0, std::size_t lines = 0) const {
    throw ResultError(name_ + ": line " + std::to_string(static_cast<std::size_t>(end_.records) + lines + 1) +
                      ", byte " + std::to_string(static_cast<std::size_t>(end_.good_size) + bytes) + ": " + why);
  }

  void take_line(std::string_view line) {
    try {
      const LineHead head = checked_head(line, end_.records);
      if (wanted_({head.type, head.subject, std::in_range<int>(head.session) ? static_cast<int>(head.session) : -1,
                   [&] { return subjects_.about(head); }}))
        take_(decode_line(line, head, directory_));
    } catch (const JsonError& error) {
      refuse(std::string("the checksum is right, but the record cannot be read: ") + error.what());
    }
  }

  void check_tail() {
    std::string tail = std::move(first_bad_);
    tail += lines_.rest(tail_limit + 1);
    if (tail.empty()) return;
    end_.torn = static_cast<std::int64_t>(tail.size());
    if (end_.records == 0) check_beginning(tail);
    if (tail.size() > tail_limit)
      refuse("damaged: no record in the " + std::to_string(tail_limit) + " bytes that follow");
    const auto damage = damage_in_tail(tail, end_.good_size, end_.records);
    if (!damage) return;
    if (end_.records == 0)
      refuse("not a journal of this program, or damaged in its first record; it begins with " + excerpt(tail));
    refuse("damaged: the line is not a record with the right checksum; 'assay journal repair " +
               parent_directory(name_) + " --to NEW' copies the intact records",
           damage->at, damage->line);
  }

  // Another version's lines need not end as this one's do.
  void check_beginning(std::string_view tail) const {
    const auto head = head_of(tail.substr(0, tail.find('\n')));
    if (head && head->version > journal_version) refuse(version_text(head->version));
  }

  const std::string& name_;
  const std::string& directory_;
  LineBuffer lines_;
  const Wanted& wanted_;
  const Take& take_;
  Subjects subjects_;
  std::string first_bad_;
  JournalEnd end_;
};

}  // namespace

std::string journal_file(const std::string& path) {
  std::error_code ignored;  // opening it will say what is wrong
  return std::filesystem::is_directory(path, ignored) ? path + "/" + journal_name : path;
}

JournalEnd scan_journal(const std::string& path, const Wanted& wanted, const Take& take) {
  const std::string file = journal_file(path);
  FileReader reader(file);
  const auto source = [&](char* to, std::size_t room) { return reader.read(to, room); };
  return Scanner(file, parent_directory(file), source, wanted, take).scan();
}

JournalEnd scan_journal_text(std::string_view text, const std::string& name, const std::string& directory,
                             const Wanted& wanted, const Take& take) {
  return Scanner(name, directory, source_of(text), wanted, take).scan();
}

JournalContent read_journal(const std::string& path) {
  JournalContent content;
  content.end = scan_journal(
      path, [](const RecordHead&) { return true; },
      [&](Record record) { content.records.push_back(std::move(record)); });
  return content;
}

JournalContent parse_journal(std::string_view text, const std::string& name) {
  JournalContent content;
  content.end = scan_journal_text(
      text, name, ".", [](const RecordHead&) { return true; },
      [&](Record record) { content.records.push_back(std::move(record)); });
  return content;
}

std::string about(const std::string& series, const Point& point) { return series + '\n' + to_text(point); }

TextKey key_of(const std::string& series, const Point& point) { return text_key(about(series, point)); }

}  // namespace assay
