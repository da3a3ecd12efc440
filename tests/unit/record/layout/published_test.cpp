// SPDX-License-Identifier: Apache-2.0
// The schema of published numbers, and what is published in configs/reference/.
#include "record/layout/layout_spec.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "base/number.hpp"
#include "record/layout/layouts.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

/// Where a file of published numbers is refused: what the message begins with, as in "numbers[1]".
std::string refused_member(const std::string& text) {
  try {
    parse_reference(text);
  } catch (const JsonError& error) {
    const std::string message = error.what();
    return message.substr(0, message.find(':'));
  }
  return "accepted";
}

constexpr const char* the_file = "the file";
constexpr const char* head = R"({"source": "a paper", "systems": [{"name": "A"}, {"name": "B"}], )";

TEST(Reference, ReadsNumbersInBaseUnits) {
  const Reference reference = parse_reference(
      std::string(head) +
      R"("numbers": [{"value": "fork", "unit": "us", "at": {"size": "4Ki"}, "of": {"A": "1.50", "B": "3"}}],
         "errata": [{"value": "fork", "unit": "us", "at": {"size": "4Ki"}, "of": "B", "recomputed": "4", "why": "a slip"}]})");
  ASSERT_EQ(reference.numbers.size(), 2U);
  EXPECT_EQ(reference.numbers[0].printed, "1.50");
  EXPECT_DOUBLE_EQ(reference.numbers[0].number, 1500);
  EXPECT_EQ(reference.numbers[0].at, (NamedTexts{{"size", "4096"}}));
  EXPECT_DOUBLE_EQ(reference.numbers[1].recomputed.value(), 4000);
  EXPECT_EQ(reference.numbers[1].why, "a slip");
}

TEST(Reference, KeepsABoundAndAMisprintWithoutAnotherNumber) {
  const Reference reference =
      parse_reference(std::string(head) + R"("numbers": [{"value": "v", "unit": "%", "of": {"A": "<1"}}],
         "errata": [{"value": "v", "of": "A", "why": "a misprint"}]})");
  EXPECT_EQ(reference.numbers[0].printed, "<1");
  EXPECT_DOUBLE_EQ(reference.numbers[0].number, 0.01);
  EXPECT_FALSE(reference.numbers[0].recomputed.has_value());
  EXPECT_EQ(reference.numbers[0].why, "a misprint");
}

TEST(Reference, ReadsBoundsAndRangesAsTheyArePrinted) {
  const Reference reference = parse_reference(
      R"({"source": "a paper", "systems": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
         "numbers": [{"value": "v", "of": {"A": ">65", "B": "±1", "C": "-6 to -5"}}]})");
  ASSERT_EQ(reference.numbers.size(), 3U);
  const std::vector<double> wanted{65, 1, -5.5};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_DOUBLE_EQ(reference.numbers[i].number, wanted[i]);
  for (const char* text : {"5 to", "5 to 6 to 7", "<>5", "to"})
    EXPECT_EQ(refused_member(std::string(head) + R"("numbers": [{"value": "v", "of": {"A": ")" + text + R"("}}]})"),
              "numbers[0]")
        << text;
}

TEST(Reference, RefusesWhatTheSchemaDoesNotHave) {
  EXPECT_EQ(refused_member("{}"), the_file);
  EXPECT_EQ(refused_member(R"({"source": "x", "sistems": []})"), the_file);
  EXPECT_EQ(refused_member(R"({"source": "x", "systems": [{"name": "A"}, {"name": "A"}]})"), "systems[1]");
  EXPECT_EQ(refused_member(std::string(head) + R"("numbers": [{"value": "v", "of": {"C": "1"}}]})"), "numbers[0]");
  EXPECT_EQ(refused_member(std::string(head) + R"("numbers": [{"value": "v", "of": {"A": "1x"}}]})"), "numbers[0]");
  EXPECT_EQ(refused_member(std::string(head) + R"("numbers": [{"value": "v", "unit": "furlong", "of": {"A": "1"}}]})"),
            "numbers[0]");
  EXPECT_EQ(refused_member(std::string(head) +
                           R"("numbers": [{"value": "v", "of": {"A": "1"}}, {"value": "v", "of": {"A": "2"}}]})"),
            "numbers[1]");
  EXPECT_EQ(
      refused_member(std::string(head) + R"("errata": [{"value": "v", "of": "A", "recomputed": "1", "why": "w"}]})"),
      "errata[0]");
  EXPECT_EQ(
      refused_member(std::string(head) + R"("lines": [{"value": "v", "columns": ["a", "b"], "of": {"A": [["1"]]}}]})"),
      "lines[0]");
  EXPECT_THAT(refused_member("[1"), testing::Not("accepted"));
  EXPECT_THAT(refused_member(R"({"source": 7})"), testing::Not("accepted"));
}

std::vector<ShippedFile> shipped_references() {
  std::vector<ShippedFile> files;
  for (const ShippedFile& file : shipped_files())
    if (file.name.ends_with(".json")) files.push_back(file);
  return files;
}

TEST(Reference, ThatComesWithTheProgramKeepsTheSchema) {
  EXPECT_FALSE(shipped_references().empty());
  for (const ShippedFile& file : shipped_references())
    EXPECT_FALSE(parse_reference(file.text).systems.empty()) << file.name;
}

double number_of_text(const std::string& text) { return number_of(read_number(text).value).value(); }

double mean_rate(const PublishedLines& lines) {
  double sum = 0;
  for (const auto& words : lines.lines) sum += number_of_text(words.back());
  return sum / static_cast<double>(lines.lines.size());
}

// Each published average is the mean of its raw lines, cut to whole numbers, or says that it is not.
TEST(Reference, OfPthreadbenchFollowsFromItsRawLines) {
  for (const ShippedFile& file : shipped_references()) {
    if (file.name != "pthreadbench.json") continue;
    const Reference reference = parse_reference(file.text);
    std::size_t raw = 0;
    for (const PublishedLines& lines : reference.lines) {
      raw += lines.lines.size();
      for (const PublishedNumber& number : reference.numbers) {
        if (number.value != lines.value || number.system != lines.system) continue;
        EXPECT_NEAR(number.recomputed.value_or(number.number), mean_rate(lines), 1.3)
            << number.value << " of " << number.system;
      }
    }
    EXPECT_EQ(raw, 80U);
  }
}

// Count, elapsed time and rate of every raw line agree.
TEST(Reference, OfPthreadbenchHasConsistentLines) {
  for (const ShippedFile& file : shipped_references()) {
    if (file.name != "pthreadbench.json") continue;
    for (const PublishedLines& lines : parse_reference(file.text).lines)
      for (const auto& words : lines.lines) {
        const double rate = number_of_text(words.at(0)) / number_of_text(words.at(1));
        EXPECT_NEAR(rate / number_of_text(words.at(2)), 1, 1e-4) << lines.value << " of " << lines.system;
      }
  }
}

}  // namespace
}  // namespace assay
