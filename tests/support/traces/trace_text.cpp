// SPDX-License-Identifier: Apache-2.0
// Heads, checksums and words of recorded noise.
#include "support/traces/trace_text.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "record/journal/journal.hpp"

namespace assay::test {
namespace {

constexpr std::string_view first_words = "assay-trace 1 ";
constexpr std::string_view checksum_key = "crc32c: ";
constexpr std::size_t line_width = 118;

std::string checksum_line(std::string_view text) {
  std::array<char, 8> digits;
  digits.fill('0');
  std::array<char, 8> shortest;
  const auto end = std::to_chars(shortest.begin(), shortest.end(), crc32c(text), 16).ptr;
  std::copy_backward(shortest.begin(), end, digits.end());
  return std::string(checksum_key) + std::string(digits.begin(), digits.end()) + '\n';
}

void require_one_line(const std::string& text) {
  if (text.find('\n') != std::string::npos)
    throw std::invalid_argument("a trace keeps each fact in one line, this has several: " + text);
}

}  // namespace

std::string trace_head(std::string_view kind, const Circumstances& facts) {
  std::string text = std::string(first_words) + std::string(kind) + '\n';
  for (const auto& [key, value] : facts) {
    require_one_line(key + value);
    text += key + ": " + value + '\n';
  }
  return text + '\n';
}

std::string trace_kind(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line.starts_with(first_words) ? line.substr(first_words.size()) : std::string();
}

std::string sealed(std::string text) { return text + checksum_line(text); }

void WrappedWords::add(std::string_view word) {
  if (line_.size() + word.size() > line_width) {
    text_ += line_ + '\n';
    line_.clear();
  }
  line_ += (line_.empty() ? "" : " ") + std::string(word);
}

TraceBody::TraceBody(std::string file, std::string_view kind) : file_(std::move(file)) {
  std::ifstream in(file_, std::ios::binary);
  if (!in) refuse("cannot be opened", "record it with record_noise");
  text_.assign(std::istreambuf_iterator<char>(in), {});
  check_seal();
  rest_ = text_;
  const std::string first = std::string(first_words) + std::string(kind);
  if (line() != first) refuse("does not begin with \"" + first + '"', "give a file of that kind");
  for (std::string_view fact = line(); !fact.empty(); fact = line()) take_fact(fact);
}

void TraceBody::refuse(const std::string& what, const std::string& remedy) const {
  throw std::runtime_error("trace " + file_ + ' ' + what + "; " + remedy);
}

std::string TraceBody::take(std::string_view key) {
  const auto found = std::find_if(facts_.begin(), facts_.end(), [&](const auto& fact) { return fact.first == key; });
  if (found == facts_.end()) refuse_content("does not tell its " + std::string(key));
  std::string value = found->second;
  facts_.erase(found);
  return value;
}

std::string_view TraceBody::word() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
  const std::string_view found = rest_.substr(0, rest_.find_first_of(" \n"));
  rest_.remove_prefix(found.size());
  return found;
}

void TraceBody::check_seal() {
  const std::size_t at = text_.rfind(checksum_key);
  if (at == std::string::npos) refuse_content("is not whole: it has no checksum");
  if (checksum_line(std::string_view(text_).substr(0, at)) != text_.substr(at))
    refuse_content("is damaged: its checksum is another");
  text_.resize(at);
}

std::string_view TraceBody::line() {
  const std::string_view found = rest_.substr(0, rest_.find('\n'));
  rest_.remove_prefix(std::min(found.size() + 1, rest_.size()));
  return found;
}

void TraceBody::take_fact(std::string_view fact) {
  const std::size_t colon = fact.find(": ");
  if (colon == std::string_view::npos) refuse_content("has no colon in \"" + std::string(fact) + '"');
  facts_.emplace_back(fact.substr(0, colon), fact.substr(colon + 2));
}

std::vector<TraceCell> take_cells(TraceBody& body) {
  std::vector<TraceCell> cells;
  const std::string listed = body.take("cells");
  for (std::string_view rest = listed; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    const std::size_t colon = std::min(entry.find(':'), entry.size() - 1);
    cells.push_back({std::string(entry.substr(0, colon)), body.number_of<std::int64_t>(entry.substr(colon + 1))});
  }
  return cells;
}

std::string cells_text(const std::vector<TraceCell>& cells) {
  std::string text;
  for (const TraceCell& cell : cells) text += (text.empty() ? "" : " ") + cell.name + ':' + std::to_string(cell.reps);
  return text;
}

}  // namespace assay::test
