// SPDX-License-Identifier: Apache-2.0
// Memory that another process of this machine maps by name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace assay {

/// A page of zeros that lies in no folder: it is there as long as a process has it, and leaves nothing behind. The
/// name says which process made it, how that calls it, and what it holds at its end, by which it is known; a process
/// maps it that may look into the other one's descriptors: one of the same user in the same container.
class SharedPage {
 public:
  /// Makes one. Throws PlatformError.
  SharedPage();
  /// Maps the one that another process has under this name. Throws PlatformError, also for what is no name.
  explicit SharedPage(const std::string& name);
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  /// By which others map it while this process has it.
  std::string name() const;
  /// Room for so many bytes.
  static constexpr std::size_t size = 4096 - sizeof(std::uint64_t);
  void* data() const { return base_; }

 private:
  std::uint64_t& mark() const;

  int descriptor_;
  std::byte* base_;
};

}  // namespace assay
