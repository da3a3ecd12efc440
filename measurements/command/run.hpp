// SPDX-License-Identifier: Apache-2.0
// An external command as a task: what it takes of time, CPU and memory, in a private folder for its files.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "command/timed_program.hpp"

namespace assay {

/// A folder of its own in the system's folder for temporary files ($TMPDIR, else /tmp), removed with all that is in it.
/// Those whose owners were killed before they could are removed by the process that makes one next: the owner holds a
/// lock.
class ScratchFolder {
 public:
  /// Throws Unsupported where no folder can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

/// A repetition is the preparation, the command and the cleanup, each a child process; the command alone is timed.
class CommandRun final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t wall = 0, user = 1, system = 2, memory = 3, voluntary = 4, involuntary = 5;

  /// Throws Unsupported where the command, its folder or its input is missing.
  explicit CommandRun(Setup& setup);

  /// Throws std::runtime_error, with the last lines of its error output, where a command ended otherwise than expected.
  Claims run(Member& member, Reps reps) override;

 private:
  struct Names;  // what stands in the place of names in braces

  std::unique_ptr<TimedProgram> program_for(const Names& names, const std::string& factor) const;
  Claims run_all(const Stopwatch& watch, std::int64_t reps) const;
  void assist(const std::unique_ptr<TimedProgram>& child, const std::string& role, const Stopwatch& watch) const;
  void require_end(const TimedProgram& child, const ProgramEnd& end, std::int64_t expected,
                   const std::string& role) const;

  std::unique_ptr<ScratchFolder> scratch_;
  std::int64_t exit_code_;
  Nanoseconds limit_;
  std::unique_ptr<TimedProgram> prepare_;
  std::unique_ptr<TimedProgram> command_;
  std::unique_ptr<TimedProgram> cleanup_;
};

/// Most memory that this process had at a time, in bytes: a child that begins in it is reported to have had no less.
double own_peak();

}  // namespace assay
