// SPDX-License-Identifier: Apache-2.0
// The tree, lessons between parent and child, and when they end.
#include "team/clock/clock_sync.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stats/clock/clock_fit.hpp"
#include "team/wire/rank_tree.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

constexpr Nanoseconds longest_spacing = milliseconds(200);
constexpr Nanoseconds least_open{50};  // readings of clocks are no better

void check(const SyncRule& rule) {
  if (rule.exchanges < 1 || rule.fit_points < 2)
    throw std::invalid_argument(
        "clocks cannot be synchronized with fewer than two fit points: the drift would be undetermined; request at "
        "least 2 fit points of an exchange or more");
}

// One rank's side of learning from its parent.
class Lesson {
 public:
  Lesson(Wire& wire, int parent, const SyncRule& rule, ClockHistory& seen)
      : wire_(wire), rule_(rule), seen_(seen), spacing_(rule.spacing) {
    clock_.parent = parent;
  }

  CommonClock learn(bool near) {
    const auto far = receive_value<ClockModel>(wire_, clock_.parent);
    if (!near || !is_one_clock()) fit();
    end_exchange(wire_, clock_.parent);
    clock_.model = joined(clock_.link, far);
    return clock_;
  }

 private:
  std::vector<Stamps> exchange() {
    clock_.exchanges += rule_.exchanges;
    return exchange_stamps(wire_, clock_.parent, rule_.exchanges);
  }

  void pause(Nanoseconds duration) { wire_.clock().sleep_until(wire_.clock().now() + duration); }

  bool is_one_clock();
  void fit();
  bool enough(Instant begun);

  Wire& wire_;
  const SyncRule& rule_;
  ClockHistory& seen_;
  Nanoseconds spacing_;
  CommonClock clock_;
};

// The other clock is ahead by no less than `least` and no more than `most`, since it was read in between.
bool Lesson::is_one_clock() {
  std::vector<Stamps> all;
  for (int look = 0; look < 2; ++look) {
    if (look > 0) pause(rule_.spacing);
    const std::vector<Stamps> some = exchange();
    all.insert(all.end(), some.begin(), some.end());
  }
  const FitPoint point = fit_point(all);
  const Nanoseconds least = point.least.reference - point.least.local;
  const Nanoseconds most = point.most.reference - point.most.local;
  if (least > Nanoseconds{} || most < Nanoseconds{}) return false;
  clock_.link = identity_model(all.front().sent, all.back().received, std::max(-1 * least, most));
  clock_.link.round_trip = point.round_trip;
  clock_.end = SyncEnd::one_clock;
  return true;
}

// A first look that what was seen before does not explain is of a clock that was set since.
void Lesson::fit() {
  const Instant begun = wire_.clock().now();
  const FitPoint first = fit_point(exchange());
  if (seen_.tells_drift() && !agrees(seen_.model(), first).accepted)
    seen_.restart(first);
  else
    seen_.add(first);
  while (!enough(begun)) {
    pause(spacing_);
    spacing_ = std::min(longest_spacing, spacing_ * 1.5);
    seen_.add(fit_point(exchange()));
  }
  clock_.fit_points = static_cast<int>(seen_.points().size());
}

bool Lesson::enough(Instant begun) {
  if (!seen_.tells_drift()) return false;
  clock_.link = seen_.model();
  const bool is_late = wire_.clock().now() - begun >= rule_.most_time;
  // Points that no line agrees with go, so that their number is no promise of an end.
  if (std::cmp_less(seen_.points().size(), rule_.fit_points) && !is_late) return false;
  const Nanoseconds left_open = clock_.link.drift_bound * rule_.stretch;
  const bool is_known = left_open <= clock_.link.round_trip / 2 + least_open;
  clock_.end = is_known ? SyncEnd::learned : SyncEnd::time_used_up;
  return is_known || is_late;
}

// To the nanosecond, which no rounded duration has where clocks are far apart.
std::string ahead_text(const ClockModel& link) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t ahead = link.to_reference(link.to).ns - link.to.ns;
  const std::int64_t apart = ahead < 0 ? -ahead : ahead;
  const std::string digits = std::to_string(second + apart % second).substr(1);
  return std::to_string(apart / second) + '.' + digits + (ahead < 0 ? " s behind" : " s ahead");
}

CommonClock reference(Wire& wire) {
  CommonClock clock;
  const Instant now = wire.clock().now();
  clock.model = clock.link = identity_model(now, now, {});
  return clock;
}

constexpr std::byte question{1};
constexpr std::byte all_asked{2};

std::vector<int> leaders_of(const std::vector<int>& nodes) {
  std::vector<int> leaders;
  std::set<int> seen;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (seen.insert(nodes[rank]).second) leaders.push_back(static_cast<int>(rank));
  return leaders;
}

std::vector<int> ranks_on(const std::vector<int>& nodes, int node) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (nodes[rank] == node) ranks.push_back(static_cast<int>(rank));
  return ranks;
}

// Adds a rank's place in the tree over these ranks, the first of which is the root.
void join(SyncPlace& place, const std::vector<int>& ranks, int rank, bool near) {
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  if (found == ranks.end()) return;
  const int position = static_cast<int>(found - ranks.begin());
  for (const int child : tree_children(position, static_cast<int>(ranks.size())))
    place.children.push_back(ranks[static_cast<std::size_t>(child)]);
  if (position == 0) return;
  place.parent = ranks[static_cast<std::size_t>(tree_parent(position))];
  place.parent_is_near = near;
}

}  // namespace

CommonClock synchronize(Wire& wire, const SyncRule& rule, ClockHistory& seen) {
  check(rule);
  const SyncPlace place = sync_place(wire);
  const CommonClock clock =
      place.parent < 0 ? reference(wire) : Lesson(wire, place.parent, rule, seen).learn(place.parent_is_near);
  for (const int child : place.children) {
    send_value(wire, child, clock.model);
    answer_stamps(wire, child);
  }
  return clock;
}

std::string to_text(const CommonClock& clock, int rank) {
  const std::string who = "rank " + std::to_string(rank);
  if (clock.end == SyncEnd::is_reference) return who + ": the common clock";
  const std::string bound = "within " + rounded(clock.model.bound) + " of the common clock";
  if (clock.end == SyncEnd::one_clock)
    return who + ": one clock with rank " + std::to_string(clock.parent) + ", " + bound;
  const std::string ended = clock.end == SyncEnd::time_used_up ? ", as many as the time permitted" : "";
  return who + ": " + bound + ", by " + counted(static_cast<std::size_t>(clock.fit_points), "fit point") + " over " +
         rounded(clock.link.to - clock.link.from) + " from rank " + std::to_string(clock.parent) + ended +
         ", whose clock is " + ahead_text(clock.link);
}

std::vector<Stamps> exchange_stamps(Wire& wire, int with, int count) {
  std::vector<Stamps> exchanges(static_cast<std::size_t>(count));
  for (Stamps& stamps : exchanges) {
    stamps.sent = wire.clock().now();
    send_value(wire, with, question);
    stamps.reference = receive_value<Instant>(wire, with);
    stamps.received = wire.clock().now();
  }
  return exchanges;
}

void end_exchange(Wire& wire, int with) { send_value(wire, with, all_asked); }

void answer_stamps(Wire& wire, int with) {
  while (receive_value<std::byte>(wire, with) == question) send_value(wire, with, wire.clock().now());
}

SyncPlace sync_place(const std::vector<int>& nodes, int rank) {
  SyncPlace place;
  join(place, leaders_of(nodes), rank, false);
  join(place, ranks_on(nodes, nodes[static_cast<std::size_t>(rank)]), rank, true);
  return place;
}

SyncPlace sync_place(const Wire& wire) {
  std::vector<int> nodes;
  for (int rank = 0; rank < wire.ranks(); ++rank) nodes.push_back(wire.node_of(rank));
  return sync_place(nodes, wire.rank());
}

}  // namespace assay
