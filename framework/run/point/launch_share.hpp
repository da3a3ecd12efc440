// SPDX-License-Identifier: Apache-2.0
// How much of a point one launch measures, since a launch is one incarnation of it.
#pragma once
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"
#include "run/point/open_point.hpp"

namespace assay {

/// The launch that a session happens in.
struct LaunchPlace {
  int launch = 0;         ///< 0 where it was not started from outside: then the launch is a session of its own
  Nanoseconds elapsed{};  ///< of the session, before the launch
  std::vector<PointRecord> finished = {};  ///< earlier in the session, without their results
  /// True when others come after it in the session.
  bool is_part() const { return launch > 0; }
};

/// What becomes of a point after a visit.
enum class Turn : unsigned char {
  go_on,  ///< further visits in this launch
  leave,  ///< it has had its share of this launch: further launches go on
  finish  ///< its record is due
};

/// As many visits as each of the launches asked for would have to make to a point for its accuracy, three at least, and
/// its share of the point's time. A launch that no other is bound to follow goes on until the rule is satisfied, and so
/// does the last that a point may have. No point is finished before it had as many launches as are asked for, unless
/// more of them would help nothing.
Turn turn_after(const OpenPoint& point, const Verdict& verdict, bool is_part);

}  // namespace assay
