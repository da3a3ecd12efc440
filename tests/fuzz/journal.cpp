// SPDX-License-Identifier: Apache-2.0
// Damaged journals: what is read of one is a part of what was written, from its beginning, or nothing.
#include <algorithm>

#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/journals.hpp"
#include "golden/samples/record_samples.hpp"
#include "record/journal/codec.hpp"

namespace assay::fuzz {
namespace {

constexpr int most_edits = 6;  // too few to forge a checksum of 32 bits, many enough to damage anything

/// A whole journal, and where its records end.
struct Seed {
  std::string text;
  std::vector<std::string> records;
  std::vector<std::size_t> ends{0};
};

const Seed& seed() {
  static const Seed whole = [] {
    Seed made;
    for (const Record& record : test::sample_records()) {
      made.records.push_back(to_text(encode(record)));
      made.text += framed(made.records.back(), made.records.size() - 1);
      made.ends.push_back(made.text.size());
    }
    return made;
  }();
  return whole;
}

/// A place in the text, near a record's end where `byte` is odd.
std::size_t place(Input& input, const std::string& text) {
  const std::uint8_t byte = input.byte();
  const auto wide = input.number<std::uint16_t>();
  if (text.empty()) return 0;
  if (byte % 2 == 0) return wide % text.size();
  const std::size_t end = seed().ends[wide % seed().ends.size()];
  return std::min(end + byte / 2 % 8, text.size() - 1);
}

void edit(std::string& text, Input& input) {
  const std::uint8_t kind = input.byte() % 6;
  const std::size_t at = place(input, text);
  if (text.empty()) return;
  if (kind == 0) text[at] = static_cast<char>(text[at] ^ (1 << (input.byte() % 8)));
  if (kind == 1) text.resize(at);
  const std::size_t length =
      std::min<std::size_t>(input.number<std::uint16_t>() % 2048, text.size() - std::min(at, text.size()));
  if (kind == 2) text.erase(at, length);
  if (kind == 3) text.insert(at, text.substr(at, length));
  if (kind == 4) std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), length, '\0');
  if (kind == 5) text.insert(place(input, text), text.substr(at, length));
}

void check_part(const std::string& text, const JournalContent& content) {
  promise(content.records.size() <= seed().records.size(), "no more records than were written");
  for (std::size_t i = 0; i < content.records.size(); ++i)
    promise(to_text(encode(content.records[i])) == seed().records[i], "records are those that were written");
  promise(std::cmp_equal(content.end.good_size, seed().ends[content.records.size()]),
          "what is kept ends with a record");
  promise(std::cmp_equal(content.end.good_size + content.end.torn, text.size()), "every byte is kept or torn");
}

/// The scanner, which reads the file in pieces, must agree.
void check_scan(const std::string& text, const JournalContent* expected) {
  static const test::Scratch folder;
  const std::string path = write(folder, "journal.jsonl", text);
  std::vector<std::string> records;
  try {
    const auto end = scan_journal(
        path, [](const RecordHead&) { return true; },
        [&](const Record& record) { records.push_back(to_text(encode(record))); });
    promise(expected != nullptr, "what the reader refuses the scanner refuses");
    promise(end.good_size == expected->end.good_size && end.torn == expected->end.torn, "both find the same end");
    promise(std::cmp_equal(records.size(), end.records), "as many as it says");
  } catch (const ResultError&) {
    promise(expected == nullptr, "what the scanner refuses the reader refuses");
    return;
  }
  for (std::size_t i = 0; i < records.size(); ++i) promise(records[i] == seed().records[i], "the scanner's records");
}

void check_damaged(Input input) {
  std::string text = seed().text;
  for (int edits = 0; edits < most_edits && !input.empty(); ++edits) edit(text, input);
  try {
    const JournalContent content = parse_journal(text, "journal");
    check_part(text, content);
    check_scan(text, &content);
  } catch (const ResultError&) {
    check_scan(text, nullptr);
  }
}

void check_foreign(std::string_view text) {
  try {
    const JournalContent content = parse_journal(text, "journal");
    const auto good = static_cast<std::size_t>(content.end.good_size);
    promise(good <= text.size() && (good == 0 || text[good - 1] == '\n'), "what is kept ends with a line");
  } catch (const ResultError&) {
  }
}

}  // namespace
}  // namespace assay::fuzz

/// The first byte says what the rest is: edits of a whole journal, or an untrusted journal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::Input input(data, size);
  if (input.byte() == 'e')
    assay::fuzz::check_damaged(input);
  else
    assay::fuzz::check_foreign(input.rest());
  return 0;
}
