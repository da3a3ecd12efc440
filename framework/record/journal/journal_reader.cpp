// SPDX-License-Identifier: Apache-2.0
// Reading a journal: every line is checked, few are decoded, a torn tail is distinguished from damage.
#include <filesystem>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/escape.hpp"
#include "platform/file/durable.hpp"
#include "record/journal/journal.hpp"
#include "record/journal/journal_decode.hpp"
#include "record/journal/journal_tail.hpp"
#include "text/line_buffer.hpp"

namespace assay {

namespace {

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
