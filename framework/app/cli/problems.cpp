// SPDX-License-Identifier: Apache-2.0
// Order, uniqueness and printing of problems.
#include "app/cli/problems.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <tuple>

#include "text/printable.hpp"

namespace assay {

namespace {

constexpr std::size_t most_printed = 20;

auto order(const Problem& problem, const std::vector<std::string>& files) {
  const auto file = std::find(files.begin(), files.end(), problem.where.file) - files.begin();
  return std::tuple(file, problem.where.line, problem.where.column);
}

}  // namespace

void Problems::add(const Where& where, std::string what, std::string why, std::string remedy) {
  problems_.push_back({where, std::move(what), std::move(why), std::move(remedy)});
}

void Problems::add_environment(const Where& where, std::string what, std::string why, std::string remedy) {
  problems_.push_back({where, std::move(what), std::move(why), std::move(remedy), true});
}

void Problems::add_all(std::vector<Problem> problems) {
  for (Problem& problem : problems) problems_.push_back(std::move(problem));
}

void Problems::raise(const std::vector<std::string>& files) const {
  if (problems_.empty()) return;
  std::vector<Problem> unique;
  std::set<std::string> seen;
  for (const Problem& problem : problems_)
    if (seen.insert(to_text(problem)).second) unique.push_back(problem);
  std::stable_sort(unique.begin(), unique.end(),
                   [&](const Problem& a, const Problem& b) { return order(a, files) < order(b, files); });
  throw ConfigError(std::move(unique));
}

void print(std::ostream& out, const std::vector<Problem>& problems) {
  const auto shown = std::min(problems.size(), most_printed);
  for (std::size_t i = 0; i < shown; ++i) out << printable(to_text(problems[i])) << '\n';
  if (problems.size() > shown) out << "and " << problems.size() - shown << " more errors\n";
}

}  // namespace assay
