// SPDX-License-Identifier: Apache-2.0
// How many batches at the start of a visit are slower because other things ran before it, learned over many visits.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Learns from the times of the batches of a point's visits, in their order. What a visit finds after a pause (caches,
/// branch predictors, a partner that sleeps) wears off by a few per cent per batch, which one visit cannot show beside
/// its noise: each segment of positions is held against all later ones of its visit, over all visits. Segments become
/// longer (0, 1, 2, 3, 4 to 5, 6 to 8, 9 to 12, ...), since what is left of a start becomes less and takes more batches
/// to be seen, and so that two campaigns end at the same one.
///
/// A segment is slow when the share of later batches that are faster lies above one half by 3 standard errors over the
/// visits (1.5 once an earlier segment was slow), and the median of its ratios to the median of the later ones is
/// beyond `tolerance`. Steady visits show nothing, whatever their distribution, since times that can be exchanged are
/// as often above as below each other. What is slow from the first position on, without a gap of two segments, is to
/// be left out.
class Settling {
 public:
  /// Relative; looks for at most `longest` batches.
  explicit Settling(double tolerance, std::size_t longest) : tolerance_(tolerance), longest_(longest) {}

  /// The times of a visit's batches, the discarded ones first; NaN for one that was disturbed or has none. Learns from
  /// the first 256 visits.
  void add(std::span<const double> times);
  /// The position of the first batch of a visit that is to be estimated. Never decreases while visits are added.
  std::size_t steady_from() const { return steady_from_; }
  /// Batches that a visit has to have, those before `steady_from` among them, to hold so many further segments against
  /// later ones. Two show whether the start ends there; what is left of a start that fades is the clearer the more
  /// there are.
  std::size_t length_to_see(std::size_t segments) const;

 private:
  /// What visits said of one segment.
  struct Segment {
    std::vector<float> ratios;  ///< of its median to that of the later ones
    double above = 0;           ///< sum of the shares of later batches that are faster, less one half
    double variance = 0;        ///< of that sum, were the batches exchangeable
    double squares = 0;         ///< of the shares, less one half
  };
  std::size_t end_of(std::size_t first) const;
  void learn(std::size_t segment, std::span<const double> own, std::span<const double> later);
  bool is_slow(std::size_t segment, double level) const;
  void look();

  double tolerance_;
  std::size_t longest_;
  std::vector<Segment> segments_;
  std::size_t visits_ = 0;
  std::size_t next_look_ = 4;  ///< visits
  std::size_t steady_from_ = 0;
};

}  // namespace assay
