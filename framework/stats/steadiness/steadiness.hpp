// SPDX-License-Identifier: Apache-2.0
// Room: whether a sample is of one steady process: drift, modes, outliers, shifts.
// Diagnostics from the order in time and the shape of a sample: warm-up, dependence, drift, shifts between sessions,
// modes.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "stats/sample/sample.hpp"
#include "stats/sample/summary.hpp"

namespace assay {

/// One of several modes of a sample.
struct Mode {
  double median = 0;
  double weight = 0;  ///< share of the observations
  Interval interval;  ///< rank interval of the mode's median
};

/// How steady a sample is.
struct Steadiness {
  int dropped = 0;             ///< visits at the start that are warm-up and left out of the estimate
  double effective = 0;        ///< sample size: independent observations that would estimate the median equally well
  double autocorrelation = 0;  ///< of neighbouring observations' indicators "below the median"
  std::string drift;           ///< what shows that the values change with time; empty when nothing does
  std::vector<Mode> modes;     ///< by value, two or more; empty when there is one
};

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
/// only what is slower is warm-up. Only visits that began within a second of the first of the sample, or of the
/// incarnation, are candidates where it is known when they did: what is slower for longer is a condition of the
/// machine, which the result is to contain.
///
/// The standard error is that of visits which vary as they do within both parts, widened where neighbouring visits
/// resemble each other, and not below 0.7 of what independent values would show. A warm-up that lasts for more than
/// half of the visits of a process cannot be distinguished from its normal state. All values must be finite; the sample
/// not empty.
Trimmed without_warm_up(const Sample& sample);

/// What shows that the values change with time, in words; empty when nothing does. The medians of the visits, less the
/// level of their incarnation, are fitted with a line in time. It must change by more than `tolerance` over the sample,
/// and its slope be significant at 0.1 % by Student's test, with a standard error that is widened for residuals which
/// depend on their neighbours as in an autoregressive law of first order; and the medians of the two halves must lie
/// more than half of `tolerance` apart. All values must be finite.
///
/// A change that comes and goes within the sample has no slope: the scales of the visit-based interval are there for
/// it.
std::string drift_of(const Sample& sample, double tolerance);

/// What shows that the sessions of incarnations differ, in words, by the one that lies furthest from the others; empty
/// when nothing does, or when there is one session only. The medians of each session's incarnations are held against
/// those of all others by Student's test with the spread within the sessions, pooled (Snedecor and Cochran, Statistical
/// Methods, section 6.8), at one per cent divided by the number of sessions (Bonferroni); the means have to lie more
/// than `tolerance` apart as well. Where no session has two incarnations there is no spread to hold a difference
/// against, and any beyond `tolerance` is reported. All values must be finite.
std::string shift_of(std::span<const IncarnationMedian> incarnations, double tolerance);

/// The two modes of a sample, or none. The logarithms of the values, of the 1 % to 95 % ranks, are split where the
/// variance between the parts is largest (Otsu, IEEE Transactions on Systems, Man and Cybernetics 9, 1979). Two modes
/// need at least 32 values, a distance of 3.5 pooled deviations (Ashman's D: Ashman, Bird and Zepf, Astronomical
/// Journal 108, 1994), 8 % of the values in the smaller, centres that differ by 3 % and by 3 clock steps, and a middle
/// third between them whose density is below 0.35 of that about either centre. Where a value is not positive the values
/// themselves are split.
///
/// A split that only separates processes is the spread between processes, and is none here. Each mode's interval is the
/// rank interval of independent values.
///
/// `sorted` are the sample's values, all of them finite; `half_step` is half the clock's step per event.
std::vector<Mode> modes_of(const Sample& sample, std::span<const double> sorted, double alpha, double half_step);

}  // namespace assay
