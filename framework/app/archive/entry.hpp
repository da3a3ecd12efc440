// SPDX-License-Identifier: Apache-2.0
// What a history contains of a campaign: where its journal is, and what it found.
#pragma once
#include <cmath>
#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"
#include "stats/comparison/change_points.hpp"

namespace assay::history {

/// What may stand between a history and the journal that a campaign is known from.
enum class Source : std::uint8_t { there, gone, broken };
/// "", "gone", "broken".
std::string to_text(Source source);

/// A campaign by reference.
struct Entry {
  std::int64_t key = 0;  ///< in its history
  std::string path;      ///< absolute, of its directory or journal file
  std::string id;        ///< of what it requests, by meaning
  std::string title;
  std::string started;      ///< of its first session, UTC
  std::string node;         ///< host's name
  std::string environment;  ///< of the facts that make another machine or program: equal where all of these are
  Facts facts;              ///< of its last session
  std::string state;        ///< "complete" and the like; "unfinished" where its last session has not ended
  std::int64_t size = 0;    ///< bytes of the journal's whole records
  std::int64_t records = 0;
  std::string checksum;  ///< of the last of them
  std::string contents;  ///< hash of what it found, when and where: by this a copy is known
  Source source = Source::there;
};

/// What of a campaign's is the same at every date.
struct PlaceOfResult {
  std::string series;
  std::string measurement;
  std::string point;     ///< to_text(Point)
  std::string quantity;  ///< empty where the point has no number
  std::string regime;    ///< likewise
  friend auto operator<=>(const PlaceOfResult&, const PlaceOfResult&) = default;
};

/// A result, or a point without one.
struct Found {
  PlaceOfResult place;
  std::string identity;  ///< of what was measured, by meaning
  Unit unit = Unit::nanoseconds;
  bool is_usual = true;   ///< of the primary quantity, in a regime of a quarter of the batches or more
  CoreState state = {};   ///< of the cores; results of states that are not alike are never held against each other
  bool is_other = false;  ///< of another state than the one that was answered for
  KnownValue known;       ///< value NaN where there is none
  std::string marks;
  bool is_sound = false;  ///< no mark but short-term
  std::string verdict;    ///< as tables have it

  bool has_number() const { return std::isfinite(known.value); }
};

/// Both together.
struct Digest {
  Entry entry;
  std::vector<Found> found;
};

/// Reads a campaign's directory or journal file. `command` and `err` as for read_results; throws as that does.
Digest read_digest(const std::string& command, const std::string& path, std::ostream& err);

/// The absolute path by which a history identifies a campaign that is there.
std::string known_path(const std::string& path);

}  // namespace assay::history
