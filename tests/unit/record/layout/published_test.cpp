// SPDX-License-Identifier: Apache-2.0
// The schema of published numbers, and what is published in configs/reference/.
#include "record/layout/published.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "base/number.hpp"
#include "record/layout/declared_layout.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

std::string reference_refusal(const std::string& text) {
  try {
    parse_reference(text);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "accepted";
}

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

TEST(Reference, RefusesWhatTheSchemaDoesNotHave) {
  EXPECT_EQ(reference_refusal("{}"), "the file: 'source' is missing");
  EXPECT_EQ(reference_refusal(R"({"source": "x", "sistems": []})"), "the file: unknown member 'sistems'");
  EXPECT_EQ(reference_refusal(R"({"source": "x", "systems": [{"name": "A"}, {"name": "A"}]})"),
            "systems[1]: system 'A' is there twice");
  EXPECT_EQ(reference_refusal(std::string(head) + R"("numbers": [{"value": "v", "of": {"C": "1"}}]})"),
            "numbers[0]: there is no system 'C'");
  EXPECT_EQ(reference_refusal(std::string(head) + R"("numbers": [{"value": "v", "of": {"A": "1x"}}]})"),
            "numbers[0]: '1x' is not a number");
  EXPECT_EQ(
      reference_refusal(std::string(head) + R"("numbers": [{"value": "v", "unit": "furlong", "of": {"A": "1"}}]})"),
      "numbers[0]: unknown unit 'furlong'");
  EXPECT_EQ(reference_refusal(std::string(head) +
                              R"("numbers": [{"value": "v", "of": {"A": "1"}}, {"value": "v", "of": {"A": "2"}}]})"),
            "numbers[1]: v of 'A' is there twice");
  EXPECT_EQ(
      reference_refusal(std::string(head) + R"("errata": [{"value": "v", "of": "A", "recomputed": "1", "why": "w"}]})"),
      "errata[0]: there is no number v of 'A'");
  EXPECT_EQ(reference_refusal(std::string(head) +
                              R"("lines": [{"value": "v", "columns": ["a", "b"], "of": {"A": [["1"]]}}]})"),
            "lines[0]: a line has not one word per column");
  EXPECT_THAT(reference_refusal("[1"), testing::Not("accepted"));
  EXPECT_THAT(reference_refusal(R"({"source": 7})"), testing::Not("accepted"));
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
