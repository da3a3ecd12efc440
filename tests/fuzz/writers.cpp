// SPDX-License-Identifier: Apache-2.0
// Any text through every writer: a strict reader finds it again, and a terminal is not steered.
#include <algorithm>
#include <sstream>

#include "base/escape.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/terminal_text.hpp"
#include "golden/samples/record_samples.hpp"
#include "record/export/exports.hpp"
#include "record/table/table.hpp"
#include "text/csv_text.hpp"
#include "text/json.hpp"
#include "text/printable.hpp"

namespace assay::fuzz {
namespace {

constexpr std::string_view formula_signs = "=+-@\t\r";

/// Rows and cells as RFC 4180 has them; a promise is broken where the text is anything else.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  std::vector<std::vector<std::string>> rows() {
    std::vector<std::vector<std::string>> rows;
    while (at_ < text_.size()) rows.push_back(row());
    return rows;
  }

 private:
  std::vector<std::string> row() {
    std::vector<std::string> cells{cell()};
    while (at_ < text_.size() && text_[at_] == ',') {
      ++at_;
      cells.push_back(cell());
    }
    promise(at_ < text_.size() && text_[at_] == '\n', "a row ends with a line feed");
    ++at_;
    return cells;
  }
  std::string cell() { return at_ < text_.size() && text_[at_] == '"' ? quoted() : bare(); }
  std::string bare() {
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    std::string content(text_.substr(at_, end - at_));
    promise(content.find_first_of("\"\r") == content.npos, "what needs quotes has them");
    at_ = end;
    return content;
  }
  std::string quoted() {
    std::string content;
    for (++at_;; ++at_) {
      const std::size_t quote = text_.find('"', at_);
      promise(quote != text_.npos, "quotes are closed");
      content += text_.substr(at_, quote - at_);
      at_ = quote + 1;
      if (at_ >= text_.size() || text_[at_] != '"') return content;
      content += '"';
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_at(text, at).size;
    if (size == 0) return false;
    at += size;
  }
  return true;
}

void check_cell(const std::string& text) {
  const bool formula = !text.empty() && formula_signs.find(text.front()) != formula_signs.npos;
  const auto rows = CsvReader("x," + csv_text(text) + ",y\n").rows();
  promise(rows.size() == 1 && rows[0].size() == 3, "a text is one cell");
  promise(rows[0][1] == (formula ? "'" + text : text), "and the same text: " + csv_text(text));
}

void check_json(const std::string& text) {
  const std::string written = to_text(Json(Json::Object{{text, Json(text)}}));
  promise(std::all_of(written.begin(), written.end(),
                      [](char c) { return c == '\t' || static_cast<unsigned char>(c) >= ' '; }),
          "no control characters in JSON");
  const Json read = parse_json(written);
  promise(read.object().size() == 1, "one member");
  if (is_utf8(text)) promise(read.object()[0].first == text && read.object()[0].second.string() == text, "same text");
}

void check_words(const std::string& text) {
  promise(is_harmless(printable(text)), "printable text steers nothing");
  promise(printable(text).find('\n') == std::string::npos, "and is one line");
  const std::string quoted = in_quotes(text);
  const auto back = unquoted(quoted);
  promise(back && back->content == text && back->length == quoted.size(), "quotes are undone: " + quoted);
  promise(is_harmless(quoted) && is_harmless(excerpt(text)), "quoted text steers nothing");
  const Value word(text);
  promise(parse_value(to_text(word)) == word, "a word reads back: " + to_text(word));
}

/// The texts of a record replaced by others.
void rename(PointRecord& point, const std::string& text) {
  point.series = text;
  point.measurement = text;
  point.reason = text;
  point.point.set("word", Value(text));
  for (Result& result : point.results) result.verdict.reason = text;
}
void rename(SeriesRecord& series, const std::string& text) {
  series.series = text;
  series.measurement = text;
  for (Quantity& quantity : series.quantities) quantity.summary = text;
}
void rename(NoteRecord& note, const std::string& text) { note.text = text; }
void rename(CampaignRecord& campaign, const std::string& text) { campaign.title = text; }
void rename(DerivedRecord& derived, const std::string& text) {
  derived.series = text;
  derived.formula = text;
  derived.derived.reason = text;
}
void rename(EndRecord& end, const std::string& text) { end.reason = text; }
template <class Other>
void rename(Other&, const std::string&) {}

void check_records(const std::string& text) {
  auto records = test::sample_records();
  for (Record& record : records) std::visit([&](auto& one) { rename(one, text); }, record);
  std::ostringstream table;
  print_results(table, records);
  promise(is_harmless(table.str()), "tables steer nothing");
  std::ostringstream csv;
  write_csv(csv, records);
  const std::string whole = csv.str();
  const auto rows = CsvReader(whole).rows();
  for (const auto& row : rows) promise(row.size() == rows.front().size(), "rows have as many cells as the header");
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::check_cell(text);
  assay::fuzz::check_json(text);
  assay::fuzz::check_words(text);
  assay::fuzz::check_records(text);
  return 0;
}
