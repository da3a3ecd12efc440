// SPDX-License-Identifier: Apache-2.0
// A file that only grows, whole records at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

/// An append-only file with one writer (an exclusive lock is held while it is open).
class AppendFile {
 public:
  /// Creates a new file; throws ResultError when it exists and StorageError when it cannot be created.
  static AppendFile create(const std::string& path);
  /// Opens an existing file for appending after `good_size` bytes; the `torn` bytes that follow are cut off. Throws
  /// ResultError when another process holds it or has written to it since it was read, StorageError otherwise.
  static AppendFile reopen(const std::string& path, std::int64_t good_size, std::int64_t torn = 0);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  /// One write of the whole text; continued after a short write; on an error the file is cut back to its last whole
  /// record and StorageError is thrown. Later calls may succeed, unless the cut failed too.
  void append(std::string_view record);
  /// Forces what was appended to the disk. The first failure is final: throws StorageError and so does every later
  /// call.
  void sync();
  std::int64_t size() const { return size_; }

 private:
  AppendFile(std::string path, int descriptor, std::int64_t size);
  std::string path_;
  int descriptor_;
  std::int64_t size_;
  bool broken_ = false;
};

/// Creates a directory with mode 0700 and syncs its parent. Throws ResultError when the path exists, StorageError
/// otherwise.
void create_private_directory(const std::string& path);
/// Reads a whole file of at most `limit` bytes. Throws PlatformError naming the reason (missing, directory, too large).
std::string read_file(const std::string& path, std::size_t limit);
/// Writes a file by way of a temporary name in the same directory and a rename; devices and pipes are written to
/// directly. Throws StorageError.
void write_file(const std::string& path, std::string_view content);

}  // namespace assay
