// SPDX-License-Identifier: Apache-2.0
// What belongs to a whole process, so that changes meanwhile can be detected.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// As the kernel has it, in no words: it is read with every visit and compared, and reported only where it differs.
struct ProcessState {
  /// Which file a descriptor stands for; all 0 where it is closed.
  struct File {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    friend bool operator==(const File&, const File&) = default;
  };
  using Numbers = std::bitset<1024>;
  Numbers cpus;                   ///< that the calling thread may run on
  Numbers blocked;                ///< signals of the calling thread
  std::string working_directory;  ///< empty where it is not available
  std::string locale;
  std::vector<std::uint64_t> limits;  ///< the lower ones, by the kernel's numbers
  std::array<File, 4> files;          ///< of descriptors 0 to 3
};

/// The state now. Some twenty system calls; never fails as a whole.
ProcessState process_state();

/// "the working directory (was /a, is /b), the locale (...)"; empty when nothing differs. Both are from this program.
std::string changes_between(const ProcessState& before, const ProcessState& after);

}  // namespace assay
