// SPDX-License-Identifier: Apache-2.0
// Warm-up: the visits at the start, of the sample or of each of its incarnations, that are slower than the rest.
#pragma once
#include "stats/sample/sample.hpp"

namespace assay {

/// A sample without its warm-up, and the number of visits that were left out.
struct Trimmed {
  Sample sample;
  int dropped = 0;
};

/// Leaves out the visits at the start that are slower than the rest. Candidates are the first 1, 2, 3, 4, 6, 9, ...
/// visits of the sample, up to a third of them, and the first 1, 2, 3, 4, 6, ... visits of each of several
/// incarnations, up to half of all visits. Each is judged by the share of its values below the median: the candidate
/// that lacks most, and more than 4 standard errors, is left out. Where warm-up has been found, what remains is
/// searched again, for more than 2 standard errors and until half of all visits are gone: warm-up fades. One-sided:
/// only what is slower is warm-up.
///
/// The standard error is that of visits which vary as they do within both parts, widened where neighbouring visits
/// resemble each other, and not below 0.7 of what independent values would show. A warm-up that lasts for more than
/// half of the visits of a process cannot be distinguished from its normal state. All values must be finite; the sample
/// not empty.
Trimmed without_warm_up(const Sample& sample);

}  // namespace assay
