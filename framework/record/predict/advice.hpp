// SPDX-License-Identifier: Apache-2.0
// Which primitive for a hand-over: what was measured of each, ranked by latency, with what it costs both sides.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "record/predict/parameter.hpp"

namespace assay::predict {

/// What is to be handed over, from where to where, and how often.
struct HandOver {
  double bytes = 1;
  double rate = 0;  ///< per second; 0: not known
  std::optional<int> from{};
  std::optional<int> to{};
  std::string placement{};  ///< instead of CPUs
  std::string vehicle{};    ///< empty: any
};

/// Reads "hand-over bytes=64 from=cpu:0 to=cpu:1 rate=10000/s". CPUs are numbers of the operating system, also written
/// core:0; `placement=WORD` names a class in their place. Throws ConfigError, positioned at `where`, with every
/// problem.
HandOver parse_hand_over(const std::string& text, const std::string& where);

/// One primitive with a receiver that spins, or sleeps.
struct Candidate {
  std::string channel;
  std::string placement;
  std::string vehicle;
  bool sleeps = false;
  double slept = 0;                   ///< ns, by which a receiver that sleeps did so when it was sent to; 0: not known
  double measured_bytes = 0;          ///< of the messages, where they have a size; else 0
  double payload = 0;                 ///< ns, of reading what is handed over in shared memory; in the latency
  Estimate latency;                   ///< ns, until the receiver has it
  std::optional<Estimate> send{};     ///< ns of the sender per message
  std::optional<Estimate> receive{};  ///< CPU time of a sleeping receiver per message, ns
  std::string marks{};
  bool keeps_up = true;  ///< with the rate: neither side is busier than all the time

  /// CPU time per second at that rate; a receiver that spins has its CPU all the time.
  std::optional<double> sender_load(double rate) const;
  std::optional<double> receiver_load(double rate) const;
};

/// Candidates by latency, those that do not keep up last.
struct Advice {
  HandOver request;
  std::vector<Candidate> ranked;
  std::vector<std::string> unmeasured;  ///< channels of which there is no such round trip
  std::vector<std::string> places;      ///< placements that were measured
  std::vector<std::string> asleep;      ///< channels whose receiver spins only while hand-overs follow each other
};

/// Advice from records; `channels` are all that there are.
Advice advise(const std::vector<Record>& records, const HandOver& request, const std::vector<std::string>& channels);

/// For people, in lines of at most `width` characters.
void print(std::ostream& out, const Advice& advice, std::size_t width);

}  // namespace assay::predict
