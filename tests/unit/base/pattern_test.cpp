// SPDX-License-Identifier: Apache-2.0
// Patterns: words, quotes, names in braces, and mistakes told with their place.
#include "base/pattern.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> words_of(const std::string& text, const std::map<std::string, std::string>& levels = {}) {
  const Pattern pattern = read_pattern(text);
  EXPECT_FALSE(pattern.error) << pattern.error->what;
  return expand(pattern, [&](const std::string& name) { return levels.at(name); });
}

TEST(Pattern, WordsAreSeparatedByBlanksAndKeptTogetherByQuotes) {
  EXPECT_THAT(words_of("  xz -T  2\tfile "), ElementsAre("xz", "-T", "2", "file"));
  EXPECT_THAT(words_of("sh -c 'a  \"b\" \\n'"), ElementsAre("sh", "-c", "a  \"b\" \\n"));
  EXPECT_THAT(words_of(R"(a "b \"c\" d" e'f g'"h i")"), ElementsAre("a", "b \"c\" d", "ef gh i"));
  EXPECT_THAT(words_of("a '' \"\""), ElementsAre("a", "", ""));
  EXPECT_THAT(words_of(" "), IsEmpty());
}

TEST(Pattern, NoShellIsAnywhere) {
  EXPECT_THAT(words_of("a|b >c $d *.x ~ ; `e`"), ElementsAre("a|b", ">c", "$d", "*.x", "~", ";", "`e`"));
}

TEST(Pattern, LevelsStandInThePlacesOfNames) {
  const std::map<std::string, std::string> levels{{"n", "2"}, {"file", "my 'own' {n}"}};
  EXPECT_THAT(words_of("xz -T{n} '{file}.{n}' {file}", levels),
              ElementsAre("xz", "-T2", "my 'own' {n}.2", "my 'own' {n}"));
  EXPECT_THAT(words_of("awk '{{print}}' {{}}"), ElementsAre("awk", "{print}", "{}"));
}

TEST(Pattern, ALevelSpreadsIntoItsWordsWhereThatIsAskedFor) {
  const std::map<std::string, std::string> levels{{"by", "strace -f -o '/dev/my null'"}, {"not", "none"}, {"e", ""}};
  EXPECT_THAT(words_of("{by...} true", levels), ElementsAre("strace", "-f", "-o", "/dev/my null", "true"));
  EXPECT_THAT(words_of("{not...} true {e...}", levels), ElementsAre("true"));
  EXPECT_THAT(words_of("{not} true", levels), ElementsAre("none", "true"));
  EXPECT_THROW(words_of("{by...}", {{"by", "a 'b"}}), std::invalid_argument);
  EXPECT_THROW(words_of("{by...}", {{"by", "{c}"}}), std::invalid_argument);
}

TEST(Pattern, NamesAreToldWithTheirPlaces) {
  const auto names = read_pattern("a {one} 'b {two}'").names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0].text, "one");
  EXPECT_EQ(names[0].offset, 3U);
  EXPECT_EQ(names[1].text, "two");
  EXPECT_EQ(names[1].offset, 12U);
}

TEST(Pattern, MistakesAreToldWithTheirPlaces) {
  const std::map<std::string, std::size_t> offsets{{"a 'b", 2},    {"a \"b", 2}, {"a {b", 2},     {"a {}", 2},
                                                   {"a {b c}", 2}, {"ab} c", 2}, {"a x{b...}", 2}};
  for (const auto& [text, offset] : offsets) {
    const Pattern pattern = read_pattern(text);
    ASSERT_TRUE(pattern.error) << text;
    EXPECT_EQ(pattern.error->offset, offset) << text;
    EXPECT_FALSE(pattern.error->remedy.empty()) << text;
  }
}

}  // namespace
}  // namespace assay
