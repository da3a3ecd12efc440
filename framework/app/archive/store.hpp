// SPDX-License-Identifier: Apache-2.0
// Room: the history of campaigns: kept, accepted, compared over time.
// The file of a history. Everything in it but the paths is regenerated from journals.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/archive/database.hpp"
#include "app/archive/entry.hpp"

namespace assay::history {

/// What adding a campaign came to.
enum class Added : std::uint8_t { added, renewed, unchanged, replaced, moved, copied };
/// "added", "renewed", ...
std::string to_text(Added added);

/// Which results are asked for; what is empty does not matter.
struct Selection {
  std::string series;
  std::string node;
  std::string quantity;                                          ///< empty: the primary one
  std::vector<std::pair<std::string, std::string>> levels = {};  ///< factor and level, as text
};

/// A result with the campaign that it is of.
struct Dated {
  Found found;
  std::size_t campaign = 0;  ///< index into History::entries()
};

/// How the points of a campaign came out.
struct Outcomes {
  std::int64_t sound = 0;
  std::int64_t marked = 0;
  std::int64_t without_number = 0;
};

/// An open history. Throws as Database does; ResultError also for a database of something else, and for a history of
/// another version of its form, unless it is opened to be rebuilt.
class History {
 public:
  enum class Use : std::uint8_t { read, write, rebuild };
  History(const std::string& path, Use use, Nanoseconds patience = seconds(10));

  /// Keeps a campaign, whole or not at all.
  Added add(const Digest& digest);
  /// All campaigns by date.
  std::vector<Entry> entries();
  Outcomes outcomes_of(const Entry& entry);
  /// Results of the campaigns in `entries`, in their order.
  std::vector<Dated> results(const std::vector<Entry>& entries, const Selection& selection);

  /// Reads every journal again, and keeps of each what it says now; what is gone or broken keeps what is known of it,
  /// marked as such. All of that, or nothing. `digest` reads one, and throws where it cannot. Where the history is of
  /// an older form, nothing can be kept of journals that are gone: then ResultError, and nothing is changed. Returns
  /// what was reported of journals, a line each.
  std::vector<std::string> rebuild(const std::function<Digest(const std::string& path)>& digest);

 private:
  void prepare(Use use);
  void create();
  std::int64_t key_of(const std::string& path);
  std::optional<std::string> same_elsewhere(const Entry& entry);
  void write(const Digest& digest, std::int64_t key);
  std::vector<std::string> paths();
  void clear();
  void mark(const std::string& path, Source source);
  void refuse_losses(const std::vector<std::string>& told) const;

  Database database_;
  bool is_old_ = false;
};

/// The file that a history is kept in where none is named: $XDG_DATA_HOME/assay/history.sqlite, or
/// ~/.local/share/assay/history.sqlite; nothing where neither is known. `variable` looks up an environment variable,
/// nullptr where it is not set.
std::optional<std::string> usual_file(const std::function<const char*(const char* name)>& variable);

}  // namespace assay::history
