// SPDX-License-Identifier: Apache-2.0
// Child processes of the supervisor: start by posix_spawn, a line of text each way, a deadline, and the end of a whole
// group.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// How a process ended, in words: "exited 0", "exited 3", "killed by SIGSEGV".
std::string describe_exit(int wait_status);

/// A text line each way over a stream socket; the other side is not trusted.
class LineSocket {
 public:
  explicit LineSocket(int descriptor) : descriptor_(descriptor) {}
  LineSocket(LineSocket&& other) noexcept;
  LineSocket& operator=(LineSocket&& other) noexcept;
  ~LineSocket();

  /// Sends text and a newline; false when the other side is gone.
  bool send(std::string_view line);
  enum class Status : unsigned char { line, closed, timeout, too_long };
  /// Waits for a whole line (without its newline) until `patience` is over; no deadline without it. Lines are at most
  /// 16 MiB.
  Status receive(std::string& line, std::optional<Nanoseconds> patience);
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::string pending_;
};

/// A worker: the running image exec'ed again in its own process group, with a socket as descriptor 3, standard input
/// from the null device, and its output discarded but for the last lines of standard error.
class ChildProcess {
 public:
  /// Starts `program` with `arguments` (without argv[0]) and extra environment entries "NAME=value". Throws
  /// PlatformError.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  /// Kills the whole group if it still lives, and reaps.
  ~ChildProcess();

  LineSocket& socket() { return socket_; }
  int pid() const { return pid_; }
  /// SIGKILL to the process group, then reaps the leader; returns how it ended. Idempotent.
  std::string kill_group();
  /// The end of what the process wrote to standard error, for failure records (at most 4 KiB, drained without
  /// blocking).
  std::string error_output();

 private:
  int pid_ = -1;
  LineSocket socket_;
  int error_pipe_ = -1;
  std::string error_text_;
  std::string ending_;
};

/// The path of the running image.
std::string own_program();

/// In the worker, first thing: die with the parent (checked against a parent already gone), core size 0, out-of-memory
/// score up, terminal and scheduler signals ignored.
void become_worker();
/// Number of threads of a process, from procfs; 0 when it cannot be read.
int thread_count(int pid);
/// Ids of the live child processes of a process, from procfs.
std::vector<int> children_of(int pid);

}  // namespace assay
