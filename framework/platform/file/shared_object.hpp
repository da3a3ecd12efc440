// SPDX-License-Identifier: Apache-2.0
// A shared object before it is opened: what kind of file it is, whether it is whole, and who could have changed it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace assay {

/// Bytes of a shared object that are read at most.
inline constexpr std::size_t largest_object = std::size_t{1} << 30;

/// Why these bytes are no shared object that this program could open: no ELF file, another class, byte order or
/// processor, not a shared object, or cut off before the end of its tables and segments (opening such a file raises
/// SIGBUS). Empty when they may be one.
std::string elf_problem(std::string_view content);
/// Why these bytes are an ELF file that this machine could not run: another class, byte order or processor. Empty for
/// what is no ELF file, such as a script.
std::string foreign_machine(std::string_view content);
/// The build id that the linker wrote, in hexadecimal digits; empty where there is none.
std::string elf_build_id(std::string_view content);

/// What distinguishes a build: the build id, or the first 128 bits of the SHA-256 of what has none.
std::string build_of(std::string_view content);
/// The same of a file. Throws PlatformError.
std::string file_build(const std::string& path);

/// The same as elf_problem for a file, which is looked at and not opened by the dynamic linker: missing, not a regular
/// file, not readable, its content, and as root its exposure (below). Why and what to do, the environment's; nothing
/// when it can be tried.
std::optional<Problem> object_problem(const std::string& path);

/// Why others than the user and root can change what a path means: the file or a folder that holds it is theirs, or
/// they may write to it. Links are looked at on both ends. Empty when no other user can, or when nothing is there.
std::string exposure_of(const std::string& path);

}  // namespace assay
