// SPDX-License-Identifier: Apache-2.0
// A file of known words without a name, in the page cache.
#pragma once
#include <cstddef>
#include <string>

#include "channel/descriptor.hpp"

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

}  // namespace assay
