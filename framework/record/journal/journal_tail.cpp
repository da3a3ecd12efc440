// SPDX-License-Identifier: Apache-2.0
// Distinguishing a torn tail from damage.
#include "record/journal/journal_tail.hpp"

#include <algorithm>

#include "record/journal/journal_line.hpp"
#include "text/json.hpp"

namespace assay {

namespace {

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

}  // namespace

std::optional<TailDamage> damage_in_tail(std::string_view tail, std::int64_t offset, std::int64_t records) {
  return Tail(tail, offset, records).check();
}

}  // namespace assay
