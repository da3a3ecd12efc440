// SPDX-License-Identifier: Apache-2.0
// A file that only grows, whole records at a time.
#include "platform/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "platform/descriptor.hpp"
#include "platform/durable.hpp"

namespace assay {
namespace {

Descriptor opened(const std::string& path, int flags) {
  // Not blocking: a pipe in the file's place must not hang the open.
  Descriptor file(::open(path.c_str(), flags | O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600));
  if (file.value() >= 0) return file;
  if (errno == EEXIST) throw ResultError("'" + path + "' exists already");
  throw StorageError("opening '" + path + "'", errno);
}

void lock(const Descriptor& file, const std::string& path) {
  if (::flock(file.value(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw ResultError("another process is writing '" + path + "'");
  throw StorageError("locking '" + path + "'", errno);
}

/// Bytes in a regular file.
std::int64_t size_of(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) throw StorageError("fstat of '" + path + "'", errno);
  if (!S_ISREG(status.st_mode)) throw StorageError("'" + path + "' is not a regular file", 0);
  return status.st_size;
}

void cut(const Descriptor& file, const std::string& path, std::int64_t good_size, std::int64_t torn) {
  const std::int64_t size = size_of(file, path);
  if (good_size < 0 || size < good_size)
    throw StorageError("'" + path + "' has " + std::to_string(size) + " bytes, not the " + std::to_string(good_size) +
                           " that are to be kept",
                       0);
  if (size != good_size + torn)
    throw ResultError("'" + path + "' was written by another process since it was read; nothing was changed");
  if (torn > 0 && ::ftruncate(file.value(), good_size) != 0) throw StorageError("cutting '" + path + "'", errno);
}

}  // namespace

AppendFile::AppendFile(std::string path, int descriptor, std::int64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      broken_(other.broken_) {}

AppendFile::~AppendFile() { Descriptor closing(descriptor_); }

AppendFile AppendFile::create(const std::string& path) {
  Descriptor file = opened(path, O_CREAT | O_EXCL);
  lock(file, path);
  sync_directory(parent_directory(path));
  return {path, file.release(), 0};
}

AppendFile AppendFile::reopen(const std::string& path, std::int64_t good_size, std::int64_t torn) {
  Descriptor file = opened(path, O_NOFOLLOW);
  lock(file, path);
  cut(file, path, good_size, torn);
  return {path, file.release(), good_size};
}

void AppendFile::append(std::string_view record) {
  if (broken_) throw StorageError("an earlier failure left '" + path_ + "' in doubt", EIO);
  const int error = write_all(descriptor_, record);
  if (error == 0) {
    size_ += static_cast<std::int64_t>(record.size());
    return;
  }
  // Without the cut a torn record would stand between whole ones, and nothing more may follow it.
  broken_ = ::ftruncate(descriptor_, size_) != 0;
  throw StorageError("writing '" + path_ + "'", error);
}

void AppendFile::sync() {
  if (broken_) throw StorageError("an earlier failure left '" + path_ + "' in doubt", EIO);
  if (::fdatasync(descriptor_) == 0) return;
  // The kernel forgets unwritten pages after it has told of them once: a second success would be a lie.
  broken_ = true;
  throw StorageError("syncing '" + path_ + "'", errno);
}

}  // namespace assay
