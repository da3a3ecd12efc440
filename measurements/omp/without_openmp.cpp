// SPDX-License-Identifier: Apache-2.0
// The program without OpenMP.
#include "omp/construct.hpp"

namespace assay {

std::unique_ptr<Measurement> make_omp(OmpConstruct, Setup&) {
  throw Unsupported(
      "this program was built without OpenMP: configure it with -DASSAY_OPENMP=ON and a compiler that has it");
}

}  // namespace assay
