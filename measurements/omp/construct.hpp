// SPDX-License-Identifier: Apache-2.0
// The OpenMP constructs that can be measured; answered by the one of two files that is in the build.
#pragma once
#include <cstdint>
#include <memory>

#include "api/measurement.hpp"

namespace assay {

/// What one event is: a construct met by all threads of a team, or by one of them where it lets only one pass.
enum class OmpConstruct : std::uint8_t {
  parallel,
  loop,
  barrier,
  single,
  critical,
  lock,
  ordered,
  atomic,
  reduction,
  task
};

/// The measurement of one construct. Throws Unsupported where the program was built without OpenMP, and for a point
/// that cannot be had.
std::unique_ptr<Measurement> make_omp(OmpConstruct construct, Setup& setup);

}  // namespace assay
