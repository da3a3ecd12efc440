// SPDX-License-Identifier: Apache-2.0
// What each end of a launch means for the next.
#include "run/session/launch_loop.hpp"

#include "record/journal/journal.hpp"

namespace assay {
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
