// SPDX-License-Identifier: Apache-2.0
// Writing whole texts, and making the entry of a new file or directory survive a power loss.
#pragma once
#include <string>
#include <string_view>

namespace assay {

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
