// SPDX-License-Identifier: Apache-2.0
// The checks of machine and session that come before measuring.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "platform/topology/topology.hpp"
#include "record/provenance.hpp"

namespace assay {

/// What the checks found: kept in the session's facts, told once.
class CheckUp {
 public:
  /// Makes them; results are to go to `output`.
  CheckUp(const Topology& topology, const std::string& output) : checks_(session_checks(topology, output)) {}
  void tell(std::ostream& out) const;
  void add_to(Facts& facts) const;
  bool is_serious_somewhere() const;

 private:
  std::vector<Check> checks_;
};

}  // namespace assay
