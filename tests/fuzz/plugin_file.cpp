// SPDX-License-Identifier: Apache-2.0
// Files that are offered as plugins: what is not refused is whole, and no shorter file of the same kind is.
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

#include "fuzz/fuzz.hpp"
#include "platform/file/shared_object.hpp"

namespace assay::fuzz {
namespace {

template <class T>
T object_at(std::string_view content, std::uint64_t offset) {
  promise(offset <= content.size() && sizeof(T) <= content.size() - offset, "tables lie within the file");
  T object;
  std::memcpy(&object, content.data() + offset, sizeof object);
  return object;
}

/// Where the last of the segments and tables ends.
std::uint64_t end_of(std::string_view content) {
  const auto header = object_at<ElfW(Ehdr)>(content, 0);
  std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize;
  end = std::max(end, header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        object_at<ElfW(Phdr)>(content, header.e_phoff + std::uint64_t{i} * std::uint64_t{header.e_phentsize});
    promise(segment.p_offset <= content.size() && segment.p_filesz <= content.size() - segment.p_offset,
            "segments lie within the file");
    end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::string_view content = fuzz::text_of(data, size);
  const std::string id = elf_build_id(content);
  fuzz::promise(id.size() % 2 == 0 && id.find_first_not_of("0123456789abcdef") == id.npos, "an id is in hexadecimal");
  if (!elf_problem(content).empty()) {
    fuzz::promise(id.empty(), "what is refused has no id");
    return 0;
  }
  const std::uint64_t end = fuzz::end_of(content);
  fuzz::promise(end <= size, "what is not refused is whole");
  if (end > 0) fuzz::promise(!elf_problem(content.substr(0, end - 1)).empty(), "what is cut is refused");
  return 0;
}
