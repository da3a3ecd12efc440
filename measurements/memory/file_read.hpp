// SPDX-License-Identifier: Apache-2.0
// Reading a file that is in the page cache, by calls or through a mapping, and summing what is in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "memory/words.hpp"

namespace assay {

/// A file in the folder for temporary files (`TMPDIR`, else /tmp), written once. Its name is gone before anything is
/// written, so that nothing is left behind however this process ends.
class CachedFile {
 public:
  /// `bytes` is a multiple of the size of a word. Throws Unsupported where there is no room for it or no such folder.
  explicit CachedFile(std::size_t bytes);

  int number() const { return descriptor_.number(); }
  std::size_t size() const { return bytes_; }
  /// A path that opens the file anew: the kernel's name of the descriptor.
  const std::string& path() const { return path_; }

 private:
  std::size_t bytes_;
  OwnedDescriptor descriptor_;
  std::string path_;
};

/// A file mapped to be read; all of it, while it lives.
class FileMapping {
 public:
  /// Throws Unsupported when there is no address space for it.
  FileMapping(int descriptor, std::size_t bytes);
  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;
  ~FileMapping();
  const MemoryWord* words() const { return words_; }

 private:
  const MemoryWord* words_;
  std::size_t bytes_;
};

/// Passes over a file, by one of four ways.
class FileRead final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0, bandwidth = 1, faults = 2;
  static constexpr std::size_t block = std::size_t{1} << 16U;
  /// Levels of factor `how`.
  static std::vector<std::string> ways() { return {"read", "open-read", "mmap", "open-mmap"}; }

  /// Throws Unsupported for a size that is no multiple of 512 bytes, or where no such file can be made.
  explicit FileRead(Setup& setup);
  /// Throws std::logic_error where the words read are not those of the file.
  Claims run(Member& member, Reps reps) override;

 private:
  struct Passes {
    Nanoseconds taken;
    std::int64_t faults;
  };
  Passes passes(const Member& member, Reps reps);
  MemoryWord read_all(int descriptor);
  MemoryWord read_again();
  MemoryWord read_opened();
  MemoryWord map_opened();
  MemoryWord sum_of(const FileMapping& mapping) const;

  std::string how_;
  CachedFile file_;
  std::vector<MemoryWord> buffer_;
  MemoryWord sum_ = 0;
  std::int64_t untimed_ = 0;  ///< passes before those in the clock, of this batch
  bool is_first_ = true;
};

}  // namespace assay
