// SPDX-License-Identifier: Apache-2.0
// Starting the small program with nothing of this process's but one end of a connection.
#include "process/child.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "process/ways.hpp"

namespace assay {
namespace {

// From the folder of programs to that of programs for programs: as installed, and in the folder of a build.
constexpr std::array<const char*, 2> folders{ASSAY_LIBEXEC_FROM_BIN, "libexec/assay"};

std::string folder_of_program() {
  std::array<char, PATH_MAX> path{};
  const auto length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) fail("readlink of /proc/self/exe");
  const std::string program(path.data(), static_cast<std::size_t>(length));
  return program.substr(0, program.rfind('/') + 1);
}

/// How it is started: the default action of all signals, none blocked.
class Attributes {
 public:
  explicit Attributes(ChildSession session) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t set;
    sigemptyset(&set);
    ::posix_spawnattr_setsigmask(&attributes_, &set);
    sigfillset(&set);
    ::posix_spawnattr_setsigdefault(&attributes_, &set);
    const int own = session == ChildSession::own ? POSIX_SPAWN_SETSID : 0;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | own));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

pid_t start(std::vector<std::string>& words, int theirs, ChildSession session) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs, child_descriptor);
  const Attributes attributes(session);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, arguments[0], &actions, attributes.get(), arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return process;
  throw Unsupported("the system does not start " + words.front() + " (posix_spawn: " +
                    std::generic_category().message(error) + "); see the limits of processes (ulimit -u, pids.max)");
}

}  // namespace

std::string child_program() {
  const std::string base = folder_of_program();
  for (const char* folder : folders)
    if (std::string path = base + folder + "/assay-child"; ::access(path.c_str(), X_OK) == 0) return path;
  throw Unsupported("the program assay-child is not in " + base + folders.front() +
                    ": it makes the processes and removes files; install or build Assay as a whole");
}

Child::Child(std::vector<std::string> arguments, ChildSession session) {
  arguments.insert(arguments.begin(), child_program());
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("a pair of sockets");
  const OwnedDescriptor theirs("a pair of sockets", ends[1]);
  try {
    process_ = start(arguments, theirs.number(), session);
  } catch (...) {
    ::close(ends[0]);
    throw;
  }
  descriptor_ = ends[0];
}

Child::~Child() {
  ::close(descriptor_);
  int status;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
}

void Child::exchange(const void* order, std::size_t order_size, void* report, std::size_t report_size) {
  uninterrupted("asking assay-child", [&] { return ::send(descriptor_, order, order_size, MSG_NOSIGNAL); });
  const auto got = uninterrupted("hearing assay-child", [&] { return ::recv(descriptor_, report, report_size, 0); });
  if (static_cast<std::size_t>(got) != report_size) throw std::logic_error("assay-child ended before it answered");
}

}  // namespace assay
