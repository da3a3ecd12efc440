// SPDX-License-Identifier: Apache-2.0
// Whole files and directories: read within a limit, written by way of a rename, made private and durable.
#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/descriptor.hpp"

namespace assay {
namespace {

/// A name beside `path` that cannot be foreseen.
std::string temporary_name(const std::string& path) {
  std::uint64_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) throw StorageError("getentropy", errno);
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return path + "." + std::string(digits.data(), end) + ".tmp";
}

Descriptor opened_for_writing(const std::string& path, int flags) {
  ignore_size_signal();
  Descriptor file(::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666));
  if (file.value() < 0) throw StorageError("opening '" + path + "'", errno);
  return file;
}

void write_content(const Descriptor& file, std::string_view content, const std::string& path) {
  if (const int error = write_all(file.value(), content); error != 0)
    throw StorageError("writing '" + path + "'", error);
}

void write_durably(const std::string& path, std::string_view content) {
  const Descriptor file = opened_for_writing(path, O_CREAT | O_EXCL);
  write_content(file, content, path);
  if (::fsync(file.value()) != 0) throw StorageError("syncing '" + path + "'", errno);
}

/// Devices and pipes are written to, never renamed over.
bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// A link of the system to an open file, as /dev/stdout is: what is renamed over it as root is gone for all programs.
/// Other links are replaced, since the user who made them chose what they lead to.
bool is_open_file(const std::string& path) {
  const std::filesystem::path name(path);
  std::error_code error;
  const bool is_of_the_system = name.parent_path() == "/dev" || path.starts_with("/proc/");
  return is_of_the_system && std::filesystem::is_symlink(name, error);
}

// What is to be created, and what stands in the way of it.
[[noreturn]] void refuse_creation(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR)
    throw StorageError("'" + path + "' cannot be created: there is no directory '" + parent_directory(path) +
                           "'; create it first (mkdir -p), or name a path in one that exists",
                       0);
  if (error == EACCES || error == EROFS || error == EPERM)
    throw StorageError("'" + path + "' cannot be created: no permission to write in '" + parent_directory(path) +
                           "'; name a path in a directory that you may write to",
                       0);
  throw StorageError("creating '" + path + "'", error);
}

void replace(const std::string& path, std::string_view content) {
  const std::string temporary = temporary_name(path);
  // Of a file beside it, whose name means nothing to the user.
  if (::access(parent_directory(path).c_str(), W_OK | X_OK) != 0) refuse_creation(path, errno);
  try {
    write_durably(temporary, content);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw StorageError("renaming to '" + path + "'", errno);
  } catch (const StorageError&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace

void ignore_size_signal() noexcept { ::signal(SIGXFSZ, SIG_IGN); }

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::string parent_directory(const std::string& path) {
  const std::size_t end = path.find_last_not_of('/');
  const std::size_t slash = path.find_last_of('/', end);
  if (end == std::string::npos || slash == std::string::npos) return end == std::string::npos ? "/" : ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void sync_directory(const std::string& directory) {
  const Descriptor handle(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.value() < 0 || ::fsync(handle.value()) == 0) return;
  if (errno == EIO || errno == ENOSPC || errno == EDQUOT) throw StorageError("syncing '" + directory + "'", errno);
}

void require_directory(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) throw PlatformError("opening '" + path + "'", errno);
  if (!S_ISDIR(status.st_mode)) throw PlatformError("'" + path + "' is not a directory", 0);
}

void ensure_private_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return sync_directory(parent_directory(path));
  if (errno != EEXIST) throw StorageError("creating '" + path + "'", errno);
  try {
    require_directory(path);
  } catch (const PlatformError& error) {
    throw StorageError(error.attempt(), error.error_number());
  }
}

void create_private_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0) {
    if (errno == EEXIST) throw ResultError("'" + path + "' exists already");
    refuse_creation(path, errno);
  }
  sync_directory(parent_directory(path));
}

FileReader::FileReader(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw PlatformError("opening '" + path + "'", errno);
}

FileReader::FileReader(FileReader&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileReader::~FileReader() { Descriptor closing(descriptor_); }

std::size_t FileReader::read(char* to, std::size_t room) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, to, room);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw PlatformError("reading '" + path_ + "'", errno);
  }
}

std::string read_file(const std::string& path, std::size_t limit) {
  FileReader file(path);
  std::string content;
  std::array<char, 65536> buffer;
  while (const std::size_t count = file.read(buffer.data(), buffer.size())) {
    content.append(buffer.data(), count);
    if (content.size() > limit)
      throw PlatformError("'" + path + "' has more than " + std::to_string(limit) + " bytes", EFBIG);
  }
  return content;
}

std::string read_plain_file(const std::string& path, std::size_t limit) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) throw PlatformError("opening '" + path + "'", errno);
  if (!S_ISREG(status.st_mode)) throw PlatformError("'" + path + "' is not a regular file", 0);
  return read_file(path, limit);
}

void write_file(const std::string& path, std::string_view content) {
  if (is_special(path)) return write_content(opened_for_writing(path, 0), content, path);
  if (is_open_file(path)) return write_content(opened_for_writing(path, O_APPEND), content, path);
  replace(path, content);
  sync_directory(parent_directory(path));
}

}  // namespace assay
