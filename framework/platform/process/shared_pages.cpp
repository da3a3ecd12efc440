// SPDX-License-Identifier: Apache-2.0
// Anonymous files, opened through the other process's list of descriptors.
#include "platform/process/shared_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "platform/file/descriptor.hpp"

namespace assay {
namespace {

constexpr const char* file_name = "assay-shared-pages";
constexpr std::size_t whole = SharedPages::size + sizeof(std::uint64_t);

int made() {
  const int descriptor = ::memfd_create(file_name, MFD_CLOEXEC);
  if (descriptor < 0) throw PlatformError("memfd_create", errno);
  Descriptor owned(descriptor);
  if (::ftruncate(descriptor, whole) != 0) throw PlatformError("ftruncate of shared pages", errno);
  return owned.release();
}

struct PageName {
  int process = 0;
  int descriptor = 0;
  std::uint64_t mark = 0;
};

// Three numbers, and nothing else: what comes from elsewhere is no path.
PageName parsed(const std::string& name) {
  PageName found;
  std::istringstream words(name);
  if (!(words >> found.process >> found.descriptor >> found.mark) || !words.eof() || found.process <= 0 ||
      found.descriptor < 0)
    throw PlatformError("no name of shared pages", EINVAL);
  return found;
}

// In another container a process of that number is another one, whose files are not to be written to.
int opened(const PageName& name) {
  const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.descriptor);
  std::error_code error;
  const std::string target = std::filesystem::read_symlink(path, error).string();
  if (error) throw PlatformError("the shared pages of process " + std::to_string(name.process), error.value());
  if (!target.starts_with(std::string("/memfd:") + file_name))
    throw PlatformError("what process " + std::to_string(name.process) + " has open there are no shared pages", EINVAL);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) throw PlatformError("opening the shared pages of process " + std::to_string(name.process), errno);
  return descriptor;
}

std::byte* mapped(int descriptor) {
  void* const base = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) {
    const int error = errno;
    ::close(descriptor);
    throw PlatformError("mmap of shared pages", error);
  }
  return static_cast<std::byte*>(base);
}

}  // namespace

SharedPages::SharedPages() : descriptor_(made()), base_(mapped(descriptor_)) {
  std::random_device chance;
  mark() = std::uint64_t{chance()} << 32U | chance();
}

SharedPages::SharedPages(const std::string& name) : descriptor_(opened(parsed(name))), base_(mapped(descriptor_)) {
  if (mark() == parsed(name).mark) return;
  ::munmap(base_, whole);
  ::close(descriptor_);
  throw PlatformError("other shared pages have that name", EINVAL);
}

SharedPages::~SharedPages() {
  ::munmap(base_, whole);
  ::close(descriptor_);
}

std::uint64_t& SharedPages::mark() const { return *static_cast<std::uint64_t*>(static_cast<void*>(base_ + size)); }

std::string SharedPages::name() const {
  return std::to_string(::getpid()) + ' ' + std::to_string(descriptor_) + ' ' + std::to_string(mark());
}

}  // namespace assay
