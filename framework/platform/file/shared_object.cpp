// SPDX-License-Identifier: Apache-2.0
// The ELF header, the tables it points to and the notes in them, read as untrusted bytes.
#include "platform/file/shared_object.hpp"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/escape.hpp"
#include "platform/file/append_file.hpp"
#include "text/sha256.hpp"

// The header of the running image, defined by the linker: what plugins have to be like.
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

namespace assay {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Note = ElfW(Nhdr);

/// The part of `length` bytes from `offset` on; nothing when it is not all there.
std::optional<std::string_view> part(std::string_view content, std::uint64_t offset, std::uint64_t length) {
  if (offset > content.size() || length > content.size() - offset) return std::nullopt;
  return content.substr(offset, length);
}

/// An object of type T at `offset`, wherever that is; nothing when it is not all there.
template <class T>
std::optional<T> read(std::string_view content, std::uint64_t offset) {
  const auto bytes = part(content, offset, sizeof(T));
  if (!bytes) return std::nullopt;
  T value;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

std::string identity_problem(std::string_view content) {
  if (content.size() < EI_NIDENT || !content.starts_with(std::string_view(ELFMAG, SELFMAG)))
    return "it is not an ELF file";
  const auto byte = [&](int index) { return static_cast<unsigned char>(content[static_cast<std::size_t>(index)]); };
  if (byte(EI_CLASS) != __ehdr_start.e_ident[EI_CLASS])
    return std::string("it is of class ") + (byte(EI_CLASS) == ELFCLASS32 ? "ELF32" : "another") +
           ", this program is of class " + (__ehdr_start.e_ident[EI_CLASS] == ELFCLASS32 ? "ELF32" : "ELF64");
  if (byte(EI_DATA) != __ehdr_start.e_ident[EI_DATA]) return "it has another byte order than this program";
  return {};
}

/// Where the tables and segments end at the latest is past the end of the content.
bool is_truncated(std::string_view content, const Header& header) {
  const auto table = [&](std::uint64_t offset, unsigned count, unsigned size) {
    return part(content, offset, std::uint64_t{count} * size).has_value();
  };
  if (!table(header.e_phoff, header.e_phnum, header.e_phentsize)) return true;
  if (!table(header.e_shoff, header.e_shnum, header.e_shentsize)) return true;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = read<Segment>(content, header.e_phoff + std::uint64_t{i} * header.e_phentsize);
    if (!segment || !part(content, segment->p_offset, segment->p_filesz)) return true;
  }
  return false;
}

std::uint64_t aligned(std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; }

std::string build_id_in(std::string_view notes) {
  while (const auto note = read<Note>(notes, 0)) {
    const std::uint64_t name_end = sizeof(Note) + aligned(note->n_namesz);
    const auto name = part(notes, sizeof(Note), note->n_namesz);
    const auto bytes = part(notes, name_end, note->n_descsz);
    if (!name || !bytes) break;
    if (note->n_type == NT_GNU_BUILD_ID && *name == std::string_view("GNU\0", 4)) return hex_of(*bytes);
    notes.remove_prefix(std::min<std::uint64_t>(notes.size(), name_end + aligned(note->n_descsz)));
  }
  return {};
}

Problem refused(std::string why, std::string remedy) { return {{}, {}, std::move(why), std::move(remedy), true}; }

/// Whether others may write; the user's own group and root's are not others.
std::string who_may_change(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid())
    return "is owned by user " + std::to_string(status.st_uid) + ", who is neither root nor you";
  if ((status.st_mode & S_IWOTH) != 0) return "can be written by everybody";
  const bool own_group = status.st_gid == 0 || status.st_gid == ::getegid();
  if ((status.st_mode & S_IWGRP) != 0 && !own_group) return "can be written by group " + std::to_string(status.st_gid);
  return {};
}

std::string exposure_at(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  const std::string how = who_may_change(status);
  return how.empty() ? how : path.string() + " " + how;
}

std::string processor_problem(const Header& header) {
  if (header.e_machine == __ehdr_start.e_machine) return {};
  return "it is for another processor (ELF machine " + std::to_string(header.e_machine) + ", this one is " +
         std::to_string(__ehdr_start.e_machine) + ")";
}

}  // namespace

std::string elf_problem(std::string_view content) {
  if (std::string problem = identity_problem(content); !problem.empty()) return problem;
  const auto header = read<Header>(content, 0);
  if (!header) return "it is truncated: its header is not all there";
  if (std::string problem = processor_problem(*header); !problem.empty()) return problem;
  if (header->e_type != ET_DYN) return "it is an ELF file, but not a shared object";
  if (is_truncated(content, *header))
    return "it is truncated: its tables or segments go beyond its " + std::to_string(content.size()) + " bytes";
  return {};
}

std::string foreign_machine(std::string_view content) {
  if (!content.starts_with(std::string_view(ELFMAG, SELFMAG))) return {};
  if (std::string problem = identity_problem(content); !problem.empty()) return problem;
  const auto header = read<Header>(content, 0);
  return header ? processor_problem(*header) : "it is truncated: its header is not all there";
}

std::string elf_build_id(std::string_view content) {
  if (!elf_problem(content).empty()) return {};
  const auto header = *read<Header>(content, 0);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = *read<Segment>(content, header.e_phoff + std::uint64_t{i} * header.e_phentsize);
    if (segment.p_type != PT_NOTE) continue;
    if (std::string id = build_id_in(*part(content, segment.p_offset, segment.p_filesz)); !id.empty()) return id;
  }
  return {};
}

std::string build_of(std::string_view content) {
  const std::string id = elf_build_id(content);
  return id.empty() ? digest_of(content) : id;
}

std::string file_build(const std::string& path) { return build_of(read_file(path, largest_object)); }

std::optional<Problem> object_problem(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return refused(std::system_category().message(errno), "check the path");
  if (S_ISDIR(status.st_mode)) return refused("it is a directory", "write the path of a shared object");
  if (!S_ISREG(status.st_mode)) return refused("it is not a regular file", "write the path of a shared object");
  const std::string exposure = ::geteuid() == 0 ? exposure_of(path) : std::string();
  if (!exposure.empty())
    return refused("others could have changed it: " + exposure, "copy it to a folder of root's, or do not run as root");
  try {
    const std::string why = elf_problem(read_file(path, largest_object));
    if (why.empty()) return std::nullopt;
    return refused(why, "build it again for this machine");
  } catch (const PlatformError& error) {
    return refused(error.what(), "make it readable");
  }
}

std::string exposure_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path written = std::filesystem::absolute(path, error).lexically_normal();
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return {};
  for (const auto& place : {real, real.parent_path(), written.parent_path()})
    if (std::string exposure = exposure_at(place); !exposure.empty()) return exposure;
  return {};
}

}  // namespace assay
