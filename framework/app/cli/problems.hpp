// SPDX-License-Identifier: Apache-2.0
// Collects everything that is wrong with a request, to be reported at once.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace assay {

/// Problems in the order found.
class Problems {
 public:
  /// A mistake of the user's (exit code 2).
  void add(const Where& where, std::string what, std::string why = {}, std::string remedy = {});
  /// A request that this machine cannot satisfy (exit code 3).
  void add_environment(const Where& where, std::string what, std::string why = {}, std::string remedy = {});
  void add_all(std::vector<Problem> problems);
  /// The collected problems, for functions that append to a vector.
  std::vector<Problem>& list() { return problems_; }
  /// Throws ConfigError when there are any: each once, by position, the files in the order of `files`, what has no file
  /// last.
  void raise(const std::vector<std::string>& files) const;

 private:
  std::vector<Problem> problems_;
};

/// Prints at most 20 of them, one per line and made printable, then how many more there are.
void print(std::ostream& out, const std::vector<Problem>& problems);

}  // namespace assay
