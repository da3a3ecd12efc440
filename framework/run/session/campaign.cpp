// SPDX-License-Identifier: Apache-2.0
// The sessions of a campaign, one after the other.
#include "run/session/campaign.hpp"

#include <algorithm>
#include <utility>

#include "run/series/series_run.hpp"
#include "run/session/session.hpp"

namespace assay {
namespace {

/// Hands records on, and remembers what later sessions need.
class Remembering final : public Sink {
 public:
  Remembering(Sink& next, History& history) : next_(next), history_(history) {}
  void write(const Record& record) override {
    next_.write(record);
    history_.add(record);
    const auto* point = std::get_if<PointRecord>(&record);
    if (point != nullptr && !point->unfinished) history_.release(point->series, point->point);
  }

 private:
  Sink& next_;
  History& history_;
};

class Campaign {
 public:
  Campaign(const CampaignPlan& plan, History& history, const Surroundings& world, Continuation* continuation)
      : plan_(plan),
        history_(history),
        remembering_(world.sink, history),
        world_(world),
        start_(world.clock.now()),
        continuation_(continuation) {}
  CampaignEnd run();

 private:
  Nanoseconds elapsed() const { return world_.clock.now() - start_; }
  bool may_start(Nanoseconds due);
  void run_one();

  const CampaignPlan& plan_;
  History& history_;
  Remembering remembering_;
  const Surroundings& world_;
  Instant start_;
  Continuation* continuation_;  ///< for the first session
  CampaignEnd end_;
};

CampaignEnd Campaign::run() {
  for (int index = 0; index < plan_.sessions && may_start(plan_.every * index); ++index) run_one();
  return end_;
}

/// Waits until a session is due; false when the campaign ends before.
bool Campaign::may_start(Nanoseconds due) {
  if (end_.reason.empty()) return true;  // the first session decides for itself
  while (end_.reason == "complete") {
    const bool in_time = !plan_.time_limit || elapsed() < *plan_.time_limit;
    if (world_.stop_requested()) end_.reason = by_signal;
    if (!in_time) end_.reason = by_time;
    if (end_.reason != "complete") return false;
    if (elapsed() >= due) return true;
    Progress progress;
    progress.done = progress.known = end_.points;
    progress.elapsed = elapsed();
    progress.left = due - elapsed();
    progress.current = "waiting for session " + std::to_string(history_.next_session() + 1);
    world_.progress(progress);
    world_.pause(std::min(due - elapsed(), longest_pause));
  }
  return false;
}

void Campaign::run_one() {
  const int session = history_.next_session();
  Surroundings world = world_;
  world.sink = remembering_;
  world.launch = nullptr;
  Continuation* const continuation = std::exchange(continuation_, nullptr);
  SessionRecord record = world_.begin(session);
  record.continues = continuation != nullptr;
  remembering_.write(record);
  std::optional<Nanoseconds> limit;
  if (plan_.time_limit) limit = std::max(Nanoseconds{}, *plan_.time_limit - elapsed());
  const CampaignEnd end = run_session({plan_, history_, session, limit, continuation, world_.launch}, world);
  end_.reason = end.reason;
  end_.points = end.points;
  end_.without_result += end.without_result;
  end_.measured += end.measured;
  end_.warnings += end.warnings;
}

}  // namespace

int CampaignEnd::exit_code() const {
  if (reason == by_failures) return 1;
  if (reason == by_launcher) return 3;
  if (reason != "complete") return 75;
  const bool is_without_number = points > 0 && measured == 0;
  return without_result > 0 || is_without_number ? 1 : 0;
}

CampaignEnd run_campaign(const CampaignPlan& plan, History& history, const Surroundings& world,
                         Continuation* continuation) {
  return Campaign(plan, history, world, continuation).run();
}

void each_planned(const CampaignPlan& plan, const std::function<void(const SeriesPlan&, const Point&)>& visit) {
  for (const SeriesPlan& series : plan.series) {
    const auto design = design_of(series);
    do {
      for (const PointRequest& request : design->ask()) visit(series, request.point);
    } while (design->left() > 0);
  }
}

CampaignEnd run_launch(const CampaignPlan& plan, History& history, const Surroundings& surroundings,
                       Continuation& continuation, const LaunchOrder& order) {
  Remembering remembering(surroundings.sink, history);
  Surroundings world = surroundings;
  world.sink = remembering;
  world.launches = nullptr;
  return run_session({plan, history, order.session, order.time_limit, &continuation, surroundings.launch}, world);
}

std::vector<std::pair<const SeriesPlan*, std::vector<Point>>> planned_points(const CampaignPlan& plan) {
  std::vector<std::pair<const SeriesPlan*, std::vector<Point>>> points;
  for (const SeriesPlan& series : plan.series) points.emplace_back(&series, std::vector<Point>{});
  each_planned(plan, [&](const SeriesPlan& series, const Point& point) {
    points[static_cast<std::size_t>(&series - plan.series.data())].second.push_back(point);
  });
  return points;
}

}  // namespace assay
