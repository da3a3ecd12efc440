// SPDX-License-Identifier: Apache-2.0
// When sessions began and ended, as crates state it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"

namespace assay {

/// A session of a campaign with what is known of its end.
struct CrateSession {
  const SessionRecord* session = nullptr;  ///< borrowed
  const EndRecord* end = nullptr;          ///< null where the session was lost
  Nanoseconds took{};                      ///< to its end, or to that of its last visit
};
/// The sessions of a campaign in the order of its journal, whose records are borrowed.
std::vector<CrateSession> crate_sessions(const std::vector<Record>& records);

/// "2026-01-31T12:00:00+00:00", so long after a time that is written "2026-01-31T12:00:00Z"; nothing for another text.
/// Fractions of a second are left out.
std::optional<std::string> time_after(const std::string& utc, Nanoseconds passed);

}  // namespace assay
