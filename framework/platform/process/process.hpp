// SPDX-License-Identifier: Apache-2.0
// Room: processes: started, watched, signalled, ended, and cleaned up after.
// Child processes of the supervisor: start by posix_spawn, a line of text each way, a deadline, and the end of a whole
// group.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
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
  /// Most bytes of text, the note of what was left out included.
  static constexpr std::size_t most = 65536;

  /// Owns the pipe's reading end, which must be non-blocking.
  explicit OutputTail(int descriptor) : descriptor_(descriptor) {}
  OutputTail(OutputTail&& other) noexcept;
  OutputTail& operator=(OutputTail&&) = delete;
  ~OutputTail();

  /// Takes what has been written so far (at most 1 MiB in one call).
  void drain();
  /// What was written; the end of it after a first line that says how much came before, where that did not fit.
  std::string text() const;
  /// -1 once every writer is gone.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::string kept_;
  std::size_t left_out_ = 0;  ///< bytes before `kept_`
};

/// How a waiting caller is informed that it is to give up. Empty: never.
struct Interrupt {
  int descriptor = -1;              ///< readable when `requested` is to be asked, a signalfd for example; borrowed
  std::function<bool()> requested;  ///< consumes what made the descriptor readable; true: give up
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
  enum class Status : unsigned char { line, closed, timeout, too_long, interrupted };
  /// Waits for a whole line (without its newline) until `patience` is over; no deadline without it. Lines are at most
  /// 16 MiB. What has arrived of an unfinished line is kept for the next call after a timeout or an interrupt.
  Status receive(std::string& line, std::optional<Nanoseconds> patience, const Interrupt& interrupt = {});
  int descriptor() const { return descriptor_; }

 private:
  bool take(std::string& line);
  /// Keeps what has arrived; false when the other side is gone.
  bool receive_more();
  int descriptor_;
  OutputTail* beside_;
  /// On the heap and not cleared, so that only what is received touches pages: a worker's start is in each incarnation.
  std::unique_ptr<char[]> buffer_;
  std::string pending_;
  std::size_t searched_ = 0;  ///< bytes of `pending_` known to hold no newline
};

/// How a process is started.
struct Launch {
  std::string program;
  std::vector<std::string> arguments;    ///< without argv[0]
  std::vector<std::string> environment;  ///< entries "NAME=value", which replace inherited ones
  /// Signals by which users and schedulers ask for an end wait until the process deals with them (become_worker does),
  /// so that one sent to a whole job cannot end it before. Otherwise every signal is as by default.
  bool shielded = false;
};

/// A process in a group of its own, with a socket as descriptor 3, standard input from the null device, and standard
/// output and error into a pipe that is drained while the socket is waited for. Has no other descriptor of this
/// process, and blocks no signal unless it is shielded. This process becomes the one that inherits orphans, so that the
/// end of a whole group can be awaited.
class ChildProcess {
 public:
  /// Throws PlatformError, also when the program cannot be executed.
  explicit ChildProcess(const Launch& launch);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  /// Kills the whole group if it still lives, and reaps.
  ~ChildProcess();

  LineSocket& socket() { return socket_; }
  /// Waits until the process has ended by itself, but no longer than `patience`; true when it has.
  bool wait(Nanoseconds patience);
  int pid() const { return pid_; }
  /// SIGTERM to the process group.
  void ask_to_end() const;
  /// Sends a signal to the process alone, unless it has ended.
  void send(int signal_number) noexcept;
  /// SIGKILL to the process group, then reaps the leader and everything that was left in the group; returns how the
  /// leader ended. Waits at most two seconds: what the kernel does not let die is given up. Idempotent.
  std::string kill_group();
  /// After kill_group(): whether the leader exited with 0, or what signal killed it (0: none).
  bool succeeded() const { return wait_status_ == 0; }
  int killed_by() const;
  /// True when something of the group outlived kill_group().
  bool unkillable() const { return unkillable_; }
  /// The end of what the process wrote to standard output and error, drained without blocking.
  std::string output();
  /// True once every process that could write to standard output or error is gone. False after kill_group() means that
  /// a process has left the group.
  bool output_closed();

 private:
  int pid_ = -1;
  std::unique_ptr<OutputTail> output_;
  LineSocket socket_;
  std::string ending_;
  std::optional<int> wait_status_;  ///< nothing while it lives, and where it could not be killed
  bool unkillable_ = false;
};

/// Runs a command of the shell to its end. What it leaves in its process group is ended with it; what is to stay has to
/// leave the group (setsid). Empty when it exited with 0, else how it ended and the end of its error output. Throws
/// PlatformError when the shell cannot be started.
std::string run_shell(const std::string& command, Nanoseconds deadline);

/// What a worker is held to.
struct WorkerLimits {
  std::optional<std::uint64_t> memory;  ///< bytes of address space; what more is asked for is refused
  bool keep_cores = false;              ///< a crash may leave a core file, where the limits of the user let it
};
/// In the worker, first thing: die with the parent (checked against a parent already gone), no core files,
/// out-of-memory score up, terminal and scheduler signals ignored (those that waited are dropped), and then its limits.
void become_worker(const WorkerLimits& limits = {});
/// For a process whose end should not leave this one behind: dies when its parent does, checked against one that is
/// gone already.
void die_with_parent();
/// Number of threads of a process, from procfs; 0 when it cannot be read.
int thread_count(int pid);
/// Ids of the live child processes of a process, from procfs.
std::vector<int> children_of(int pid);

}  // namespace assay
