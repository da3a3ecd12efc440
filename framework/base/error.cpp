// SPDX-License-Identifier: Apache-2.0
// Problems as text, and what the exceptions say.
#include "base/error.hpp"

#include <algorithm>
#include <system_error>

namespace assay {

namespace {

// Joins the parts that are not empty.
std::string joined_parts(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string counted(int number) { return number > 0 ? std::to_string(number) : std::string(); }

// A column without its line says nothing.
std::string position(const Where& where) {
  return joined_parts({where.file, counted(where.line), where.line > 0 ? counted(where.column) : std::string()}, ":");
}

std::string all(const std::vector<Problem>& problems) {
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(to_text(problem));
  return joined_parts(lines, "\n");
}

std::string with_reason(const std::string& attempt, int error_number, const std::string& remedy) {
  const std::string reason = error_number == 0 ? "" : std::system_category().message(error_number);
  return joined_parts({joined_parts({attempt, reason}, ": "), remedy}, "; ");
}

}  // namespace

std::string to_text(const Problem& problem) {
  const std::string message = joined_parts({problem.what, problem.why, problem.remedy}, "; ");
  return joined_parts({position(problem.where), "error", message}, ": ");
}

ConfigError::ConfigError(std::vector<Problem> problems)
    : std::runtime_error(all(problems)), problems_(std::move(problems)) {}

int ConfigError::exit_code() const {
  const auto environmental = [](const Problem& problem) { return problem.environment; };
  return !problems_.empty() && std::all_of(problems_.begin(), problems_.end(), environmental) ? 3 : 2;
}

PlatformError::PlatformError(std::string attempt, int error_number, const std::string& remedy)
    : std::runtime_error(with_reason(attempt, error_number, remedy)),
      attempt_(std::move(attempt)),
      error_number_(error_number) {}

}  // namespace assay
