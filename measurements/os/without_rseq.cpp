// SPDX-License-Identifier: Apache-2.0
// Where the program is compiled without restartable sequences.
#include "os/per_cpu_counter.hpp"

namespace assay {

std::unique_ptr<PerCpuCounter> make_per_cpu_counter() {
  throw Unsupported(
      "this program was compiled without restartable sequences: they need an x86-64 processor and glibc 2.35 or newer");
}

}  // namespace assay
