// SPDX-License-Identifier: Apache-2.0
// Giving up root's rights for those of a user.
#include "platform/process/privileges.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/error.hpp"

namespace assay {
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
