// SPDX-License-Identifier: Apache-2.0
// A directory that a test may fill, and a clock that it moves.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "base/clock.hpp"

namespace assay::test {

/// An empty directory of its own, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-record-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class HandClock final : public Clock {
 public:
  Instant now() const override { return now_; }
  void advance(Nanoseconds time) { now_ = now_ + time; }

 private:
  Instant now_;
};

}  // namespace assay::test
