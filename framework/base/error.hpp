// SPDX-License-Identifier: Apache-2.0
// The exceptions of the framework, by who can correct the cause. A failing measurement is data, not an exception.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// A position in a configuration file or on the command line. Line and column count from 1; 0 means "not known".
struct Where {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One thing the user can correct: what is wrong, why it is wrong, what to do.
struct Problem {
  Where where;
  std::string what;
  std::string why;
  std::string remedy;
  bool environment = false;  ///< the request is well formed, but this machine cannot satisfy it (exit code 3, not 2)
};

/// `file:line:col: error: what; why; what to do`, parts that are empty or not known left out.
std::string to_text(const Problem& problem);

/// The request is wrong; carries every problem found in one pass. what() is their texts, one per line.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<Problem> problems);
  explicit ConfigError(Problem problem) : ConfigError(std::vector<Problem>{std::move(problem)}) {}
  const std::vector<Problem>& problems() const { return problems_; }
  /// 3 when every problem is the environment's, else 2.
  int exit_code() const;

 private:
  std::vector<Problem> problems_;
};

/// The operating system refused something; the text names the call, its object and the system's reason.
class PlatformError : public std::runtime_error {
 public:
  /// `attempt` names the call and its object; the system's reason for `error_number` is appended unless that is 0, and
  /// `remedy` unless it is empty.
  PlatformError(std::string attempt, int error_number, const std::string& remedy = {});
  const std::string& attempt() const { return attempt_; }
  int error_number() const { return error_number_; }

 private:
  std::string attempt_;
  int error_number_;
};

/// The results on disk cannot be written (exit code 4).
class StorageError : public PlatformError {
 public:
  using PlatformError::PlatformError;
};

/// Existing results refuse this request: corrupt, locked, newer format (exit code 5).
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A plugin cannot be used: missing, wrong stamp, did not survive loading.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay
