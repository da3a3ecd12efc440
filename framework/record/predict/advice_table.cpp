// SPDX-License-Identifier: Apache-2.0
// Advice as a table for people, with what it rests on.
#include <algorithm>
#include <ostream>

#include "record/predict/advice.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "record/table/results_table.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace assay::predict {

namespace {

std::string time_text(const std::optional<Estimate>& time) {
  if (!time) return "-";
  const Scale scale = scale_of(time->value, Unit::nanoseconds);
  return shown(time->value, time->interval, scale).value + ' ' + scale.name;
}

std::string load_text(std::optional<double> load) { return load ? percent_text(*load) + " %" : "-"; }

void tell_line(std::ostream& out, const std::string& text, std::size_t width) {
  bool is_first = true;
  for (const std::string& line : wrapped(printable(text), width - 2)) {
    out << (is_first ? "" : "  ") << line << '\n';
    is_first = false;
  }
}

void print_candidates(std::ostream& out, const Advice& advice) {
  const double rate = advice.request.rate;
  std::vector<MarkedColumn> columns{{"primitive", "", false}, {"receiver", "", false},  {"placement", "", false},
                                    {"vehicle", "", false},   {"measured", "B"},        {"latency", ""},
                                    {"sender", "a message"},  {"receiver", "a message"}};
  if (rate > 0) {
    columns.emplace_back("sender", "of a CPU");
    columns.emplace_back("receiver", "of a CPU");
    columns.emplace_back("", "", false);
  }
  for (const Candidate& one : advice.ranked) {
    std::vector<MarkedText> row{{printable(one.channel)},
                                {one.sleeps ? "sleeps" : "spins"},
                                {printable(one.placement)},
                                {printable(one.vehicle)},
                                {one.measured_bytes > 0 ? fixed_text(one.measured_bytes, 0) : "-"},
                                {time_text(one.latency), one.marks},
                                {time_text(one.send)},
                                {time_text(one.receive)}};
    if (rate > 0) {
      row.push_back({load_text(one.sender_load(rate))});
      row.push_back({load_text(one.receiver_load(rate))});
      row.push_back({one.keeps_up ? "" : "too slow"});
    }
    for (std::size_t i = 0; i < row.size(); ++i) columns[i].add(std::move(row[i]));
  }
  print_columns(out, columns, 2);
}

std::string heading_of(const HandOver& request) {
  std::string text = "A hand-over of " + fixed_text(request.bytes, 0) + " B";
  if (request.from) text += " from CPU " + std::to_string(*request.from) + " to CPU " + std::to_string(*request.to);
  if (!request.placement.empty()) text += " at placement " + request.placement;
  if (request.rate > 0) text += ", " + fixed_text(request.rate, 0) + " times a second";
  return text + ": what was measured, by latency";
}

// The least busy receiver and the least latency, in words.
void print_choice(std::ostream& out, const Advice& advice, std::size_t width) {
  const Candidate& fastest = advice.ranked.front();
  std::string text = "least latency: " + fastest.channel + ", whose receiver " + (fastest.sleeps ? "sleeps" : "spins");
  const auto load = [&](const Candidate& one) {
    return one.keeps_up && one.sender_load(advice.request.rate) && one.receiver_load(advice.request.rate)
               ? *one.sender_load(advice.request.rate) + *one.receiver_load(advice.request.rate)
               : 2;
  };
  const auto& least = *std::ranges::min_element(advice.ranked, {}, load);
  if (advice.request.rate > 0 && load(least) < 1)
    text += "; least CPU time: " + least.channel + ", " + percent_text(load(least)) + " % of a CPU for both sides";
  tell_line(out, text, width);
}

std::string placements_text(const Advice& advice) { return advice.places.empty() ? "none" : joined(advice.places); }

void print_unmeasured(std::ostream& out, const Advice& advice, std::size_t width) {
  if (!advice.unmeasured.empty()) tell_line(out, "not measured for it: " + joined(advice.unmeasured), width);
}

}  // namespace

void print(std::ostream& out, const Advice& advice, std::size_t width) {
  out << printable(heading_of(advice.request)) << "\n\n";
  if (advice.ranked.empty()) {
    tell_line(out, "nothing was measured for it; placements of round trips: " + placements_text(advice), width);
    return print_unmeasured(out, advice, width);
  }
  print_candidates(out, advice);
  out << '\n';
  std::string marks;
  for (const Candidate& one : advice.ranked) marks += one.marks;
  print_legend(out, marks);
  print_choice(out, advice, width);
  const bool is_added = std::ranges::any_of(advice.ranked, [](const Candidate& one) { return one.payload > 0; });
  tell_line(out,
            is_added ? "of primitives in shared memory, the latency includes reading the bytes from the sender's cache"
                     : "of primitives in shared memory, reading the bytes themselves is not included: sync/line was "
                       "not measured for it",
            width);
  if (std::ranges::any_of(advice.ranked, [&](const Candidate& one) {
        return one.measured_bytes > 0 && one.measured_bytes != advice.request.bytes;
      }))
    tell_line(out, "messages of another size were measured where column 'measured' says so", width);
  if (!advice.asleep.empty())
    tell_line(out,
              "left out: round trips in which the receiver of " + joined(advice.asleep) +
                  " spun: between hand-overs so far apart it falls asleep",
              width);
  print_unmeasured(out, advice, width);
}

}  // namespace assay::predict
