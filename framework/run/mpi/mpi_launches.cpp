// SPDX-License-Identifier: Apache-2.0
// One launcher process at a time, and every way in which it can end.
#include "run/mpi/mpi_launches.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/value.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/machine/identity.hpp"
#include "platform/process/leftovers.hpp"
#include "platform/process/program.hpp"
#include "run/mpi/shard.hpp"
#include "text/number_format.hpp"
#include "text/utf8.hpp"

namespace assay {
namespace {

constexpr Nanoseconds look_every = milliseconds(200);
constexpr Nanoseconds stop_within = milliseconds(500);  // of rank 0, after which the visit in flight is given up
constexpr Nanoseconds launcher_farewell = seconds(3);   // for a launcher that is to end its ranks
constexpr Nanoseconds last_words = seconds(2);
constexpr const char* ranks_word = "{n}";
constexpr const char* give_way = "OMPI_MCA_mpi_yield_when_idle";

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// What a rank, or else the launcher, said last of what went wrong.
std::string last_error(const std::string& output) {
  constexpr std::string_view ours = "assay: error: ";
  auto from = output.rfind(ours);
  if (from != std::string::npos) {
    from += ours.size();
    return output.substr(from, std::min(output.find('\n', from), output.size()) - from);
  }
  return {};
}

std::string hint(const std::string& output) {
  if (output.find("allow-run-as-root") != std::string::npos)
    return "as root, Open MPI requires --allow-run-as-root in the launcher";
  if (output.find("slots") != std::string::npos)
    return "more ranks than slots of the launcher: Open MPI requires --oversubscribe, or --map-by :OVERSUBSCRIBE";
  return "test the launcher with a small program, and set it with --launcher";
}

}  // namespace

std::vector<std::string> launcher_words(const std::string& text) {
  std::vector<std::string> words;
  constexpr const char* blanks = " \t";
  for (auto from = text.find_first_not_of(blanks); from != std::string::npos;) {
    const auto end = std::min(text.find_first_of(blanks, from), text.size());
    words.push_back(text.substr(from, end - from));
    from = text.find_first_not_of(blanks, end);
  }
  return words;
}

MpiLaunches::MpiLaunches(const CampaignPlan& plan, LauncherSetup setup)
    : plan_(plan), setup_(std::move(setup)), ranks_(ranks_needed(plan)), tag_(new_run_tag()) {}

std::string MpiLaunches::text() const {
  std::string text;
  for (const std::string& word : setup_.words) text += (text.empty() ? "" : " ") + word;
  replace_all(text, ranks_word, std::to_string(ranks_));
  return text;
}

Launch MpiLaunches::how_to_launch(const LaunchOrder& order, const std::string& mark) const {
  std::vector<std::string> words = setup_.words;
  for (std::string& word : words) replace_all(word, ranks_word, std::to_string(ranks_));
  const auto launcher = program_on_path(words.front());
  if (!launcher) throw PlatformError("the launcher '" + words.front() + "' is not on the path", 0);
  Launch launch{*launcher, {words.begin() + 1, words.end()}, {std::string(run_variable) + "=" + mark}, false};
  launch.arguments.insert(launch.arguments.end(),
                          {setup_.program, "launch", plan_.output, std::to_string(order.launch)});
  if (setup_.has_threads) launch.arguments.emplace_back("--threads");
  for (const std::string& plugin : plan_.plugins) launch.arguments.insert(launch.arguments.end(), {"--plugin", plugin});
  if (std::cmp_greater(ranks_, setup_.cpus) && std::getenv(give_way) == nullptr)
    launch.environment.push_back(std::string(give_way) + "=1");
  return launch;
}

MpiLaunches::End MpiLaunches::watch(ChildProcess& launcher, ShardFollower& shard, const Follow& follow) {
  const MonotonicClock clock;
  Instant heard = clock.now();
  while (!look(launcher)) {
    if (shard.look()) {
      heard = clock.now();
      const auto& visit = shard.in_flight();
      if (visit) follow("launch, series " + visit->series + " " + to_text(visit->point), shard.points());
    }
    if (setup_.interrupt.requested()) return stop(launcher, shard) ? End::by_itself : End::stopped;
    const Nanoseconds allowed = shard.began() ? shard.next() + setup_.grace : setup_.patience;
    if (clock.now() - heard > allowed) return End::silent;
  }
  shard.look();
  return End::by_itself;
}

/// Sleeps a while, or until the launcher has ended: true then.
bool MpiLaunches::look(ChildProcess& launcher) const {
  std::string line;
  const auto status = launcher.socket().receive(line, look_every, setup_.interrupt);
  // A launcher may close what it does not know, and live on.
  return launcher.wait(status == LineSocket::Status::closed ? look_every : Nanoseconds{});
}

/// Asks rank 0 for an end in good order; true when it came in time.
bool MpiLaunches::stop(ChildProcess& launcher, ShardFollower& shard) {
  launcher.send(SIGUSR1);  // launchers pass it on, and no process dies of it
  const MonotonicClock clock;
  const Instant asked = clock.now();
  const auto patience = [&] { return setup_.is_urgent() ? stop_within : shard.next() + setup_.grace; };
  while (!shard.ended() && clock.now() - asked < patience()) {
    if (launcher.wait(milliseconds(20))) break;
    shard.look();
  }
  shard.look();
  return shard.ended() && launcher.wait(last_words);
}

/// Ends the launcher and everything that it started; returns how it ended. Where ranks stand still there is no asking:
/// launchers wake what was stopped before they end it, and the visit would go on as if nothing had been.
std::string MpiLaunches::end(ChildProcess& launcher, const std::string& mark, End how) {
  if (how != End::silent && !launcher.wait({})) {
    launcher.send(SIGTERM);  // so that it ends its ranks, those of other nodes included
    launcher.wait(launcher_farewell);
  }
  const std::string ending = launcher.kill_group();
  if (!launcher.unkillable()) sentinel_->forget(launcher.pid());
  end_marked(mark);
  return ending;
}

std::string MpiLaunches::loss(End how, const ShardFollower& shard, const std::string& ending,
                              const std::string& output) const {
  if (how == End::stopped) return "stopped on request";
  const std::string said = last_error(output);
  if (how == End::silent) {
    if (!shard.began())
      return "no rank wrote anything within " + in_seconds(setup_.patience) + " (launch-deadline); killed";
    return "no record within " + in_seconds(shard.next()) + " and " + in_seconds(setup_.grace) +
           " of grace: a rank waits forever, or is stopped; killed";
  }
  return (said.empty() ? "" : said + "; ") + ("the launcher " + ending);
}

void MpiLaunches::tell_refusal(const std::string& ending, const std::string& output) const {
  setup_.tell(output + "assay: error: the launcher '" + text() + "' started no ranks: it " + ending + "; " +
              hint(output) + "\n");
}

void MpiLaunches::tell_crowded(Sink& sink) {
  if (std::cmp_less_equal(ranks_, setup_.cpus) || std::exchange(told_crowded_, true)) return;
  sink.write(NoteRecord{std::to_string(ranks_) + " ranks on " + std::to_string(setup_.cpus) +
                        " CPUs, if the launcher puts all of them here: Open MPI was set to yield while it waits (" +
                        give_way + ")"});
}

void MpiLaunches::prepare(const LaunchOrder& order) const {
  WrittenOrder written{order, setup_.configuration, {}, host_name()};
  for (const SeriesPlan& series : plan_.series) written.builds.emplace_back(series.name, series.build);
  remove_shard(plan_.output, order.launch);
  write_order(plan_.output, written);
  // Rank 0 reads the journal, maybe on another node.
  setup_.keep();
}

Launched MpiLaunches::launch(const LaunchOrder& order, Sink& sink, const Follow& follow) {
  if (!sentinel_) sentinel_.emplace(tag_);
  tell_crowded(sink);
  prepare(order);
  const std::string mark = tag_ + "." + std::to_string(order.launch);
  ChildProcess launcher(how_to_launch(order, mark));
  sentinel_->watch(launcher.pid());
  ShardFollower shard(shard_directory(plan_.output, order.launch) + "/" + journal_name);
  const End how = watch(launcher, shard, follow);
  const std::string ending = end(launcher, mark, how);
  const std::string output = launcher.output();
  const bool is_silent = how == End::silent;
  const bool is_stopped = how == End::stopped;
  const std::string why = loss(how, shard, ending, output);
  const ShardEnd told = import_shard(plan_.output, order.launch, order.session, "lost: " + why, sink);
  ever_began_ = ever_began_ || told.began;
  if (!ever_began_ && !is_stopped) tell_refusal(ending, output);
  setup_.keep();
  remove_shard(plan_.output, order.launch);
  return {told.began,
          is_stopped && told.ended.empty() ? "signal" : told.ended,
          is_stopped ? std::max(1, told.left) : told.left,
          told.in_flight,
          is_silent ? Outcome::timeout : Outcome::failed,
          why,
          {is_silent ? "silent" : "", output, {}}};
}

}  // namespace assay
