// SPDX-License-Identifier: Apache-2.0
// Which series need launches, and of how many ranks; what each end of a launch means for the next.
#include "run/session/launches.hpp"

#include <algorithm>

#include "design/design.hpp"
#include "record/journal/journal.hpp"

namespace assay {
namespace {

constexpr int fewest_ranks = 2;

std::vector<Value> levels_of(const SeriesPlan& series, const std::string& name) {
  const auto found = std::ranges::find(series.factors, name, &FactorDomain::name);
  return found == series.factors.end() ? std::vector<Value>() : found->domain.levels;
}

std::int64_t extreme(const SeriesPlan& series, const std::string& name, std::int64_t standard, bool largest) {
  std::int64_t found = standard;
  bool is_first = true;
  for (const Value& level : levels_of(series, name)) {
    const auto* number = std::get_if<std::int64_t>(&level);
    if (number == nullptr) continue;
    found = is_first ? *number : (largest ? std::max(found, *number) : std::min(found, *number));
    is_first = false;
  }
  return found;
}

}  // namespace

bool is_launched(const SeriesPlan& series) {
  const auto is_mpi = [](const Value& level) { return level == Value(std::string("mpi")); };
  const auto vehicles = levels_of(series, "vehicle");
  return !vehicles.empty() && std::ranges::all_of(vehicles, is_mpi);
}

CampaignPlan launched_part(const CampaignPlan& plan) {
  CampaignPlan part = plan;
  std::erase_if(part.series, [](const SeriesPlan& series) { return !is_launched(series); });
  part.plugins.clear();
  part.sessions = 1;
  part.time_limit.reset();
  return part;
}

int ranks_needed(const CampaignPlan& plan) {
  std::int64_t most = fewest_ranks;
  for (const SeriesPlan& series : plan.series) {
    if (!is_launched(series)) continue;
    const std::int64_t members = extreme(series, "members", series.measurement.members.least, true);
    const std::int64_t threads = std::max<std::int64_t>(1, extreme(series, "threads", 1, false));
    most = std::max(most, (members + threads - 1) / threads);
  }
  return static_cast<int>(most);
}

namespace {

constexpr int most_barren = 3;

/// Hands records on, and reports those that are new.
class Absorbing final : public Sink {
 public:
  explicit Absorbing(const LaunchLoop::Session& session) : session_(session) {}
  void write(const Record& record) override {
    session_.sink.write(record);
    if (const auto* point = std::get_if<PointRecord>(&record)) session_.finished(*point);
    came_on_ = came_on_ || std::holds_alternative<VisitRecord>(record) || std::holds_alternative<PointRecord>(record);
  }
  bool came_on() const { return came_on_; }

 private:
  const LaunchLoop::Session& session_;
  bool came_on_ = false;
};

}  // namespace

void LaunchLoop::stop(const std::string& why) {
  gave_up_ = why;
  due_ = false;
}

void LaunchLoop::next(const LaunchOrder& order, const Session& session) {
  Absorbing sink(session);
  const Launched launched = launches_->launch(order, sink, session.follow);
  ended_ = launched.ended;
  ever_began_ = ever_began_ || launched.began;
  if (ended_.empty()) return lose(order, launched, session);
  due_ = launched.left > 0;
  early_ = 0;
  barren_ = sink.came_on() ? 0 : barren_ + 1;
  if (due_ && barren_ >= most_barren) stop(std::to_string(barren_) + " launches ended without a visit");
}

void LaunchLoop::lose(const LaunchOrder& order, const Launched& lost, const Session& session) {
  // What never started will not start the next time either.
  if (!ever_began_) return stop(lost.why);
  const int most = launches_->most_relaunches();
  const std::string name = "launch " + std::to_string(order.launch);
  if (!lost.in_flight) {
    session.sink.write(NoteRecord{name + " was lost between visits: " + lost.why});
    if (++early_ > most)
      stop(std::to_string(early_) + (early_ == 1 ? " launch" : " launches in a row") +
           " lost between visits: " + lost.why);
    return;
  }
  early_ = 0;
  const BeginRecord& visit = *lost.in_flight;
  session.sink.write(FailureRecord{visit.series, visit.point, order.session, visit.incarnation, visit.visit,
                                   lost.outcome, name + ": " + lost.why, lost.evidence.last_heard, lost.evidence.output,
                                   lost.evidence.threads});
  const int times = ++losses_[key_of(visit.series, visit.point)];
  if (times <= most) return;
  const std::string often = times > 1 ? " (as in " + std::to_string(times) + " launches)" : "";
  session.give_up(visit.series, visit.point, lost.outcome, lost.why + often);
}

}  // namespace assay
