// SPDX-License-Identifier: Apache-2.0
// Room: launches of ranks and the shards of their journals.
// Launches by a launcher of MPI: started, watched by what rank 0 writes, ended with everything in them.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/process/leftovers.hpp"
#include "platform/process/process.hpp"
#include "run/mpi/shard.hpp"
#include "run/session/launches.hpp"

namespace assay {

/// How launches are started and watched.
struct LauncherSetup {
  std::vector<std::string> words;      ///< of the launcher, "{n}" for the number of ranks
  std::string program;                 ///< that each rank runs
  bool has_threads = false;            ///< members may be threads of one rank
  std::string configuration;           ///< of the series to measure, resolved
  Nanoseconds patience = seconds(60);  ///< until rank 0 writes its first record
  Nanoseconds grace = seconds(5);      ///< after the time in which a record was promised
  int relaunches = 2;
  std::size_t cpus = 1;  ///< usable here
  Interrupt interrupt;
  std::function<bool()> is_urgent;                    ///< whether an interrupt is to end a visit in flight too
  std::function<void(const std::string& text)> tell;  ///< what the launcher said, and what it means, for the user
  std::function<void()> keep;                         ///< forces the journal to the disk
};

/// The text of a launcher as words: split on blanks, no quotes, no shell.
std::vector<std::string> launcher_words(const std::string& text);

/// Starts "LAUNCHER... PROGRAM launch DIR NUMBER" in a process group of its own, which a sentinel ends should this
/// process be killed. No record for longer than was promised, and the grace, means that the launch hangs: it is killed.
/// For the only thread of a process. The plan is borrowed.
class MpiLaunches final : public Launches {
 public:
  MpiLaunches(const CampaignPlan& plan, LauncherSetup setup);
  Launched launch(const LaunchOrder& order, Sink& sink, const Follow& follow) override;
  int most_relaunches() const override { return setup_.relaunches; }

 private:
  enum class End : unsigned char { by_itself, silent, stopped };
  Launch how_to_launch(const LaunchOrder& order, const std::string& mark) const;
  End watch(ChildProcess& launcher, ShardFollower& shard, const Follow& follow);
  bool look(ChildProcess& launcher) const;
  bool stop(ChildProcess& launcher, ShardFollower& shard);
  void tell_crowded(Sink& sink);
  void prepare(const LaunchOrder& order) const;
  std::string end(ChildProcess& launcher, const std::string& mark, End how);
  std::string loss(End how, const ShardFollower& shard, const std::string& ending, const std::string& output) const;
  void tell_refusal(const std::string& ending, const std::string& output) const;
  std::string text() const;

  const CampaignPlan& plan_;
  LauncherSetup setup_;
  int ranks_;
  std::string tag_;
  bool told_crowded_ = false;
  bool ever_began_ = false;
  std::optional<Sentinel> sentinel_;  ///< from the first launch on
};

}  // namespace assay
