// SPDX-License-Identifier: Apache-2.0
// A batch: repetitions, number of members; a member: number of claims, index and value of each, then its guards.
#include "run/protocol/batch_text.hpp"

#include <array>
#include <charconv>

#include "text/json.hpp"

namespace assay {
namespace {

template <class Number>
void put(std::string& text, Number number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
  text += ' ';
}

void put(std::string& text, const Claims& claims) {
  int count = 0;
  for (std::size_t i = 0; i < max_quantities; ++i) count += claims.has(i) ? 1 : 0;
  put(text, count);
  for (std::size_t i = 0; i < max_quantities; ++i) {
    if (!claims.has(i)) continue;
    put(text, i);
    put(text, claims[i]);
  }
}

void put(std::string& text, const MemberReport& report) {
  put(text, report.claims);
  for (const std::int64_t counter : {report.voluntary, report.involuntary, report.major_faults, report.beats})
    put(text, counter);
  for (const int cpu : {report.cpu_before, report.cpu_after}) put(text, cpu);
  for (const Nanoseconds time : {report.cpu, report.wall, report.core_before.wide, report.core_before.chain,
                                 report.core_after.wide, report.core_after.chain})
    put(text, time.count);
}

/// Takes numbers off the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}
  bool done() const { return at_ == end_; }

  template <class Number>
  Number take(const char* what) {
    Number number{};
    const auto [end, error] = std::from_chars(at_, end_, number);
    if (error != std::errc() || end == end_ || *end != ' ') fail(what);
    at_ = end + 1;
    return number;
  }
  std::size_t at_most(const char* what, std::size_t most) {
    const auto number = take<std::size_t>(what);
    if (number > most) fail(what);
    return number;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw JsonError("yield.batches: no " + std::string(what) + " at byte " + std::to_string(at_ - begin_));
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

Claims claims_from(Reader& reader) {
  Claims claims;
  for (auto left = reader.at_most("number of claims", max_quantities); left > 0; --left) {
    const auto index = reader.at_most("index of a claim", max_quantities - 1);
    claims.set(index, reader.take<double>("claim"));
  }
  return claims;
}

MemberReport report_from(Reader& reader) {
  MemberReport report;
  report.claims = claims_from(reader);
  for (auto field :
       {&MemberReport::voluntary, &MemberReport::involuntary, &MemberReport::major_faults, &MemberReport::beats})
    report.*field = reader.take<std::int64_t>("counter");
  for (auto field : {&MemberReport::cpu_before, &MemberReport::cpu_after}) report.*field = reader.take<int>("CPU");
  for (auto field : {&MemberReport::cpu, &MemberReport::wall}) report.*field = {reader.take<double>("time")};
  for (auto reading : {&MemberReport::core_before, &MemberReport::core_after}) {
    (report.*reading).wide = {reader.take<double>("reading of the core")};
    (report.*reading).chain = {reader.take<double>("reading of the core")};
  }
  return report;
}

}  // namespace

std::string batches_to_text(const std::vector<Batch>& batches) {
  std::string text;
  for (const Batch& batch : batches) {
    put(text, batch.reps.count);
    put(text, batch.members.size());
    for (const MemberReport& report : batch.members) put(text, report);
  }
  return text;
}

std::vector<Batch> batches_from_text(std::string_view text) {
  std::vector<Batch> batches;
  for (Reader reader(text); !reader.done();) {
    Batch& batch = batches.emplace_back();
    batch.reps = {reader.take<std::int64_t>("repetitions")};
    // Room is made as members come: their number alone is only a claim.
    for (auto left = reader.take<std::size_t>("number of members"); left > 0; --left)
      batch.members.push_back(report_from(reader));
  }
  return batches;
}

}  // namespace assay
