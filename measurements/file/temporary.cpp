// SPDX-License-Identifier: Apache-2.0
// Making and removing temporary folders and files.
#include "file/temporary.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace assay {
namespace {

std::string template_in(const std::string& parent) { return parent + "/assay-XXXXXX"; }

std::string reason() { return std::generic_category().message(errno); }

constexpr const char* elsewhere = "choose another directory";

}  // namespace

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): the environment is not changed
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

int new_nameless_file(const std::string& directory, const std::string& advice) {
  std::string name = template_in(directory);
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) throw Unsupported("no file can be made in " + directory + ": " + reason() + "; " + advice);
  ::unlink(name.c_str());
  return file;
}

Factor directory_factor() {
  return {.name = "directory",
          .standard = std::string("temporary"),
          .summary = "where: a path, /dev/shm for memory; temporary: TMPDIR, else /tmp"};
}

std::string directory_of(const Setup& setup) {
  std::string path = setup.word("directory");
  if (path == "temporary") path = temporary_folder();
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return std::filesystem::absolute(path);
  throw Unsupported("there is no folder " + path + "; " + elsewhere);
}

TemporaryFolder::TemporaryFolder(const std::string& parent) : path_(template_in(parent)) {
  if (::mkdtemp(path_.data()) == nullptr)
    throw Unsupported("no folder can be made in " + parent + ": " + reason() + "; " + elsewhere);
  try {
    cleaner_.emplace(std::vector<std::string>{"clean", path_}, ChildSession::own);
    descriptor_.emplace("opening a folder", ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  } catch (...) {
    ::rmdir(path_.c_str());
    throw;
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::int64_t TemporaryFolder::file_system() const {
  struct statfs facts {};
  if (::fstatfs(descriptor(), &facts) != 0) fail("asking for the type of a file system");
  return static_cast<std::int64_t>(facts.f_type);
}

void TemporaryFolder::spread() const {
  int flags = 0;
  if (::ioctl(descriptor(), FS_IOC_GETFLAGS, &flags) != 0) return;
  flags |= FS_TOPDIR_FL;
  ::ioctl(descriptor(), FS_IOC_SETFLAGS, &flags);
}

// File systems choose the place by the name, so that names of other folders may not come again.
std::string TemporaryFolder::next_name() { return path_.substr(path_.rfind('-') + 1) + "-" + std::to_string(names_++); }

InnerFolder::InnerFolder(TemporaryFolder& in) : in_(in), name_(in.next_name()) {
  if (::mkdirat(in.descriptor(), name_.c_str(), S_IRWXU) != 0)
    throw Unsupported("no folder can be made in " + in.path() + ": " + reason() + "; " + elsewhere);
  descriptor_.emplace("opening a folder", ::openat(in.descriptor(), name_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

InnerFolder::~InnerFolder() { ::unlinkat(in_.descriptor(), name_.c_str(), AT_REMOVEDIR); }

Factor piece_factor() {
  return {.name = "piece",
          .kind = FactorKind::quantitative,
          .unit = Unit::bytes,
          .standard = std::int64_t{4096},
          .summary = "of each write by which the file was made: a file system may keep it as one page of that size"};
}

NamelessFile::NamelessFile(const std::string& directory, std::size_t bytes, std::size_t piece)
    : file_("making a file", new_nameless_file(directory, elsewhere)) {
  if (piece < 1) throw Unsupported("a file cannot be written in empty pieces; use piece = 1 or more");
  const std::vector<char> content(std::min(piece, bytes));
  for (std::size_t written = 0; written < bytes;) {
    const auto now = ::write(descriptor(), content.data(), std::min(content.size(), bytes - written));
    if (now <= 0)
      throw Unsupported("a file of " + std::to_string(bytes) + " bytes does not fit into " + directory + ": " +
                        reason() + "; choose fewer bytes or another directory");
    written += static_cast<std::size_t>(now);
  }
}

}  // namespace assay
