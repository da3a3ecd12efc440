// SPDX-License-Identifier: Apache-2.0
// Comparison of text with a file under tests/golden/.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/environment/paths.hpp"

namespace assay::test {

/// Where two texts first differ: the line's number and both lines.
inline std::string first_difference(std::string_view actual, std::string_view expected) {
  for (int line = 1;; ++line) {
    const auto a = actual.substr(0, actual.find('\n'));
    const auto e = expected.substr(0, expected.find('\n'));
    const bool ends = a.size() == actual.size() || e.size() == expected.size();
    if (a != e || ends)
      return "line " + std::to_string(line) + "\n  expected: " + std::string(e) + "\n  actual:   " + std::string(a);
    actual.remove_prefix(a.size() + 1);
    expected.remove_prefix(e.size() + 1);
  }
}

/// True when `text` is byte for byte the content of tests/golden/`name`. With ASSAY_UPDATE_GOLDEN=1 in the environment
/// the file is written instead; the change then shows in version control.
inline ::testing::AssertionResult matches_golden(std::string_view text, const std::string& name) {
  const std::string path = source_directory() + "/tests/golden/" + name;
  const char* update = std::getenv("ASSAY_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    return file ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << "cannot write " << path;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return ::testing::AssertionFailure() << "no file " << path << "; ASSAY_UPDATE_GOLDEN=1 writes it";
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  if (text == expected) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "differs from " << path << " in " << first_difference(text, expected)
                                       << "\nASSAY_UPDATE_GOLDEN=1 accepts the change";
}

}  // namespace assay::test
