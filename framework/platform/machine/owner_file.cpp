// SPDX-License-Identifier: Apache-2.0
// Who writes a directory's results: known by a lock where the file system has locks, by what is known of processes
// else.
#include "platform/machine/owner_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/escape.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/descriptor.hpp"
#include "platform/file/machine_files.hpp"
#include "platform/machine/identity.hpp"

namespace assay {
namespace {

constexpr std::size_t longest_file = 4096;

std::string link_target(const char* path) {
  std::array<char, 64> target{};
  const ssize_t size = ::readlink(path, target.data(), target.size());
  return size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : "unknown";
}

// The 22nd field of a process's state: a number that comes back with another start.
std::string start_of(int pid) {
  const std::string text = trimmed_file_or("/proc/" + std::to_string(pid) + "/stat", "unknown");
  auto at = text.rfind(')');
  for (int field = 2; field < 22 && at != text.npos; ++field) at = text.find(' ', at + 1);
  return at == text.npos ? "unknown" : text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

bool is_running(const Owner& owner) {
  if (::kill(owner.pid, 0) != 0 && errno == ESRCH) return false;
  return start_of(owner.pid) == owner.start;
}

enum class Finding : unsigned char { ended, running, unknown };

// What can be known of an earlier owner.
Finding judge(const Owner& owner, const Owner& self, FileLock lock) {
  if (owner.host != self.host) return Finding::unknown;
  if (owner.boot != self.boot) return Finding::ended;
  if (lock == FileLock::held) return Finding::ended;
  if (owner.space != self.space) return Finding::unknown;
  return is_running(owner) ? Finding::running : Finding::ended;
}

std::string described(const Owner& owner) {
  return "process " + std::to_string(owner.pid) + " on host " + excerpt(owner.host) + " since " + excerpt(owner.since);
}

std::optional<Owner> owner_in(const std::string& path) {
  try {
    return parse_owner(read_plain_file(path, longest_file));
  } catch (const PlatformError&) {
    return std::nullopt;
  }
}

// Creates the file with its text; false when it is there already.
bool create(const std::string& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.value() < 0 && errno == EEXIST) return false;
  if (file.value() < 0) throw StorageError("creating '" + path + "'", errno);
  int error = write_all(file.value(), text);
  if (error == 0 && ::fsync(file.value()) != 0) error = errno;
  if (error == 0) return true;
  ::unlink(path.c_str());
  throw StorageError("writing '" + path + "'", error);
}

[[noreturn]] void refuse(const std::string& directory, const std::optional<Owner>& owner) {
  throw ResultError("'" + directory + "' is being written by " +
                    (owner ? described(*owner) : std::string("another process")) +
                    "; wait until it has ended, or stop it");
}

// Refuses unless the owner has ended, or is declared to have; returns what to report.
std::string take_over(const std::string& directory, const Owner& self, FileLock lock, bool steal) {
  const auto owner = owner_in(directory + "/" + owner_name);
  const std::string who = owner ? described(*owner) : "a process that left no name";
  if (!owner && lock == FileLock::held) return "continued after " + who;
  const Finding finding = owner ? judge(*owner, self, lock) : Finding::unknown;
  if (finding == Finding::running) refuse(directory, owner);
  if (finding == Finding::ended) return "continued after " + who + ", which did not end in order";
  if (steal) return "taken from " + who + " by --steal-lock";
  throw ResultError("'" + directory + "' may still be written by " + who +
                    ", which cannot be checked from here; make sure that it has ended, then add --steal-lock");
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Owner this_process() {
  const int pid = ::getpid();
  return {host_name(),
          pid,
          trimmed_file_or("/proc/sys/kernel/random/boot_id", "unknown"),
          link_target("/proc/self/ns/pid"),
          start_of(pid),
          utc_now()};
}

std::string to_text(const Owner& owner) {
  return "host: " + owner.host + "\npid: " + std::to_string(owner.pid) + "\nboot: " + owner.boot +
         "\nspace: " + owner.space + "\nstart: " + owner.start + "\nsince: " + owner.since + "\n";
}

std::optional<Owner> parse_owner(std::string_view text) {
  Owner owner{labelled(text, "host"), 0, labelled(text, "boot"), labelled(text, "space"), labelled(text, "start"),
              labelled(text, "since")};
  const std::string pid = labelled(text, "pid");
  if (!read_number(pid, owner.pid) || owner.pid < 1) return std::nullopt;
  if (owner.host.empty() || owner.boot.empty() || owner.start.empty()) return std::nullopt;
  return owner;
}

OwnerFile::OwnerFile(const std::string& directory, FileLock lock, bool steal)
    : path_(directory + "/" + owner_name), self_(this_process()) {
  if (lock == FileLock::busy) refuse(directory, owner_in(path_));
  if (create(path_, to_text(self_))) return;
  notice_ = take_over(directory, self_, lock, steal);
  ::unlink(path_.c_str());
  if (!create(path_, to_text(self_))) refuse(directory, owner_in(path_));
}

OwnerFile::OwnerFile(OwnerFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), self_(std::move(other.self_)), notice_(std::move(other.notice_)) {}

OwnerFile::~OwnerFile() {
  // A forked copy of this process, and one whose file was taken over, leave it alone.
  if (!path_.empty() && self_.pid == ::getpid() && owner_in(path_) == self_) ::unlink(path_.c_str());
}

}  // namespace assay
