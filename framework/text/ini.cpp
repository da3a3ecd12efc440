// SPDX-License-Identifier: Apache-2.0
// A line at a time; what is wrong is noted and the reading goes on.
#include "text/ini.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/escape.hpp"
#include "text/suggest.hpp"
#include "text/text_piece.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t longest_line = 64 * 1024;
constexpr std::string_view ini_blanks = " \t";
constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_name(std::string_view text) { return !text.empty() && text.find_first_not_of(name_letters) == text.npos; }

// True for the ways in which other notations take in a further file; that of C would pass for a comment.
bool is_include(std::string_view line) {
  const bool comment = line.starts_with('#');
  line.remove_prefix(std::min(line.find_first_not_of("#!@%."), line.size()));
  constexpr std::string_view word = "include";
  if (!line.starts_with(word)) return false;
  line.remove_prefix(word.size());
  const auto next = std::min(line.find_first_not_of(ini_blanks), line.size());
  const char after = next < line.size() ? line[next] : '\0';
  if (after == '"' || after == '<' || after == '=') return true;
  return !comment && next > 0;
}

// True where a shell would put something else in the place of the text. What stands in quotes is taken as it is.
bool wants_expansion(std::string_view value) {
  if (value.starts_with('"')) return false;
  if (value.find('`') != value.npos || value.starts_with("~/")) return true;
  for (auto at = value.find('$'); at != value.npos; at = value.find('$', at + 1)) {
    const auto next = value.substr(at + 1, 1);
    if (!next.empty() && (next == "{" || next == "(" || is_name(next))) return true;
  }
  return false;
}

// Offset of the first byte that is not part of a character, or npos.
std::size_t first_bad_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto size = character_at(text, at).size;
    if (size == 0) return at;
    at += size;
  }
  return std::string_view::npos;
}

class IniReader {
 public:
  explicit IniReader(const std::string& file) : file_(file) {}

  IniFile read(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const auto bad = std::min(first_bad_byte(text), text.find('\0'));
    if (bad != text.npos) text = whole_lines_before(bad, text);
    while (!text.empty()) read_line(take_line(text));
    return std::move(out_);
  }

 private:
  Where at(std::size_t column) const { return {file_, line_, static_cast<int>(column)}; }

  void note(std::size_t column, std::string what, std::string why, std::string remedy) {
    out_.problems.push_back({at(column), std::move(what), std::move(why), std::move(remedy)});
  }

  // What can be read of a text with a bad byte; notes the byte.
  std::string_view whole_lines_before(std::size_t offset, std::string_view text) {
    const auto before = text.substr(0, offset);
    const auto start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const bool nul = text[offset] == '\0';
    out_.problems.push_back({{file_, static_cast<int>(line), static_cast<int>(offset - start + 1)},
                             nul ? "a NUL byte" : "a byte that is not UTF-8: " + shown(text.substr(offset, 1)),
                             "at offset " + std::to_string(offset) + "; nothing after it was read",
                             "a campaign file is text in UTF-8"});
    return text.substr(0, start);
  }

  std::string_view take_line(std::string_view& text) {
    ++line_;
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  // The line up to its comment; nothing, with a problem noted, when a quote is left open.
  bool cut_comment(TextPiece& line) {
    std::size_t open = line.text.npos;
    for (std::size_t i = 0; i < line.text.size(); ++i) {
      const char letter = line.text[i];
      if (letter == '\\' && open != line.text.npos) {
        ++i;
      } else if (letter == '"') {
        open = open == line.text.npos ? i : line.text.npos;
      } else if (letter == '#' && open == line.text.npos &&
                 (i == 0 || ini_blanks.find(line.text[i - 1]) != ini_blanks.npos)) {
        line = line.upto(i);
        return true;
      }
    }
    if (open == line.text.npos) return true;
    note(open + 1, "a double quote is not closed", {}, "close it on the same line");
    return false;
  }

  bool is_clean(std::string_view line) {
    if (line.size() > longest_line) {
      note(1, "the line is longer than 64 KiB", {}, "a campaign file has short lines");
      return false;
    }
    const auto control =
        std::find_if(line.begin(), line.end(), [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; });
    if (control == line.end()) return true;
    note(static_cast<std::size_t>(control - line.begin()) + 1, "a control character: " + shown({control, control + 1}),
         {}, "remove it");
    return false;
  }

  void read_line(std::string_view text) {
    TextPiece line{text, 1};
    if (!is_clean(text)) return;
    if (is_include(line.trimmed().text)) {
      return note(line.trimmed().position, "a campaign file cannot include another: " + shown(line.trimmed().text), {},
                  "name several files on the command line; they are read as one");
    }
    if (!cut_comment(line)) return;
    line = line.trimmed();
    if (line.text.empty()) return;
    if (line.text.starts_with('[')) return read_section(line);
    const auto equals = line.text.find('=');
    if (equals == line.text.npos) {
      return note(line.position, "neither a section nor a setting: " + shown(line.text), {},
                  "write [section], key = value, or # before a comment");
    }
    read_entry(line.upto(equals).trimmed(), line.from(equals + 1).trimmed());
  }

  void read_section(TextPiece line) {
    in_section_ = true;
    // A bracket alone is opening and closing one at once to what cuts them off.
    const auto name = line.upto(std::max<std::size_t>(line.text.size() - 1, 1)).from(1).trimmed();
    section_ = line.text.ends_with(']') ? std::string(name.text) : std::string();
    if (!is_name(section_)) {
      section_.clear();
      return note(line.position, "malformed section: " + shown(line.text),
                  "names are made of letters, digits, '.', '-' and '_', without blanks",
                  "write [campaign], [precision], [series.NAME] or [variant.NAME]");
    }
    const auto [first, is_new] = sections_.try_emplace(section_, at(line.position));
    if (is_new) return out_.sections.push_back({section_, at(line.position)});
    note(line.position, "section [" + section_ + "] appears twice", "first on " + place_of(first->second),
         "merge the two, or rename one");
  }

  void read_entry(TextPiece key, TextPiece value) {
    if (!is_name(key.text)) {
      return note(key.position, "malformed key: " + shown(key.text), {},
                  "keys are made of letters, digits, '-', '_' and '.'");
    }
    if (value.text.empty()) {
      return note(key.position, "key '" + std::string(key.text) + "' has no value", {},
                  "give one, or remove the line to get the default");
    }
    if (!in_section_) {
      return note(key.position, "setting before the first section: " + shown(key.text), {},
                  "put it below [campaign], [precision] or [series.NAME]");
    }
    // Below a malformed header it is unknown which keys are right; the header's problem is enough.
    if (section_.empty()) return;
    const auto [first, is_new] = keys_.try_emplace({section_, std::string(key.text)}, at(key.position));
    if (!is_new) {
      return note(key.position, "key '" + std::string(key.text) + "' is set twice in [" + section_ + "]",
                  "first on " + place_of(first->second), "remove one");
    }
    // The commands of variants are the shell's; in all other values nothing is expanded.
    if (wants_expansion(value.text) && !section_.starts_with("variant.")) {
      return note(value.position, std::string(key.text) + ": nothing is expanded in values: " + shown(value.text),
                  "neither environment variables nor commands nor '~'",
                  "write the value itself, in double quotes where it is meant as it stands");
    }
    out_.entries.push_back(
        {section_, std::string(key.text), std::string(value.text), at(key.position), at(value.position)});
  }

  const std::string& file_;
  int line_ = 0;
  bool in_section_ = false;
  std::string section_;
  std::map<std::string, Where> sections_;
  std::map<std::pair<std::string, std::string>, Where> keys_;
  IniFile out_;
};

}  // namespace

IniFile parse_ini(std::string_view text, const std::string& file) { return IniReader(file).read(text); }

std::string plain_text(std::string_view value) {
  auto whole = unquoted(value);
  return whole && whole->length == value.size() ? std::move(whole->content) : std::string(value);
}

std::string value_text(std::string_view text) {
  const bool bare =
      !text.empty() &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '#'; }) &&
      !wants_expansion(text) && text.front() != ' ' && text.back() != ' ';
  return bare ? std::string(text) : in_quotes(text);
}

std::string place_of(const Where& where) {
  return where.line > 0 ? "line " + std::to_string(where.line) + " of " + where.file : where.file;
}

}  // namespace assay
