// SPDX-License-Identifier: Apache-2.0
// A look at a sample: everything that the default rule, the headline and the result take from it, computed once.
#pragma once
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/sample.hpp"
#include "stats/sample/visit_interval.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {

/// What a look needs to know beside the sample.
struct Accuracy {
  double alpha = 0.05;   ///< 1 - confidence
  double eps = 0.02;     ///< relative half-width that matters
  double floor = 0;      ///< absolute half-width below which nothing matters
  double half_step = 0;  ///< half the clock's step per event
};

/// What a look finds. Everything but `steadiness.dropped` is about `kept`.
struct Look {
  Sample kept;  ///< the sample without its warm-up
  Steadiness steadiness;
  VisitInterval visits;
  Estimate headline;
};

/// Looks at a sample. For an empty sample, and for one that holds a value that is not finite, nothing is found: the
/// headline is NaN and the steadiness says nothing.
Look look_at(const Sample& sample, const Accuracy& accuracy);

}  // namespace assay
