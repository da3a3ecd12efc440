// SPDX-License-Identifier: Apache-2.0
// Lessons between parent and child, and when they end.
#include "team/clock_sync.hpp"

#include <algorithm>
#include <stdexcept>

#include "stats/clock_fit.hpp"
#include "stats/phrase.hpp"
#include "team/stamp_exchange.hpp"
#include "team/sync_tree.hpp"

namespace assay {
namespace {

void check(const SyncRule& rule) {
  if (rule.exchanges < 1 || rule.fit_points < 2 || rule.most_exchanges < 2 * rule.exchanges)
    throw std::invalid_argument(
        "clocks cannot be synchronized with fewer than two fit points: the drift would be anybody's guess; ask for at "
        "least 2 fit points, and for exchanges that suffice for them");
}

// One rank's side of learning from its parent.
class Lesson {
 public:
  Lesson(Wire& wire, int parent, const SyncRule& rule)
      : wire_(wire), rule_(rule), far_(receive_value<ClockModel>(wire, parent)) {
    clock_.parent = parent;
  }

  CommonClock learn(bool near) {
    if (!near || !is_one_clock()) fit();
    end_exchange(wire_, clock_.parent);
    return clock_;
  }

 private:
  std::vector<Stamps> exchange() {
    clock_.exchanges += rule_.exchanges;
    std::vector<Stamps> exchanges = exchange_stamps(wire_, clock_.parent, rule_.exchanges);
    last_ = exchanges.back().reference;
    return exchanges;
  }

  void pause() { wire_.clock().sleep_until(wire_.clock().now() + rule_.spacing); }

  bool is_one_clock();
  void fit();
  bool enough(const std::vector<FitPoint>& points);

  Wire& wire_;
  const SyncRule& rule_;
  ClockModel far_;  // of the parent
  Instant last_;    // reading of the parent's clock
  CommonClock clock_;
};

// The other clock is ahead by no less than `least` and no more than `most`, since it was read in between.
bool Lesson::is_one_clock() {
  Nanoseconds least{-1e18};
  Nanoseconds most{1e18};
  std::vector<Stamps> all;
  for (int look = 0; look < 2; ++look) {
    if (look > 0) pause();
    const std::vector<Stamps> some = exchange();
    all.insert(all.end(), some.begin(), some.end());
  }
  for (const Stamps& stamps : all) {
    least = std::max(least, stamps.reference - stamps.received);
    most = std::min(most, stamps.reference - stamps.sent);
  }
  if (least > Nanoseconds{} || most < Nanoseconds{}) return false;
  clock_.link = identity_model(all.front().sent, all.back().received, std::max(-1 * least, most));
  clock_.link.round_trip = fastest(all).round_trip;
  clock_.model = joined(clock_.link, far_);
  clock_.end = SyncEnd::one_clock;
  return true;
}

void Lesson::fit() {
  std::vector<FitPoint> points;
  do {
    if (!points.empty()) pause();
    points.push_back(fit_point(exchange(), far_));
  } while (!enough(points));
  clock_.fit_points = static_cast<int>(points.size());
  clock_.model = on_top_of(clock_.link, far_, last_);
}

bool Lesson::enough(const std::vector<FitPoint>& points) {
  if (points.size() < 2) return false;
  clock_.link = fitted_clock(points);
  if (points.size() >= static_cast<std::size_t>(rule_.fit_points)) {
    clock_.end = SyncEnd::bound_reached;
    if (on_top_of(clock_.link, far_, last_).bound <= rule_.wanted) return true;
  }
  clock_.end = SyncEnd::exchanges_used_up;
  return clock_.exchanges + rule_.exchanges > rule_.most_exchanges;
}

CommonClock reference(Wire& wire) {
  CommonClock clock;
  const Instant now = wire.clock().now();
  clock.model = clock.link = identity_model(now, now, {});
  return clock;
}

}  // namespace

CommonClock synchronize(Wire& wire, const SyncRule& rule) {
  check(rule);
  const SyncPlace place = sync_place(wire);
  const CommonClock clock =
      place.parent < 0 ? reference(wire) : Lesson(wire, place.parent, rule).learn(place.parent_is_near);
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
  const std::string from = " from rank " + std::to_string(clock.parent);
  if (clock.end == SyncEnd::one_clock)
    return who + ": one clock with rank " + std::to_string(clock.parent) + ", " + bound;
  return who + ": " + bound + ", by " + counted(static_cast<std::size_t>(clock.fit_points), "fit point") + from +
         (clock.end == SyncEnd::exchanges_used_up ? ", which were all that the exchanges sufficed for" : "");
}

}  // namespace assay
