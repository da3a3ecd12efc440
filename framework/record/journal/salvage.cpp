// SPDX-License-Identifier: Apache-2.0
// Reading a damaged journal for what is whole in it.
#include "record/journal/salvage.hpp"

#include <set>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/journal_decode.hpp"
#include "text/json.hpp"
#include "text/line_buffer.hpp"

namespace assay {

namespace {

constexpr std::size_t part = std::size_t{64} << 10U;

class Salvager {
 public:
  Salvager(ByteSource source, std::string directory, const Take& take)
      : lines_(std::move(source)), directory_(std::move(directory)), take_(take) {}

  std::vector<Loss> salvage() {
    for (;;) {
      if (const auto line = lines_.line(journal_line_limit)) {
        take_line(*line);
        advance(line->size() + 1);
      } else if (!skip_part()) {
        return std::move(losses_);
      }
    }
  }

 private:
  void take_line(std::string_view line) {
    const std::string why = in_part_ ? "" : keep(line);
    if (in_part_) losses_.back().bytes += static_cast<std::int64_t>(line.size()) + 1;
    if (!why.empty()) lose(line.size() + 1, why);
  }

  // Takes a line's record; the reason where that is not possible.
  std::string keep(std::string_view line) {
    if (!is_sound(line)) return "not a record with the right checksum";
    try {
      const LineHead head = checked_head(line);
      if (seen_.contains(head.number)) return "record " + std::to_string(head.number) + " once more";
      if (head.type == "campaign" && has_campaign_) return "a second campaign";
      Record record = decode_line(line, head, directory_);
      tell_of_gap(head.number);
      seen_.insert(head.number);
      has_campaign_ = has_campaign_ || head.type == "campaign";
      take_(std::move(record));
      return {};
    } catch (const JsonError& error) {
      return error.what();
    }
  }

  void tell_of_gap(std::int64_t number) {
    if (number > due_)
      lose(0, "records " + std::to_string(due_) + " to " + std::to_string(number - 1) + " do not precede it");
    if (number < due_) lose(0, "record " + std::to_string(number) + " stands out of its order; it is kept");
    due_ = number + 1;
  }

  // Passes over what is no line: too long for one, or without an end.
  bool skip_part() {
    const std::size_t bytes = lines_.skip(part);
    if (bytes == 0) return false;
    if (!in_part_) lose(0, "neither a line nor a record");
    losses_.back().bytes += static_cast<std::int64_t>(bytes);
    offset_ += static_cast<std::int64_t>(bytes);
    in_part_ = true;
    return true;
  }

  void advance(std::size_t bytes) {
    offset_ += static_cast<std::int64_t>(bytes);
    ++line_;
    in_part_ = false;
  }
  void lose(std::size_t bytes, const std::string& why) {
    losses_.push_back({offset_, line_, static_cast<std::int64_t>(bytes), why});
  }

  LineBuffer lines_;
  std::string directory_;
  const Take& take_;
  std::vector<Loss> losses_;
  std::set<std::int64_t> seen_;
  std::int64_t due_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t line_ = 1;
  bool has_campaign_ = false;
  bool in_part_ = false;
};

}  // namespace

std::string to_text(const Loss& loss) {
  const std::string place = "line " + std::to_string(loss.line) + ", byte " + std::to_string(loss.offset) + ": ";
  return place + (loss.bytes > 0 ? std::to_string(loss.bytes) + " bytes: " : "") + loss.why;
}

std::vector<Loss> salvage_journal(const std::string& path, const Take& take) {
  const std::string file = journal_file(path);
  FileReader reader(file);
  const auto source = [&](char* to, std::size_t room) { return reader.read(to, room); };
  return Salvager(source, parent_directory(file), take).salvage();
}

}  // namespace assay
