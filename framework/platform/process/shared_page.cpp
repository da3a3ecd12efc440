// SPDX-License-Identifier: Apache-2.0
// Anonymous files, opened through the other process's list of descriptors.
#include "platform/process/shared_page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "base/error.hpp"
#include "platform/file/descriptor.hpp"

namespace assay {
namespace {

int made() {
  const int descriptor = ::memfd_create("assay-shared-page", MFD_CLOEXEC);
  if (descriptor < 0) throw PlatformError("memfd_create", errno);
  Descriptor owned(descriptor);
  if (::ftruncate(descriptor, SharedPage::size) != 0) throw PlatformError("ftruncate of a shared page", errno);
  return owned.release();
}

// "PROCESS DESCRIPTOR", and nothing else: what comes from elsewhere is no path.
int opened(const std::string& name) {
  int process = 0;
  int number = 0;
  std::istringstream words(name);
  if (!(words >> process >> number) || !words.eof() || process <= 0 || number < 0)
    throw PlatformError("no name of a shared page", EINVAL);
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) throw PlatformError("opening the shared page of process " + std::to_string(process), errno);
  Descriptor owned(descriptor);
  struct stat about {};
  if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size != SharedPage::size)
    throw PlatformError("what process " + std::to_string(process) + " shares is no page", EINVAL);
  return owned.release();
}

void* mapped(int descriptor) {
  void* const base = ::mmap(nullptr, SharedPage::size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) {
    const int error = errno;
    ::close(descriptor);
    throw PlatformError("mmap of a shared page", error);
  }
  return base;
}

}  // namespace

SharedPage::SharedPage() : descriptor_(made()), base_(mapped(descriptor_)) {}

SharedPage::SharedPage(const std::string& name) : descriptor_(opened(name)), base_(mapped(descriptor_)) {}

SharedPage::~SharedPage() {
  ::munmap(base_, size);
  ::close(descriptor_);
}

std::string SharedPage::name() const { return std::to_string(::getpid()) + ' ' + std::to_string(descriptor_); }

}  // namespace assay
