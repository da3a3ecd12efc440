// SPDX-License-Identifier: Apache-2.0
// The notation of domains: what it means, what it refuses and where, and the way back.
#include "base/factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr auto quantitative = FactorKind::quantitative;
constexpr auto categorical = FactorKind::categorical;

bool operator==(const Domain& a, const Domain& b) {
  return a.levels == b.levels && a.quantity == b.quantity && a.refine == b.refine && a.open_range == b.open_range;
}

std::vector<Value> integers(std::initializer_list<std::int64_t> numbers) { return {numbers.begin(), numbers.end()}; }

std::vector<Value> words(std::initializer_list<const char*> texts) {
  std::vector<Value> values;
  for (const char* text : texts) values.emplace_back(std::string(text));
  return values;
}

Domain domain(std::string_view text, FactorKind kind = quantitative) {
  const auto result = parse_domain(text, kind);
  EXPECT_FALSE(result.error.has_value()) << text << ": " << result.error.value_or(DomainError{}).what;
  return result.domain;
}

std::vector<Value> levels(std::string_view text, FactorKind kind = quantitative) { return domain(text, kind).levels; }

DomainError error(std::string_view text, FactorKind kind = quantitative) {
  const auto result = parse_domain(text, kind);
  EXPECT_TRUE(result.error.has_value()) << text;
  EXPECT_TRUE(result.domain.levels.empty()) << text;
  const DomainError found = result.error.value_or(DomainError{});
  EXPECT_NE(found.what, "") << text;
  EXPECT_NE(found.remedy, "") << text;
  EXPECT_LE(found.offset, text.size()) << text;
  return found;
}

TEST(DomainLists, KeepTheirOrder) {
  EXPECT_EQ(levels("3"), integers({3}));
  EXPECT_EQ(levels("3, 1,2"), integers({3, 1, 2}));
  EXPECT_EQ(levels("1,5"), integers({1, 5}));
  EXPECT_EQ(levels("\t 4Ki , 1.5Ki"), integers({4096, 1536}));
  EXPECT_EQ(levels("-1, 0.5"), (std::vector<Value>{std::int64_t{-1}, 0.5}));
}

// However it is spelt, and whether it is written or a range gives it.
TEST(DomainLists, RefuseALevelThatIsGivenTwice) {
  struct Case {
    const char* text;
    std::size_t offset;
    std::size_t earlier;
    const char* level;
  };
  const Case cases[] = {{"3, 1,2 ,1", 8, 3, "1"},      {"1, 1.0", 3, 0, "1"},        {"5, 1us, 1000ns", 8, 3, "1000"},
                        {"0, 1..9 +1, 5", 12, 3, "5"}, {"64, 1..64 *2", 4, 0, "64"}, {"1..8 *2, 8..64 *8", 9, 0, "8"}};
  for (const Case& one : cases) {
    const auto found = error(one.text);
    EXPECT_EQ(found.what, "level " + std::string(one.level) + " is given twice");
    EXPECT_EQ(found.offset, one.offset) << one.text;
    EXPECT_EQ(found.earlier, one.earlier) << one.text;
  }
  EXPECT_EQ(error("a, b, \"a\"", categorical).earlier, 0U);
}

TEST(DomainLists, MayBeLongerWhereThatIsAllowed) {
  EXPECT_EQ(error("1..100001 +1").what, "more than 100000 levels");
  EXPECT_EQ(parse_domain("1..100001 +1", quantitative, 200000).domain.levels.size(), 100001U);
  EXPECT_EQ(parse_domain("1..9 +1", quantitative, 8).error.value_or(DomainError{}).what, "more than 8 levels");
}

TEST(DomainLists, SayWhatUnitsThereAre) {
  EXPECT_NE(error("5 m").remedy.find("ns us ms s"), std::string::npos);
  EXPECT_EQ(error("5m").remedy, "minutes and milli are not distinguished; write ms, M, or seconds as in 300s");
  EXPECT_NE(error("10 q").remedy.find("Ki Mi Gi"), std::string::npos);
  EXPECT_NE(error("$SIZE").remedy.find("not expanded"), std::string::npos);
}

TEST(DomainRanges, AreArithmeticOrGeometric) {
  EXPECT_EQ(levels("1..7 +3"), integers({1, 4, 7}));
  EXPECT_EQ(levels("1..16 *4"), integers({1, 4, 16}));
  EXPECT_EQ(levels("1Ki..4Ki *2"), integers({1024, 2048, 4096}));
  EXPECT_EQ(levels("1us..1ms *10"), integers({1000, 10000, 100000, 1000000}));
  EXPECT_EQ(levels("-2..2 +2"), integers({-2, 0, 2}));
  EXPECT_EQ(levels("-4..-2 +1"), integers({-4, -3, -2}));
}

TEST(DomainRanges, DoNotDependOnSpaces) {
  for (const char* text : {"1..7+3", "1 .. 7 + 3", "  1..7  +3  ", "1..\t7\t+3"}) {
    EXPECT_EQ(levels(text), integers({1, 4, 7})) << text;
  }
  EXPECT_EQ(levels("1..1e+1 +9"), integers({1, 10}));
  EXPECT_EQ(levels("1..1e1+9"), integers({1, 10}));
}

TEST(DomainRanges, MixWithSingleValuesAndOtherRanges) {
  EXPECT_EQ(levels("0, 1..4 *2, 3, 10..20 +10"), integers({0, 1, 2, 4, 3, 10, 20}));
}

TEST(DomainRefine, FollowsAnyForm) {
  EXPECT_EQ(domain("1, 2 refine 0.05").refine, 0.05);
  EXPECT_EQ(domain("1..16 *2 refine 0.1").refine, 0.1);
  EXPECT_EQ(domain("0, 1..16 *2 refine 1e-3").refine, 1e-3);
  EXPECT_EQ(domain("1, 2 refine 5%").refine, 0.05);
  EXPECT_EQ(domain("7 refine 0.5").levels, integers({7}));
  EXPECT_EQ(domain("1..4Mi *2 refine 5% of one-way").quantity, "one-way");
  EXPECT_EQ(domain("1..4Mi refine 5%").multiple, 1);
  EXPECT_EQ(domain("1..4Mi refine 5% multipleof 4Ki").multiple, 4096);
  EXPECT_EQ(to_text(domain("1..4Ki refine 5% of one-way multipleof 64")),
            "1..4096 refine 0.05 of one-way multipleof 64");
  EXPECT_EQ(to_text(domain("1..8 refine 5%  of  one-way ")), "1..8 refine 0.05 of one-way");
  EXPECT_EQ(domain("1, 2 refine 5%").quantity, "");
  EXPECT_FALSE(domain("1, 2 refine 0.05").open_range);
  EXPECT_EQ(domain("1, 2").refine, std::nullopt);
}

TEST(DomainRefine, OpensARangeWithoutAStep) {
  const Domain open = domain("64..1Mi refine 0.05");
  EXPECT_TRUE(open.open_range);
  EXPECT_EQ(open.levels, integers({64, 1 << 20}));
  EXPECT_EQ(open.refine, 0.05);
}

TEST(CategoricalDomains, AreWords) {
  EXPECT_EQ(levels("spin, futex ,pipe", categorical), words({"spin", "futex", "pipe"}));
  EXPECT_EQ(levels("1, 010, nan, 0+1", categorical), words({"1", "010", "nan", "0+1"}));
  EXPECT_EQ(levels("refine, +, ../x, caf\xc3\xa9", categorical), words({"refine", "+", "../x", "caf\xc3\xa9"}));
}

TEST(CategoricalDomains, TakeAnythingInQuotes) {
  EXPECT_EQ(levels(R"("ls -l, \"a\"\\", "", "1..2 refine 0.5" , "\x41")", categorical),
            words({"ls -l, \"a\"\\", "", "1..2 refine 0.5", "A"}));
}

TEST(CategoricalDomains, AreNeitherRangesNorRefined) {
  EXPECT_EQ(error("1..4", categorical).offset, 0U);
  EXPECT_EQ(error("a, 1..4 +1", categorical).offset, 3U);
  EXPECT_EQ(error("a, b refine 0.1", categorical).offset, 5U);
  EXPECT_NE(error("a refine 0.1", categorical).what.find("refine"), std::string::npos);
  EXPECT_EQ(error("a b", categorical).offset, 2U);
  EXPECT_EQ(error("\"a\" \"b\"", categorical).offset, 4U);
  EXPECT_EQ(error("a, \"b", categorical).offset, 3U);
  EXPECT_EQ(error("a\"b\"", categorical).offset, 1U);
  EXPECT_EQ(error("", categorical).offset, 0U);
  EXPECT_EQ(error("a,", categorical).offset, 2U);
  EXPECT_EQ(error("a,,b", categorical).offset, 2U);
}

struct Refusal {
  const char* text;
  std::size_t offset;
};

class RefusedDomain : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedDomain, NamesItsPlace) { EXPECT_EQ(error(GetParam().text).offset, GetParam().offset) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(Numbers, RefusedDomain,
                         testing::Values(Refusal{"nan", 0}, Refusal{"1, inf", 3}, Refusal{"0x10", 0},
                                         Refusal{"1_000", 0}, Refusal{"+5", 0}, Refusal{"1, +5", 3}, Refusal{"10q", 0},
                                         Refusal{"1e999", 0}, Refusal{"9223372036854775808", 0}, Refusal{"010", 0},
                                         Refusal{".5", 0}, Refusal{"spin", 0}, Refusal{"\"1\"", 0},
                                         Refusal{"1..0x10 +1", 3}, Refusal{"1..4 +nan", 6}, Refusal{"1..4 ++1", 6},
                                         Refusal{"1..4 +-1", 5}));

INSTANTIATE_TEST_SUITE_P(Structure, RefusedDomain,
                         testing::Values(Refusal{"", 0}, Refusal{"  ", 2}, Refusal{",", 0}, Refusal{"1,", 2},
                                         Refusal{"1,,2", 2}, Refusal{"1 2", 2}, Refusal{"5 ms", 2}, Refusal{"1..", 3},
                                         Refusal{"..4 +1", 0}, Refusal{"1...4 +1", 3}, Refusal{"1..4 +", 6},
                                         Refusal{"1..4 *", 6}, Refusal{"1..4 +1 +1", 8}, Refusal{"1..4 -1", 5},
                                         Refusal{"1, 2 refine", 11}, Refusal{"1 refine 0.1, 2", 12},
                                         Refusal{"1 refine 0.1 refine 0.2", 13}, Refusal{"1 refined 0.1", 2}));

INSTANTIATE_TEST_SUITE_P(Ranges, RefusedDomain,
                         testing::Values(Refusal{"1..4", 0}, Refusal{"0, 1..4", 3}, Refusal{"0, 1..4 refine 0.1", 3},
                                         Refusal{"1..4, 5 refine 0.1", 0}, Refusal{"4..1 +1", 0},
                                         Refusal{"4..1 refine 0.1", 0}, Refusal{"4..4 refine 0.1", 0},
                                         Refusal{"1..4 +0", 5}, Refusal{"1..4 *1", 5}, Refusal{"1..4 *0.5", 5},
                                         Refusal{"0..4 *2", 0}, Refusal{"7, -1..4 *2", 3},
                                         Refusal{"1000000..1000001 +0.0000001", 17}));

INSTANTIATE_TEST_SUITE_P(Accuracy, RefusedDomain,
                         testing::Values(Refusal{"1, 2 refine 0", 12}, Refusal{"1, 2 refine 1", 12},
                                         Refusal{"1, 2 refine -0.1", 12}, Refusal{"1, 2 refine 5", 12},
                                         Refusal{"1, 2 refine x", 12}, Refusal{"1, 2 refine 500%", 12}));

INSTANTIATE_TEST_SUITE_P(Size, RefusedDomain,
                         testing::Values(Refusal{"1..100001 +1", 0}, Refusal{"0, 1..100000 +1", 3},
                                         Refusal{"0..9223372036854775807 +1", 0}, Refusal{"0..1 +1e-9", 0},
                                         Refusal{"1..1G *1.0000001", 0}));

TEST(DomainSize, IsLimitedToAHundredThousand) { EXPECT_EQ(levels("1..100000 +1").size(), 100000U); }

TEST(DomainErrors, QuoteAndShortenWhatIsWrong) {
  EXPECT_EQ(error("\x1b[31m").what, R"(not a number: "\x1b[31m")");
  EXPECT_LT(error(std::string(10000, 'x')).what.size(), 100U);
  EXPECT_LT(error("1 " + std::string(10000, 'x')).what.size(), 100U);
}

TEST(DomainText, ReadsBackToAnEqualDomain) {
  for (const char* text : {"3", "3, 1, 0.5", "1..16 *2", "0..1 +0.1 refine 0.05", "64..1Mi refine 0.05",
                           "0.5..1e6 refine 1e-3", "1e-300..1e-299 *2"}) {
    const Domain read = domain(text);
    EXPECT_TRUE(domain(to_text(read)) == read) << to_text(read);
  }
  const Domain quoted = domain(R"(spin, "1", "a, b", "", refine, 0+1, "\xff")", categorical);
  EXPECT_TRUE(domain(to_text(quoted), categorical) == quoted) << to_text(quoted);
}

TEST(DomainText, IsReadable) {
  EXPECT_EQ(to_text(domain("1..16*2 refine 0.05")), "1, 2, 4, 8, 16 refine 0.05");
  EXPECT_EQ(to_text(domain("64 .. 1Ki refine 0.050")), "64..1024 refine 0.05");
  EXPECT_EQ(to_text(domain("spin,\"futex\",\"a b\"", categorical)), "spin, futex, \"a b\"");
}

// Random texts over the alphabet of the notation: never a crash, and what is accepted survives the way back.
TEST(DomainText, OfRandomInputIsRefusedOrReadsBack) {
  Rng rng(30);
  constexpr std::string_view pieces[] = {"1",  "2", "16", "0.5", "..", "..", " ",  ",", ", ",       "+",   "*", "*2",
                                         "+1", "-", "e",  "Ki",  "us", "\"", "\\", "a", " refine ", "0.1", "x", "."};
  for (const FactorKind kind : {quantitative, categorical}) {
    int accepted = 0;
    for (int round = 0; round < 50000; ++round) {
      std::string text;
      for (auto length = rng.below(8); length > 0; --length) text += pieces[rng.below(std::size(pieces))];
      const auto result = parse_domain(text, kind);
      if (result.error) {
        EXPECT_LE(result.error->offset, text.size()) << text;
        continue;
      }
      ++accepted;
      EXPECT_FALSE(result.domain.levels.empty()) << text;
      EXPECT_TRUE(domain(to_text(result.domain), kind) == result.domain) << text;
    }
    EXPECT_GT(accepted, 1000);
  }
}

}  // namespace
}  // namespace assay
