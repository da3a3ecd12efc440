// SPDX-License-Identifier: Apache-2.0
// Commands of the shell that change the system around a measurement.
#include "platform/process/process.hpp"

namespace assay {
namespace {

/// The text in one line.
std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  return text;
}

}  // namespace

std::string run_shell(const std::string& command, Nanoseconds deadline) {
  // Only what it complains of is of interest.
  ChildProcess shell({"/bin/sh", {"-c", "exec >/dev/null\n" + command}, {}});
  const bool in_time = shell.wait(deadline);
  const std::string ending = shell.kill_group();
  if (in_time && shell.succeeded()) return {};
  const std::string errors = in_one_line(shell.output());
  return (in_time ? ending : "did not end before its deadline") + (errors.empty() ? "" : ": " + errors);
}

}  // namespace assay
