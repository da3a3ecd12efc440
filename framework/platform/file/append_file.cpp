// SPDX-License-Identifier: Apache-2.0
// A file that only grows, whole records at a time, and the disk's side of it.
#include "platform/file/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "platform/file/descriptor.hpp"

namespace assay {
namespace {

class DiskFile final : public GrowingFile {
 public:
  DiskFile(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  Written write(std::string_view text) override {
    const ssize_t written = ::write(file_.value(), text.data(), text.size());
    if (written > 0) return {static_cast<std::size_t>(written), 0};
    return {0, written < 0 ? errno : EIO};
  }
  int sync() override { return ::fdatasync(file_.value()) == 0 ? 0 : errno; }
  int truncate(std::int64_t size) override { return ::ftruncate(file_.value(), size) == 0 ? 0 : errno; }
  bool is_in_place() override {
    struct stat opened {};
    struct stat named {};
    if (::fstat(file_.value(), &opened) != 0 || ::lstat(path_.c_str(), &named) != 0) return false;
    return opened.st_nlink > 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  }

 private:
  Descriptor file_;
  std::string path_;
};

Descriptor opened(const std::string& path, int flags) {
  ignore_size_signal();
  // Not blocking: a pipe in the file's place must not hang the open.
  Descriptor file(::open(path.c_str(), flags | O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600));
  if (file.value() >= 0) return file;
  if (errno == EEXIST) throw ResultError("'" + path + "' exists already");
  throw StorageError("opening '" + path + "'", errno);
}

FileLock lock(const Descriptor& file, const std::string& path) {
  if (::flock(file.value(), LOCK_EX | LOCK_NB) == 0) return FileLock::held;
  if (errno == EWOULDBLOCK) return FileLock::busy;
  if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return FileLock::unsupported;
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
  if (torn == 0) return;
  if (::ftruncate(file.value(), good_size) != 0) throw StorageError("cutting '" + path + "'", errno);
  if (::fsync(file.value()) != 0) throw StorageError("syncing '" + path + "'", errno);
}

}  // namespace

void refuse_busy(FileLock lock) {
  if (lock == FileLock::busy) throw ResultError("another process is writing the file");
}

AppendFile::AppendFile(std::string path, std::unique_ptr<GrowingFile> file, std::int64_t size)
    : path_(std::move(path)), file_(std::move(file)), size_(size) {}

AppendFile AppendFile::create(const std::string& path, const LockCheck& check) {
  Descriptor file = opened(path, O_CREAT | O_EXCL);
  check(lock(file, path));
  sync_directory(parent_directory(path));
  return {path, std::make_unique<DiskFile>(std::move(file), path), 0};
}

AppendFile AppendFile::reopen(const std::string& path, std::int64_t good_size, std::int64_t torn,
                              const LockCheck& check) {
  Descriptor file = opened(path, O_NOFOLLOW);
  check(lock(file, path));
  cut(file, path, good_size, torn);
  return {path, std::make_unique<DiskFile>(std::move(file), path), good_size};
}

void AppendFile::append(std::string_view record) {
  if (broken_) throw StorageError("an earlier failure left '" + path_ + "' in doubt", EIO);
  for (std::string_view rest = record; !rest.empty();) {
    const auto written = file_->write(rest);
    rest.remove_prefix(written.bytes);
    if (written.error == 0 || written.error == EINTR) continue;
    // Without the cut a torn record would stand between whole ones, and nothing more may follow it.
    broken_ = file_->truncate(size_) != 0;
    throw StorageError("writing '" + path_ + "'", written.error);
  }
  size_ += static_cast<std::int64_t>(record.size());
}

void AppendFile::sync() {
  if (broken_) throw StorageError("an earlier failure left '" + path_ + "' in doubt", EIO);
  // The kernel drops unwritten pages after it has reported them once: a second success would be false.
  broken_ = true;
  if (const int error = file_->sync(); error != 0) throw StorageError("syncing '" + path_ + "'", error);
  if (!file_->is_in_place())
    throw StorageError("'" + path_ + "' was removed, renamed or replaced while it was being written", 0);
  broken_ = false;
}

}  // namespace assay
