// SPDX-License-Identifier: Apache-2.0
// Creation of a file that has no name any more.
#include "memory/cached_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "api/measurement.hpp"
#include "file/temporary.hpp"
#include "memory/words.hpp"

namespace assay {
namespace {

void write_words(int descriptor, std::size_t bytes) {
  constexpr std::size_t words_at_once = 16384;
  std::vector<MemoryWord> block(words_at_once);
  for (std::size_t first = 0, all = bytes / sizeof(MemoryWord); first < all;) {
    const std::size_t count = std::min(words_at_once, all - first);
    for (std::size_t i = 0; i < count; ++i) block[i] = words::pattern(first + i);
    const auto written = ::write(descriptor, block.data(), count * sizeof(MemoryWord));
    if (written <= 0 || static_cast<std::size_t>(written) % sizeof(MemoryWord) != 0)
      throw Unsupported("a file of " + std::to_string(bytes) + " bytes cannot be written in " + temporary_folder() +
                        ": " + std::strerror(errno) + "; choose a smaller size, or set TMPDIR to a folder with room");
    first += static_cast<std::size_t>(written) / sizeof(MemoryWord);
  }
}

}  // namespace

CachedFile::CachedFile(std::size_t bytes)
    : bytes_(bytes),
      descriptor_("a temporary file",
                  new_nameless_file(temporary_folder(), "set TMPDIR to a folder that can be written to")),
      path_("/proc/self/fd/" + std::to_string(descriptor_.number())) {
  write_words(number(), bytes);
  // Written back now, so that the kernel does not do so while it is read; a file system that cannot has none to do.
  ::fsync(number());
}

}  // namespace assay
