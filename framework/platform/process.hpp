// SPDX-License-Identifier: Apache-2.0
// Child processes of the supervisor: start by posix_spawn, a line of text each way, a deadline, and the end of a whole
// group.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// How a process ended, in words: "exited 0", "exited 3", "killed by SIGSEGV".
std::string describe_exit(int wait_status);

/// The end of what is written to a pipe, read without ever waiting.
class OutputTail {
 public:
  /// Bytes that are kept.
  static constexpr std::size_t kept = 4096;

  /// Owns the pipe's reading end, which must be non-blocking.
  explicit OutputTail(int descriptor) : descriptor_(descriptor) {}
  OutputTail(OutputTail&& other) noexcept;
  OutputTail& operator=(OutputTail&&) = delete;
  ~OutputTail();

  /// Takes what has been written so far (at most 1 MiB in one call).
  void drain();
  const std::string& text() const { return text_; }
  /// -1 once every writer is gone.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::string text_;
};

/// A text line each way over a stream socket; the other side is not trusted.
class LineSocket {
 public:
  /// Owns the socket. `beside`, if any, is drained while this waits, so that its writer never does; it is borrowed.
  explicit LineSocket(int descriptor, OutputTail* beside = nullptr) : descriptor_(descriptor), beside_(beside) {}
  LineSocket(LineSocket&& other) noexcept;
  LineSocket& operator=(LineSocket&& other) noexcept;
  ~LineSocket();

  /// Sends text and a newline; false when the other side is gone.
  bool send(std::string_view line);
  enum class Status : unsigned char { line, closed, timeout, too_long };
  /// Waits for a whole line (without its newline) until `patience` is over; no deadline without it. Lines are at most
  /// 16 MiB. What has arrived of an unfinished line is kept for the next call after a timeout.
  Status receive(std::string& line, std::optional<Nanoseconds> patience);
  int descriptor() const { return descriptor_; }

 private:
  bool take(std::string& line);
  int descriptor_;
  OutputTail* beside_;
  std::string pending_;
  std::size_t searched_ = 0;  ///< bytes of `pending_` known to hold no newline
};

/// A worker: the running image exec'ed again in its own process group, with a socket as descriptor 3, standard input
/// from the null device, and its output discarded but for the last lines of standard error. No other descriptor is
/// inherited; signals are as by default and none is blocked. The calling process becomes the reaper of its descendants'
/// orphans, so that the end of a whole group can be awaited.
class ChildProcess {
 public:
  /// Starts `program` with `arguments` (without argv[0]) and extra environment entries "NAME=value", which replace
  /// inherited ones. Throws PlatformError, also when the program cannot be executed.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  /// Kills the whole group if it still lives, and reaps.
  ~ChildProcess();

  LineSocket& socket() { return socket_; }
  /// Waits until the process has ended by itself, but no longer than `patience`; true when it has.
  bool wait(Nanoseconds patience);
  int pid() const { return pid_; }
  /// SIGKILL to the process group, then reaps the leader and everything that was left in the group; returns how the
  /// leader ended. Idempotent.
  std::string kill_group();
  /// The end of what the process wrote to standard error, for failure records (at most 4 KiB, drained without
  /// blocking).
  std::string error_output();

 private:
  int pid_ = -1;
  std::unique_ptr<OutputTail> errors_;
  LineSocket socket_;
  std::string ending_;
};

/// Runs a command of the shell to its end. What it leaves in its process group is ended with it; what is to stay has to
/// leave the group (setsid). Empty when it exited with 0, else how it ended and the end of its error output. Throws
/// PlatformError when the shell cannot be started.
std::string run_shell(const std::string& command, Nanoseconds deadline);

/// The path of the running image; "/proc/self/exe" when the file has been replaced or removed since. Throws
/// PlatformError.
std::string own_program();

/// In the worker, first thing: die with the parent (checked against a parent already gone), core size 0, out-of-memory
/// score up, terminal and scheduler signals ignored.
void become_worker();
/// Number of threads of a process, from procfs; 0 when it cannot be read.
int thread_count(int pid);
/// Ids of the live child processes of a process, from procfs.
std::vector<int> children_of(int pid);

}  // namespace assay
