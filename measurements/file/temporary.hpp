// SPDX-License-Identifier: Apache-2.0
// Folders and files for as long as they are measured, of which nothing is left behind.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"
#include "process/child.hpp"

namespace assay {

/// The system's folder for temporary files: TMPDIR, else /tmp.
std::string temporary_folder();

/// A descriptor of a new, empty file without a name, of which nothing is left behind however this process ends. Throws
/// Unsupported where none can be made, with the advice.
int new_nameless_file(const std::string& directory, const std::string& advice);

/// Where files are put: a path, or `temporary` for temporary_folder().
Factor directory_factor();

/// The path that a level of that factor means. Throws Unsupported where there is no such folder.
std::string directory_of(const Setup& setup);

/// A new folder in another one, removed with its files by the destructor; or, where this process is killed, by a small
/// program that sleeps until then.
class TemporaryFolder {
 public:
  /// Throws Unsupported where none can be made.
  explicit TemporaryFolder(const std::string& parent);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_->number(); }
  /// The kernel's number of the type of the file system.
  std::int64_t file_system() const;
  /// Asks the file system to put the folders in this one far from each other, as those of unrelated users (ext4's flag
  /// for the top of directory hierarchies); one that has no such flag keeps its own way.
  void spread() const;
  /// A name for a folder in it that no other folder in it has had, nor one in another.
  std::string next_name();

 private:
  std::int64_t names_ = 0;
  std::string path_;
  std::optional<OwnedDescriptor> descriptor_;
  std::optional<Child> cleaner_;
};

/// A new folder in a temporary one, removed by the destructor if it is empty, else with the other.
class InnerFolder {
 public:
  /// Throws Unsupported where none can be made.
  explicit InnerFolder(TemporaryFolder& in);
  InnerFolder(const InnerFolder&) = delete;
  InnerFolder& operator=(const InnerFolder&) = delete;
  ~InnerFolder();
  int descriptor() const { return descriptor_->number(); }

 private:
  const TemporaryFolder& in_;
  std::string name_;
  std::optional<OwnedDescriptor> descriptor_;
};

/// How many bytes the writes have by which a file is made: file systems may keep what is written at once as one piece
/// in the page cache, and a fault then maps more of it. The standard is a page.
Factor piece_factor();

/// A file without a name, of so many bytes, all of them written: its pages are in the page cache.
class NamelessFile {
 public:
  /// Throws Unsupported where it cannot be made or does not fit, and for a piece of nothing.
  explicit NamelessFile(const std::string& directory, std::size_t bytes = 0, std::size_t piece = 4096);
  int descriptor() const { return file_.number(); }

 private:
  OwnedDescriptor file_;
};

}  // namespace assay
