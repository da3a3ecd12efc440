// SPDX-License-Identifier: Apache-2.0
// A private folder for the files of a command, gone when its owner is.
#pragma once
#include <string>

namespace assay {

/// A folder of its own in the system's folder for temporary files ($TMPDIR, else /tmp), removed with all that is in it.
/// Those whose owners were killed before they could are removed by the process that makes one next: the owner holds a
/// lock.
class ScratchFolder {
 public:
  /// Throws Unsupported where no folder can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace assay
