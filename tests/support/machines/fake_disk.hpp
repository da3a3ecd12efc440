// SPDX-License-Identifier: Apache-2.0
// A disk in memory that can fail, take less than it is given, and lose what was not synced.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "base/rng.hpp"
#include "platform/file/append_file.hpp"

namespace assay::test {

/// What the disk holds, and when it fails.
struct FakeDisk {
  std::string written;  ///< as programs see it
  std::string synced;   ///< as a power loss leaves it at least
  int operations = 0;   ///< writes, syncs and cuts so far
  int fails_at = -1;    ///< the operation that fails, and with `stays_broken` all after it
  bool stays_broken = false;
  int error = 0;                ///< of that failure
  std::size_t takes = 1 << 20;  ///< bytes of one write
  bool in_place = true;
  std::function<void()> after = [] {};  ///< called after each operation

  bool fails() {
    const int number = operations++;
    return fails_at >= 0 && (number == fails_at || (stays_broken && number > fails_at));
  }
};

/// The file on it; the disk is borrowed.
class FakeFile final : public GrowingFile {
 public:
  explicit FakeFile(FakeDisk& disk) : disk_(disk) {}
  Written write(std::string_view text) override {
    if (disk_.fails()) return {0, disk_.error};
    const std::size_t taken = std::min(text.size(), disk_.takes);
    disk_.written += text.substr(0, taken);
    disk_.after();
    return {taken, 0};
  }
  int sync() override {
    if (disk_.fails()) return disk_.error;
    disk_.synced = disk_.written;
    disk_.after();
    return 0;
  }
  int truncate(std::int64_t size) override {
    if (disk_.fails()) return disk_.error;
    disk_.written.resize(static_cast<std::size_t>(size));
    return 0;
  }
  bool is_in_place() override { return disk_.in_place; }

 private:
  FakeDisk& disk_;
};

/// What may be found after a power loss: `size` bytes, with zeros in those sectors of what was not synced that
/// `is_lost` names.
inline std::string after_power_loss(const FakeDisk& disk, std::size_t size,
                                    const std::function<bool(std::size_t)>& is_lost) {
  constexpr std::size_t sector = 512;
  std::string image = disk.written.substr(0, size);
  for (std::size_t from = disk.synced.size(); from < size; from = (from / sector + 1) * sector) {
    const std::size_t to = std::min(size, (from / sector + 1) * sector);
    if (is_lost(from / sector)) image.replace(from, to - from, to - from, '\0');
  }
  return image;
}

}  // namespace assay::test
