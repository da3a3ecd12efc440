// SPDX-License-Identifier: Apache-2.0
// A process, its own end, and giving up root's rights for those of a user.
#include "platform/process/self.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"

namespace assay {
namespace {

/// True when the kernel says of another process that it is on its way out or gone, though perhaps not awaited. Its
/// descriptors are closed before the signal of its death comes, so that who talks to it learns of it by a failure.
bool is_ending(int pid) noexcept {
  std::array<char, 32> path{"/proc/"};
  *std::to_chars(path.data() + 6, path.data() + 20, pid).ptr = '\0';
  const std::string_view folder(path.data());
  constexpr std::string_view file = "/stat";
  file.copy(path.data() + folder.size(), file.size());
  const int stat = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (stat < 0) return false;
  std::array<char, 512> text;
  const auto size = ::read(stat, text.data(), text.size());
  close(stat);
  std::string_view rest(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  rest.remove_prefix(std::min(rest.rfind(')'), rest.size()));
  for (int field = 2; field < 9 && !rest.empty(); ++field)
    rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
  unsigned flags = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), flags);
  constexpr unsigned exiting = 0x4;  // PF_EXITING of the kernel
  return (flags & exiting) != 0;
}

}  // namespace

int own_pid() noexcept { return static_cast<int>(getpid()); }

void end_with_last_word(int socket, std::string_view line, int leader) noexcept {
  // What fails since the leader dies is no reason: how the leader ends is.
  if (leader != getpid() && is_ending(leader)) _exit(1);
  // A lost word is better than a process that waits here forever: its end alone is enough for the supervisor.
  [[maybe_unused]] const auto sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (leader != getpid()) kill(leader, SIGKILL);
  _exit(1);
}

void end_sending(int socket) noexcept { shutdown(socket, SHUT_WR); }

void close_on_exec(int descriptor) noexcept { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

namespace {

constexpr const char* variable = "ASSAY_DROP_TO";

struct Account {
  uid_t user = 0;
  gid_t group = 0;
};

std::optional<Account> account_of(const std::string& user) {
  // One thread, and what is pointed to is copied at once.
  const passwd* entry = ::getpwnam(user.c_str());
  if (entry == nullptr) return std::nullopt;
  return Account{entry->pw_uid, entry->pw_gid};
}

/// What forbids workers of that user; nothing when nothing does.
std::optional<std::string> objection(const std::string& user) {
  const auto account = account_of(user);
  if (!account) return "there is no such user";
  if (account->user == 0 || account->group == 0) return "that user has root's rights";
  return is_root() ? std::nullopt : std::optional<std::string>("only root can give rights up for another user's");
}

void become(const Account& account) {
  // Groups first: without root's user id they cannot be changed.
  if (::setgroups(0, nullptr) != 0) throw PlatformError("setgroups", errno);
  if (::setresgid(account.group, account.group, account.group) != 0) throw PlatformError("setresgid", errno);
  if (::setresuid(account.user, account.user, account.user) != 0) throw PlatformError("setresuid", errno);
  if (::setuid(0) == 0) throw PlatformError("root's rights could be taken back", 0);
  // The change of user hid this process's own files in /proc, by which it watches itself.
  ::prctl(PR_SET_DUMPABLE, 1);
}

}  // namespace

bool is_root() noexcept { return ::geteuid() == 0; }

std::optional<std::string> drop_in_workers(const std::string& user) {
  if (auto why = objection(user)) return why;
  if (::setenv(variable, user.c_str(), 1) != 0) throw PlatformError("setenv", errno);
  return std::nullopt;
}

bool drops_privileges() noexcept {
  const char* user = std::getenv(variable);
  return user != nullptr && *user != '\0';
}

void drop_privileges() {
  if (!drops_privileges()) return;
  const char* user = std::getenv(variable);
  if (const auto why = objection(user)) throw PlatformError("dropping to user '" + std::string(user) + "': " + *why, 0);
  become(*account_of(user));
}

}  // namespace assay
