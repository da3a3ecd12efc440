// SPDX-License-Identifier: Apache-2.0
// doc/marked.md explains every word that restricts a value, and none that no output has.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "app/results/topics.hpp"
#include "record/table/trust.hpp"
#include "support/environment/paths.hpp"

namespace assay::test {
namespace {

const std::set<std::string> explained_kinds{"verdict", "mark", "regime", "state", "code", "check", "change verdict"};

std::string page() {
  std::ifstream file(source_directory() + "/doc/marked.md", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What rows of tables begin with: `NAME`, alone in its cell.
std::set<std::string> rows_of(const std::string& text) {
  std::set<std::string> rows;
  const std::regex row("\n\\| `([^`]+)` \\|");
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) rows.insert((*at)[1]);
  return rows;
}

std::set<std::string> names_to_explain() {
  std::set<std::string> names;
  for (const Topic& topic : all_topics({}))
    if (explained_kinds.contains(topic.kind)) names.insert(topic.name);
  return names;
}

// A value with everything that can restrict it.
std::string trust_of(Outcome outcome) {
  Result result;
  result.verdict.outcome = outcome;
  result.term = Term::short_term;
  result.noisy = true;
  result.disturbed_share = 0.12;
  result.sessions.resize(3);
  PointRecord point;
  point.reference.moved = true;
  return trust_text(point, result, Scale{1, "ns"}, true);
}

TEST(MarkedPage, HasARowForEveryVerdictMarkStateCodeAndCheck) {
  const auto rows = rows_of(page());
  for (const std::string& name : names_to_explain()) EXPECT_TRUE(rows.contains(name)) << name;
}

TEST(MarkedPage, HasNoRowForWhatNoOutputContains) {
  const auto names = names_to_explain();
  const std::string text = page();
  const auto first = text.find("## Why measuring stopped");
  ASSERT_NE(first, std::string::npos);
  for (const std::string& row : rows_of(text.substr(first))) EXPECT_TRUE(names.contains(row)) << row;
}

TEST(MarkedPage, HasTheWordsOfTrust) {
  const std::string text = page();
  int words = 0;
  for (int i = static_cast<int>(Outcome::converged); i <= static_cast<int>(Outcome::aborted); ++i) {
    const std::string all = trust_of(static_cast<Outcome>(i));
    // Commas separate them, but one phrase has a comma of its own.
    const std::string state = "not converged: cores hardly ever in one state, all together";
    std::string rest = all;
    if (all.starts_with(state)) {
      EXPECT_NE(text.find("`" + state + "`"), std::string::npos);
      rest = all.substr(state.size() + 2);
    }
    const std::regex comma(", ");
    for (std::sregex_token_iterator at(rest.begin(), rest.end(), comma, -1), end; at != end; ++at, ++words)
      EXPECT_NE(text.find("`" + at->str() + "`"), std::string::npos) << at->str() << " of: " << all;
  }
  EXPECT_GT(words, 30);
}

}  // namespace
}  // namespace assay::test
