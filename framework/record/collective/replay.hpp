// SPDX-License-Identifier: Apache-2.0
// When each rank is done with a schedule, by the LogGP model, with or without recorded noise.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "record/collective/schedule.hpp"

namespace assay::collective {

/// LogGP of messages (Alexandrov, Ionescu, Schauser and Scheiman, 1995), in ns and ns per byte. A message of k bytes
/// takes o_s + L + k G + o_r, where Alexandrov et al. write (k - 1) G: here L and the overheads are those of 0 bytes,
/// as the layout `loggp` has them. The next message leaves g + k G later at the
/// earliest, and a message arrives its own g + k G after the one before at the earliest.
struct LogGp {
  double L = 0;
  double o_s = 0;
  double o_r = 0;
  double g = 0;
  double G = 0;
  double o_s_byte = 0;  ///< the part of the overheads that grows with the message
  double o_r_byte = 0;
  double combine_byte = 0;  ///< to combine a byte received with one's own, in reductions
  double rendezvous_from = std::numeric_limits<double>::infinity();  ///< messages of this size wait for their receiver
                                                                     ///< (Ino et al., LogGPS, 2001)
  double to = std::numeric_limits<double>::infinity();  ///< the largest message that these parameters hold for
  double g_byte = -1;   ///< the gap's part per byte where it is not G, as where overheads contain the transfer; < 0: G
  double crossing = 0;  ///< by how much a send takes longer whose rank receives in the same stage: both are in progress
  double crossing_byte = 0;
  double gap(double bytes) const { return g + bytes * (g_byte < 0 ? G : g_byte); }
};

/// An interval in which the CPU does something else, in ns.
struct Detour {
  double start = 0;
  double duration = 0;
};

/// Detours in their order, none within another; they come again every `length` ns.
struct NoiseTrace {
  std::vector<Detour> detours;
  double length = std::numeric_limits<double>::infinity();
};

/// In order, merged where they overlap, and cut off at the end of the trace. Throws std::invalid_argument where they
/// leave no time.
NoiseTrace noise_trace(std::vector<Detour> detours, double length = std::numeric_limits<double>::infinity());

/// The noise of one rank: a trace that it is `phase` ns into when the operation starts.
struct RankNoise {
  const NoiseTrace* trace = nullptr;
  double phase = 0;
};

/// When each rank is done, in ns, when all start at 0. `pieces` are in ascending order of `to`; messages larger than
/// the last one's are carried by it, too. `noise` is empty or has an entry per rank; CPU time that a detour falls into
/// continues after it, and what waits for a message absorbs it. Throws std::invalid_argument where pieces are missing
/// or there are not as many entries of noise as ranks.
std::vector<double> finish_times(const Schedule& schedule, std::span<const LogGp> pieces,
                                 std::span<const RankNoise> noise = {});

/// The last of them.
double completion(const Schedule& schedule, std::span<const LogGp> pieces, std::span<const RankNoise> noise = {});
double completion(const Schedule& schedule, const LogGp& parameters, std::span<const RankNoise> noise = {});

}  // namespace assay::collective
