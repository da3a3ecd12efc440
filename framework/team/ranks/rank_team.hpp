// SPDX-License-Identifier: Apache-2.0
// Room: teams of ranks, across nodes.
// Teams whose members are spread over the ranks of a launch: each rank holds a part, rank 0 leads.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "team/ranks/batch_start.hpp"
#include "team/ranks/rank_link.hpp"
#include "team/ranks/rank_map.hpp"
#include "team/ranks/shared_lines.hpp"
#include "team/team.hpp"

namespace assay {

class LocalTeam;

/// What a rank needs to build its part of a team.
struct RankOrder {
  std::vector<RankSeat> seats;
  std::string what;  ///< means something to the PartMaker only
  Start start = Start::barrier;
  bool compares_stamps = false;  ///< the measurement needs the common clock whatever the start
};

/// The result of the second check of the common clock for a period of batches.
struct ClockLook {
  Nanoseconds bound{};  ///< most that any rank's stamps were wrong on the common clock
  std::string refusal;  ///< why stamps of different ranks cannot be compared; empty where they can
};

/// Builds the measurement and the members of this rank, without letting them enter: nothing here may wait for another
/// rank. `part` is complete. Throws as open_thread_team.
using PartMaker = std::function<std::unique_ptr<LocalTeam>(const std::string& what, const TeamPart& part)>;

/// Called on every rank but the first, with each command, within which time the next one comes or rank 0 has died.
using Patience = std::function<void(Nanoseconds)>;

class RankTeams;

/// The leader's view of one team.
class RankTeam final : public Team {
 public:
  RankTeam(RankTeams& teams, std::int32_t number, const RankOrder& order);
  ~RankTeam() override;
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;

  /// Throws Unsupported when starts at agreed times were given up.
  Batch run(Reps reps) override;
  /// Between ranks of one node whose launcher bound them to CPUs of their own, where the second can map a page of the
  /// first; else nothing.
  std::optional<Nanoseconds> reference(int round_trips) override;
  /// All ranks are notified at once, and take turns by the clock (rank_map.hpp), asleep before and after: who waited
  /// for word from rank 0 would poll beside them.
  std::vector<CoreLook> look() override;
  /// Where there is a common clock, all ranks check it again.
  void park() override;

  /// Of the batches before the last park(); nothing where they needed no common clock.
  const std::optional<ClockLook>& clock_look() const { return look_; }
  /// What was learned of the clocks, once in words.
  std::vector<std::string> notes() { return std::exchange(notes_, {}); }

 private:
  void know_clocks();
  void learn_clocks();
  /// The findings of all ranks in another check of the clocks for this period.
  void take_look(const std::vector<std::string>& replies);
  Instant now() const;
  void judge_start(const Batch& batch);

  RankTeams& teams_;
  std::int32_t number_;
  std::vector<RankSeat> seats_;
  std::vector<int> ranks_;  // that hold members
  int partner_;             // the rank of the second member, as far as its distance can be known; else 0
  bool shares_cpus_;
  bool has_clock_;
  bool must_learn_;
  bool one_clock_ = false;
  Instant known_until_;  // by rank 0's clock: then the bound of some rank has doubled
  ClockLook stretch_;    // since the last park()
  std::optional<StartWindow> window_;
  std::vector<std::vector<Nanoseconds>> lateness_;  // by rank, since windows were judged
  std::optional<ClockLook> look_;
  std::vector<std::string> notes_;
};

/// The teams of one launch, on one of its ranks.
class RankTeams {
 public:
  /// Borrows the link.
  RankTeams(
      RankLink& link, PartMaker make, Patience patience = [](Nanoseconds) {});
  ~RankTeams();
  RankTeams(const RankTeams&) = delete;
  RankTeams& operator=(const RankTeams&) = delete;

  /// Where the ranks are.
  const RankMap& map() const { return link_.map(); }
  /// The thread level of its library.
  std::string thread_level() const { return link_.thread_level(); }
  /// On rank 0: opens a team; every rank has built its part or none enters. A team's batch ends when all reports are
  /// in; what goes wrong in one of them ends the launch. Throws as open_thread_team, with the rank in the text.
  std::unique_ptr<RankTeam> open(const RankOrder& order);
  /// On rank 0: what follows takes so long at most until all ranks are heard of, statistics and journal apart. The
  /// others get a multiple of it, and minutes at least.
  void expect_within(Nanoseconds most) { expected_ = most; }
  /// On rank 0: the others return from serve().
  void dismiss();
  /// On the others: executes the commands of rank 0 until it dismisses.
  void serve();

 private:
  friend class RankTeam;
  enum class Task : std::uint8_t {
    open,
    enter,
    learn,
    look,
    wake,
    look_at_cores,
    share,
    exchange,
    run,
    park,
    close,
    dismiss
  };
  struct Command {
    Task task = Task::dismiss;
    std::int32_t team = 0;
    std::int64_t reps = 0;  ///< of an exchange its round trips
    Nanoseconds width{};    ///< of the window
    std::string payload{};
    Nanoseconds patience{};    ///< until the next command; filled in where it is sent
    std::int32_t partner = 0;  ///< the rank that rank 0 shares its page with, and exchanges flags
  };
  /// A command without its payload, as it is sent.
  struct Head {
    std::int64_t reps = 0;
    Nanoseconds width{};
    Nanoseconds patience{};
    std::int32_t team = 0;
    std::int32_t partner = 0;
    Task task = Task::dismiss;
  };
  /// What this rank holds of a team.
  struct Part {
    std::unique_ptr<LocalTeam> team;
    PlaceClock* clock = nullptr;  ///< where the team needs the common clock
    BatchStart start{};
    Nanoseconds width{};
    Nanoseconds late{};
    LookTurn turn{};  ///< of this rank
  };

  std::string encode(const Command& command) const;
  static Command decode(const std::string& text);
  /// Broadcasts, does this rank's share, and collects what all say.
  std::vector<std::string> lead(const Command& command);
  std::string obey(const Command& command);
  std::string carry_out(const Command& command);
  std::string build(const Command& command);
  static std::string run(Part& part, const Command& command);
  static std::string look_at_cores(const Part& part);
  static std::string park(Part& part);
  static std::string look(Part& part);
  /// On rank 0: whether that rank has mapped the page of this one; tried once for each rank.
  bool shares_with(int rank, std::int32_t team);
  std::string share(const Command& command);
  /// The mean round trip, from rank 0 where all were made; else nothing.
  std::string exchange_flags(const Part& part, const Command& command);

  RankLink& link_;
  PartMaker make_;
  Patience patience_;
  Nanoseconds expected_{};
  std::map<std::int32_t, Part> parts_;  ///< those in which this rank has a member
  std::int32_t last_ = 0;
  std::unique_ptr<SharedLines> lines_;  ///< of rank 0, also on the ranks that could map them
  std::map<int, bool> shares_;          ///< on rank 0, by rank
};

}  // namespace assay
