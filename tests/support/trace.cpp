// SPDX-License-Identifier: Apache-2.0
// Writing and reading of recorded noise.
#include "support/trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "base/value.hpp"
#include "record/journal.hpp"

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

std::string head(std::string_view kind, const Circumstances& facts) {
  std::string text = std::string(first_words) + std::string(kind) + '\n';
  for (const auto& [key, value] : facts) {
    require_one_line(key + value);
    text += key + ": " + value + '\n';
  }
  return text + '\n';
}

std::string sealed(std::string text) { return text + checksum_line(text); }

/// A file without its checksum, taken apart as far as its numbers.
class Body {
 public:
  Body(std::string file, std::string_view kind) : file_(std::move(file)) {
    std::ifstream in(file_, std::ios::binary);
    if (!in) refuse("cannot be opened", "record it with record_noise");
    text_.assign(std::istreambuf_iterator<char>(in), {});
    check_seal();
    rest_ = text_;
    const std::string first = std::string(first_words) + std::string(kind);
    if (line() != first) refuse("does not begin with \"" + first + '"', "give a file of that kind");
    for (std::string_view fact = line(); !fact.empty(); fact = line()) take_fact(fact);
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw std::runtime_error("trace " + file_ + ' ' + what + "; " + remedy);
  }
  [[noreturn]] void refuse_content(const std::string& what) const { refuse(what, "record it again"); }

  /// Removes and returns the fact; refuses the file when there is none.
  std::string take(std::string_view key) {
    const auto found = std::find_if(facts_.begin(), facts_.end(), [&](const auto& fact) { return fact.first == key; });
    if (found == facts_.end()) refuse_content("does not tell its " + std::string(key));
    std::string value = found->second;
    facts_.erase(found);
    return value;
  }
  template <class Number>
  Number number_of(std::string_view word) const {
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size())
      refuse_content("has \"" + std::string(word) + "\" where a number belongs");
    return number;
  }
  template <class Number>
  Number take_number(std::string_view key) {
    return number_of<Number>(take(key));
  }
  /// The next word of the numbers; empty at the end.
  std::string_view word() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    const std::string_view found = rest_.substr(0, rest_.find_first_of(" \n"));
    rest_.remove_prefix(found.size());
    return found;
  }
  Circumstances circumstances() { return std::move(facts_); }

 private:
  void check_seal() {
    const std::size_t at = text_.rfind(checksum_key);
    if (at == std::string::npos) refuse_content("is not whole: it has no checksum");
    if (checksum_line(std::string_view(text_).substr(0, at)) != text_.substr(at))
      refuse_content("is damaged: its checksum is another");
    text_.resize(at);
  }
  std::string_view line() {
    const std::string_view found = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(found.size() + 1, rest_.size()));
    return found;
  }
  void take_fact(std::string_view fact) {
    const std::size_t colon = fact.find(": ");
    if (colon == std::string_view::npos) refuse_content("has no colon in \"" + std::string(fact) + '"');
    facts_.emplace_back(fact.substr(0, colon), fact.substr(colon + 2));
  }

  std::string file_;
  std::string text_;
  std::string_view rest_;
  Circumstances facts_;
};

/// The largest unit of which all values are whole multiples.
std::int64_t common_unit(const std::vector<std::int64_t>& values) {
  std::int64_t unit = 0;
  for (const std::int64_t value : values) unit = std::gcd(unit, value);
  return std::max<std::int64_t>(unit, 1);
}

std::vector<ProcessCell> cells_of(Body& body) {
  std::vector<ProcessCell> cells;
  const std::string listed = body.take("cells");
  for (std::string_view rest = listed; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    const std::size_t colon = std::min(entry.find(':'), entry.size() - 1);
    cells.push_back({std::string(entry.substr(0, colon)), body.number_of<std::int64_t>(entry.substr(colon + 1)), {}});
  }
  return cells;
}

/// Every run with its cell's index, in order of time.
std::vector<std::pair<std::size_t, ProcessRun>> in_order(const std::vector<ProcessCell>& cells) {
  std::vector<std::pair<std::size_t, ProcessRun>> runs;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (const ProcessRun& run : cells[cell].runs) runs.emplace_back(cell, run);
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.second.at < b.second.at; });
  return runs;
}

}  // namespace

std::vector<double> Timings::values() const {
  std::vector<double> values;
  values.reserve(all.size());
  for (const std::int64_t elapsed : all) values.push_back(static_cast<double>(elapsed) / static_cast<double>(reps));
  return values;
}

std::string to_text(const Timings& timings) {
  const std::int64_t unit = common_unit(timings.all);
  Circumstances facts = timings.circumstances;
  facts.insert(facts.begin(), {{"cell", timings.cell},
                               {"reps", std::to_string(timings.reps)},
                               {"clock.step", assay::to_text(timings.step)},
                               {"unit", std::to_string(unit)},
                               {"timings", std::to_string(timings.all.size())}});
  std::string text = head("timings", facts);
  std::string line;
  for (const std::int64_t elapsed : timings.all) {
    const std::string word = std::to_string(elapsed / unit);
    if (line.size() + word.size() > line_width) {
      text += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return sealed(text + line + '\n');
}

std::string to_text(const Processes& processes) {
  std::string cells;
  for (const ProcessCell& cell : processes.cells)
    cells += (cells.empty() ? "" : " ") + cell.cell + ':' + std::to_string(cell.reps);
  const auto runs = in_order(processes.cells);
  Circumstances facts = processes.circumstances;
  facts.insert(facts.begin(), {{"cells", cells}, {"runs", std::to_string(runs.size())}});
  std::string text = head("processes", facts);
  for (const auto& [cell, run] : runs) {
    const double batch = run.median * static_cast<double>(processes.cells[cell].reps);
    text += std::to_string(run.round) + ' ' + std::to_string(std::llround(1e3 * run.at)) + ' ' + std::to_string(cell) +
            ' ' + std::to_string(std::llround(10 * batch)) + '\n';
  }
  return sealed(text);
}

Timings read_timings(const std::string& file) {
  Body body(file, "timings");
  Timings timings;
  timings.cell = body.take("cell");
  timings.reps = body.take_number<std::int64_t>("reps");
  timings.step = body.take_number<double>("clock.step");
  const auto unit = body.take_number<std::int64_t>("unit");
  const auto count = body.take_number<std::size_t>("timings");
  for (std::string_view word = body.word(); !word.empty(); word = body.word())
    timings.all.push_back(unit * body.number_of<std::int64_t>(word));
  if (timings.all.size() != count) body.refuse_content("has another number of timings than it tells");
  timings.circumstances = body.circumstances();
  return timings;
}

Processes read_processes(const std::string& file) {
  Body body(file, "processes");
  Processes processes{cells_of(body), {}};
  const auto count = body.take_number<std::size_t>("runs");
  for (std::size_t i = 0; i < count; ++i) {
    ProcessRun run;
    run.round = body.number_of<int>(body.word());
    run.at = 1e-3 * body.number_of<double>(body.word());
    const auto cell = body.number_of<std::size_t>(body.word());
    if (cell >= processes.cells.size()) body.refuse_content("names a cell that it does not list");
    const auto reps = static_cast<double>(processes.cells[cell].reps);
    run.median = 0.1 * body.number_of<double>(body.word()) / reps;
    processes.cells[cell].runs.push_back(run);
  }
  if (!body.word().empty()) body.refuse_content("has more runs than it tells");
  processes.circumstances = body.circumstances();
  return processes;
}

}  // namespace assay::test
