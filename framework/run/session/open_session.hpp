// SPDX-License-Identifier: Apache-2.0
// One session while it runs: what its parts share.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "run/point/launch_share.hpp"
#include "run/session/agenda.hpp"
#include "run/session/blocks.hpp"
#include "run/session/launches.hpp"
#include "run/session/surroundings.hpp"
#include "run/session/time_left.hpp"
#include "run/session/visitor.hpp"

namespace assay {

/// Waves, rounds and visits, with launches between the rounds where members are ranks. Borrows order and world.
class Session {
 public:
  Session(const SessionOrder& order, const Surroundings& world);
  CampaignEnd run();

 private:
  void take_up();
  bool give_up(std::size_t series, const Point& point);
  bool settle(std::size_t series, const Point& point);
  bool defer(std::size_t series, const PointRequest& request);
  void collect();
  void admit();
  bool open_waiting(bool may_join);
  OpenPoint& open_next();
  bool restore(OpenPoint& point);
  bool launches() const { return launches_ && launches_->due(); }
  void launch();
  Turn turn(const OpenPoint& point, const Verdict& verdict);
  bool extends(const OpenPoint& point) const;
  void end_spare_time();
  bool may_sharpen(const OpenPoint& point) const;
  bool end_sharpening();
  bool end_compared(const OpenPoint& point);
  Verdict check(OpenPoint& point) const;
  void pass_on(OpenPoint& point, const Verdict& verdict);
  void answer(OpenPoint& point);
  bool is_part() const { return order_.launch != nullptr && order_.launch->is_part(); }
  void round();
  bool enter_block(std::vector<OpenPoint*>& points);
  void end_without(const std::vector<OpenPoint*>& points, Outcome outcome, const std::string& why);
  bool take_turns(const std::vector<OpenPoint*>& points);
  bool take_turn(OpenPoint& point);
  void settle_debt(Nanoseconds time, bool is_between) {
    owed_ = is_between ? owed_ + time : std::max(Nanoseconds{}, owed_ - time);
  }
  bool stopped();
  bool in_time(const OpenPoint& point) const;
  void retire(OpenPoint& point, const PointRecord& record);
  void keep(std::size_t series, PointRecord record);
  void abandon();
  void abandon_part(Outcome outcome, const std::string& why);
  void leave(OpenPoint& point, Outcome outcome, const std::string& why);
  void conclude();
  void conclude_part();
  void take_note(std::size_t series, const PointRecord& record);
  void report(const std::string& current, const OpenPoint* point = nullptr) const;
  Nanoseconds left() const;
  WorkLeft work_left() const;
  void pause_until_due(Nanoseconds time) {
    const Nanoseconds from = visitor_.elapsed();
    world_.pause(time);
    idle_ += visitor_.elapsed() - from;
  }
  /// How long this session has measured: without the time that it waited for others.
  Nanoseconds measuring() const { return visitor_.elapsed() - waited_; }

  const SessionOrder& order_;
  const CampaignPlan& plan_;
  const Surroundings& world_;
  Rng rng_;
  Visitor visitor_;
  Blocks blocks_;
  Breaker breaker_;
  Unfinished unfinished_;
  Agenda agenda_;
  Wave wave_;
  CampaignEnd end_;
  int rounds_ = 0;
  Nanoseconds waited_{};
  Nanoseconds idle_{};  ///< while no visit was due
  Nanoseconds owed_{};  ///< to points whose cores were in another state, for the visits that others had before them
  /// Between rounds in which no point's visit was worth it: other work comes and goes within 100 us, or not for long.
  static constexpr Nanoseconds shortest_lull = microseconds(100);
  static constexpr Nanoseconds longest_lull = milliseconds(1);
  Nanoseconds lull_ = shortest_lull;
  int recorded_ = 0;
  int failed_before_ = 0;  ///< in sessions that this one continues
  TimeLeft time_left_;
  std::optional<LaunchLoop> launches_;
  int passed_on_ = 0;  ///< points that further launches go on with
};

}  // namespace assay
