// SPDX-License-Identifier: Apache-2.0
// Memory that another process of this machine maps by name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace assay {

/// Pages of zeros that lie in no folder: they are there as long as a process has them, and leave nothing behind. The
/// name says which process made them, how that calls them, and what they hold at their end, by which they are known; a
/// process maps them that may look into the other one's descriptors: one of the same user in the same container.
class SharedPages {
 public:
  /// Makes some. Throws PlatformError.
  SharedPages();
  /// Maps those that another process has under this name. Throws PlatformError, also for what is no name.
  explicit SharedPages(const std::string& name);
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  /// By which others map them while this process has them.
  std::string name() const;
  /// Room for so many bytes.
  static constexpr std::size_t size = std::size_t{5} * 4096 - sizeof(std::uint64_t);
  void* data() const { return base_; }

 private:
  std::uint64_t& mark() const;

  int descriptor_;
  std::byte* base_;
};

}  // namespace assay
