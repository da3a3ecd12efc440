// SPDX-License-Identifier: Apache-2.0
// Room: files, durable and atomic; terminals and shared objects.
// A file that only grows, whole records at a time; texts written whole, and entries of new files that survive a power
// loss.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace assay {

/// The few calls that a growing file needs, with the system's error numbers: a disk, or a test's idea of one.
class GrowingFile {
 public:
  virtual ~GrowingFile() = default;
  /// What one write did: bytes taken, or the error number that kept it from taking any.
  struct Written {
    std::size_t bytes = 0;
    int error = 0;
  };
  /// One write at the file's end, which may take less than the whole text.
  virtual Written write(std::string_view text) = 0;
  /// Forces everything written to the disk; 0 or an error number.
  virtual int sync() = 0;
  /// Cuts the file; 0 or an error number.
  virtual int truncate(std::int64_t size) = 0;
  /// True while the name that it was opened by still leads to it.
  virtual bool is_in_place() = 0;
};

/// What became of the attempt to be a file's only writer.
enum class FileLock : unsigned char {
  held,        ///< no other process has it
  busy,        ///< another process has it
  unsupported  ///< not reported by this file system
};
/// Called with the outcome before anything in the file is changed; refuses by an exception.
using LockCheck = std::function<void(FileLock)>;
/// Refuses what is busy: throws ResultError.
void refuse_busy(FileLock lock);

/// An append-only file with one writer (an exclusive lock is held while it is open).
class AppendFile {
 public:
  /// Creates a new file; throws ResultError when it exists and StorageError when it cannot be created.
  static AppendFile create(const std::string& path, const LockCheck& check = refuse_busy);
  /// Opens an existing file for appending after `good_size` bytes; the `torn` bytes that follow are cut off. Throws
  /// ResultError when another process holds it or has written to it since it was read, StorageError otherwise.
  static AppendFile reopen(const std::string& path, std::int64_t good_size, std::int64_t torn = 0,
                           const LockCheck& check = refuse_busy);
  /// Appends to `file`, which has `size` bytes; `path` stands in messages.
  AppendFile(std::string path, std::unique_ptr<GrowingFile> file, std::int64_t size);

  /// One write of the whole text; continued after a short write; on an error the file is cut back to its last whole
  /// record and StorageError is thrown. Later calls may succeed, unless the cut failed too.
  void append(std::string_view record);
  /// Forces what was appended to the disk, and makes sure that its name still leads to it. The first failure is final:
  /// throws StorageError and so does every later call.
  void sync();
  std::int64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<GrowingFile> file_;
  std::int64_t size_;
  bool broken_ = false;
};

/// Creates a directory with mode 0700 and syncs its parent. Throws ResultError when the path exists, StorageError
/// otherwise.
void create_private_directory(const std::string& path);
/// The same, content with a directory that is there already and no link. Throws StorageError.
void ensure_private_directory(const std::string& path);
/// Throws PlatformError unless the path is a directory and no link.
void require_directory(const std::string& path);
/// Reads a whole file of at most `limit` bytes. Throws PlatformError naming the reason (missing, directory, too large).
std::string read_file(const std::string& path, std::size_t limit);
/// The same for a regular file that is no link.
std::string read_plain_file(const std::string& path, std::size_t limit);
/// Writes a file by way of a temporary name in the same directory and a rename; devices and pipes are written to
/// directly. Throws StorageError.
void write_file(const std::string& path, std::string_view content);

/// A file read from its beginning to its end, piece by piece.
class FileReader {
 public:
  /// Throws PlatformError.
  explicit FileReader(const std::string& path);
  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;
  ~FileReader();
  /// Reads up to `room` bytes to `to`; returns how many, 0 at the file's end. Throws PlatformError.
  std::size_t read(char* to, std::size_t room);

 private:
  std::string path_;
  int descriptor_;
};

/// Makes a limit on the size of files an error of the write that meets it, not the end of the process.
void ignore_size_signal() noexcept;
/// Writes the whole text, continued after short and interrupted writes. 0, or the error number that ended it.
int write_all(int descriptor, std::string_view text);
/// The directory that holds `path`; "." where the path names none.
std::string parent_directory(const std::string& path);
/// Forces a directory's entries to the disk. File systems that cannot do so, and directories that cannot be opened for
/// reading, are passed over. Throws StorageError when the disk fails.
void sync_directory(const std::string& directory);

}  // namespace assay
