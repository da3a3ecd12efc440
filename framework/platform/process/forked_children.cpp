// SPDX-License-Identifier: Apache-2.0
// Fork, SIGCHLD and waitpid for children that die with their parent.
#include "platform/process/forked_children.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace assay {
namespace {

// The thread sanitizer holds a signal back until the program calls it again, which a restarted system call never does.
#if defined(__SANITIZE_THREAD__)
constexpr int restart = 0;
#else
constexpr int restart = SA_RESTART;
#endif

using Words = std::array<char, 40>;

// Where the text ends; cut to what fits with its terminator.
char* append(Words& words, char* at, const char* text) noexcept {
  const auto room = static_cast<std::size_t>(words.data() + words.size() - 1 - at);
  const std::size_t length = std::min(std::strlen(text), room);
  std::memcpy(at, text, length);
  return at + length;
}

// Usable in a signal handler: no allocation, no locale.
Words ending_in_words(int status) noexcept {
  const bool exited = WIFEXITED(status);
  const char* name = exited ? nullptr : sigabbrev_np(WTERMSIG(status));
  Words words{};
  char* end = append(words, words.data(), exited ? "exited " : name != nullptr ? "killed by SIG" : "killed by signal ");
  if (name != nullptr)
    append(words, end, name);
  else
    std::to_chars(end, words.data() + words.size() - 1, exited ? WEXITSTATUS(status) : WTERMSIG(status));
  return words;
}

void die_with(pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it was gone before the request took effect
}

sigset_t only(int signal) noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

// Returns whether SIGCHLD was blocked before.
bool set_child_signal(int how) noexcept {
  const sigset_t set = only(SIGCHLD);
  sigset_t before;
  pthread_sigmask(how, &set, &before);
  return sigismember(&before, SIGCHLD) == 1;
}

}  // namespace

SignalShield::SignalShield() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalShield::SignalShield(int signal) {
  const sigset_t set = only(signal);
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

SignalShield::~SignalShield() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

// A handler gets no context: what it needs can only be found from a static.
struct ForkedChildren::Chain {
  std::atomic<ForkedChildren*> newest{nullptr};
  std::atomic<pid_t> owner{0};  // the thread that uses them
  struct sigaction before {};
};

ForkedChildren::Chain& ForkedChildren::chain() noexcept {
  static Chain chain;
  return chain;
}

void ForkedChildren::handle(int) noexcept {
  const int saved = errno;
  if (const pid_t owner = chain().owner; owner != gettid())
    tgkill(getpid(), owner, SIGCHLD);  // the kernel may pick any thread that listens
  else
    for (ForkedChildren* children = chain().newest; children; children = children->older_) children->look(WNOHANG);
  errno = saved;
}

void ForkedChildren::look(int wait_flags) noexcept {
  for (std::size_t i = 0; i < pids_.size(); ++i) {
    const int pid = pids_[i];
    if (pid == 0) continue;
    int status = 0;
    int ended = 0;
    while ((ended = waitpid(pid, &status, wait_flags)) < 0 && errno == EINTR) {
    }
    if (ended == 0) continue;
    pids_[i] = 0;
    died_(i, ended == pid ? ending_in_words(status).data() : "ended, and another process has waited for it");
  }
}

ForkedChildren::ForkedChildren(std::function<void(std::size_t, const char*)> died) : died_(std::move(died)) {
  was_blocked_ = set_child_signal(SIG_BLOCK);
  enlist();
  set_child_signal(SIG_UNBLOCK);
}

void ForkedChildren::enlist() {
  older_ = chain().newest;
  if (!older_) {
    chain().owner = gettid();
    struct sigaction action {};
    action.sa_handler = &ForkedChildren::handle;
    action.sa_flags = restart | SA_NOCLDSTOP;
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, &chain().before);
  }
  chain().newest = this;
}

ForkedChildren::~ForkedChildren() {
  kill();
  wait();
  set_child_signal(SIG_BLOCK);
  resign();
  if (!was_blocked_) set_child_signal(SIG_UNBLOCK);
}

void ForkedChildren::resign() noexcept {
  ForkedChildren* newer = chain().newest;
  if (newer == this) {
    chain().newest = older_;
  } else {
    while (newer->older_ != this) newer = newer->older_;
    newer->older_ = older_;
  }
  if (!chain().newest) sigaction(SIGCHLD, &chain().before, nullptr);
}

void ForkedChildren::start(const std::function<int()>& life) {
  const pid_t parent = getpid();
  // Held back until the child is known by its index, so that its death cannot be missed.
  const SignalShield shield(SIGCHLD);
  const pid_t pid = fork();
  if (pid < 0) throw PlatformError("fork", errno);
  if (pid > 0) {
    pids_.emplace_back(pid);
    return;
  }
  die_with(parent);
  sigaction(SIGCHLD, &chain().before, nullptr);
  if (!was_blocked_) set_child_signal(SIG_UNBLOCK);
  _exit(life());
}

void ForkedChildren::kill() noexcept {
  const SignalShield shield(SIGCHLD);  // a process that is not reaped keeps its id
  for (const auto& pid : pids_)
    if (pid != 0) ::kill(pid, SIGKILL);
}

void ForkedChildren::wait() noexcept {
  const SignalShield shield(SIGCHLD);
  look(0);
}

}  // namespace assay
