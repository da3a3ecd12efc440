// SPDX-License-Identifier: Apache-2.0
// Room: which points a series has: factors, axes, adaptive refinement.
// Which points to measure. Knows no clock, no member and no file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/factor.hpp"
#include "base/point.hpp"

namespace assay {

/// What a design may learn of a finished point: the refined quantity's value and relative half-width.
struct Response {
  bool usable = false;  ///< false for a point that failed, is N/A or did not converge to a value
  double value = 0;
  double relative_half_width = 0;
};

/// A point to measure, for the first time or again.
struct PointRequest {
  Point point;
  int attempt = 0;     ///< how often the point was asked for before
  double sharpen = 1;  ///< times the relative accuracy that the series requests: 0.5 is half the half-width
};

/// Points of a part, where a design yields parts.
inline constexpr std::size_t part_size = 1024;

/// Yields points in generations: those returned together are measured together, interleaved.
class Design {
 public:
  virtual ~Design() = default;
  /// What can be measured now: new points, and points to be measured again, by whose second answer the first is
  /// replaced. Empty when nothing is known to be worth measuring until more outcomes are known, and forever after the
  /// last answer. A design whose points are all known beforehand yields them in parts, this one of at most `most`
  /// points; one that learns yields a generation whole, whatever `most` is.
  std::vector<PointRequest> ask(std::size_t most = part_size) { return yield(most); }
  /// How many points the parts to come have; 0 where a generation is yielded whole.
  virtual std::size_t left() const { return 0; }
  /// Tells the outcome of one point that ask() returned; the latest one stands.
  virtual void tell(const Point& point, const Response& response) = 0;
  /// Facts the design found, one sentence each: "jump between bytes=4096 and bytes=4160".
  virtual std::vector<std::string> findings() const { return {}; }

 private:
  virtual std::vector<PointRequest> yield(std::size_t most) = 0;
};

/// A factor's name with the levels asked for.
struct FactorDomain {
  std::string name;
  Domain domain;
};
/// Whether it has several levels, or may get them.
inline bool varies(const FactorDomain& factor) { return factor.domain.levels.size() > 1 || factor.domain.refine; }

/// All combinations of all levels, once, in parts; none is kept. The last factor varies fastest; with a seed, points of
/// more than one part come in a random order instead, so that each part is a random sample of what is left.
std::unique_ptr<Design> factorial(std::vector<FactorDomain> factors, std::optional<std::uint64_t> seed = {});

/// These points, in one generation.
std::unique_ptr<Design> listed(std::vector<Point> points);

/// As factorial for every factor but those with `refine`, whose levels are added to adaptively on each line through the
/// others. The lines share their points, `max_points_per_line` on average: a simple line leaves its own to those that
/// need more. With no refined factor the same as factorial.
std::unique_ptr<Design> adaptive(std::vector<FactorDomain> factors, std::size_t max_points_per_line = 64,
                                 std::optional<std::uint64_t> seed = {});

}  // namespace assay
