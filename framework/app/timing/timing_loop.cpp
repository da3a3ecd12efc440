// SPDX-License-Identifier: Apache-2.0
// Checks, setups, warm-up, rounds of commands and the shell, cleanups: in this order.
#include "app/timing/timings.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "api/measurement.hpp"
#include "base/rng.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr std::size_t least_shell_starts = 10;
constexpr Nanoseconds most_time_of_shell = milliseconds(200);
constexpr std::size_t countless = 1'000'000'000;

/// Of a failing command: ignoring it is possible.
constexpr const char* ignore_remedy =
    "correct it, or measure it nevertheless with -i; --output inherit shows what it prints";
/// Of a failing setup, preparation or cleanup.
constexpr const char* append_remedy = "correct it, or append '|| true' where its failure does not matter";

Nanoseconds above_zero(Nanoseconds time) { return std::max(time, Nanoseconds{}); }

/// A word that a shell looks up as it stands: neither quoted, expanded nor an assignment.
bool is_shell_word(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./+").find(c) != std::string_view::npos;
  });
}

std::string first_word(const std::string& command) {
  const auto begin = command.find_first_not_of(" \t");
  if (begin == command.npos) return {};
  return command.substr(begin, command.find_first_of(" \t\n;|&<>()", begin) - begin);
}

[[noreturn]] void refuse_missing(const std::string& command, const std::string& why, const std::string& remedy = {}) {
  throw ConfigError(Problem{
      {"assay time"}, "command " + shown(command) + " cannot be run, and nothing was measured", why, remedy, true});
}

/// A command with what is run around it, all found.
struct ReadyCommand {
  const CommandToTime* what;
  std::unique_ptr<RepeatedCommand> command;
  std::unique_ptr<RepeatedCommand> prepare;
};

class TimingLoop {
 public:
  TimingLoop(const TimeRequest& request, const CommandMaker& make, const std::function<bool()>& is_interrupted,
             const TimeProgressTold& progress)
      : request_(request),
        make_(make),
        is_interrupted_(is_interrupted),
        progress_(progress),
        rule_(make_rule(rule_of(request))),
        rng_(Rng(request.seed).substream("time")) {}

  Timings run() {
    prepare_commands();
    found_.commands.resize(ready_.size());
    std::vector<std::size_t> all(ready_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (request_.is_interleaved()) {
      measure(all);
    } else {
      for (const std::size_t one : all) measure({one});
    }
    while (shell_ && shell_walls_.size() < least_shell_starts && !is_interrupted_()) time_shell();
    subtract_shell();
    return std::move(found_);
  }

 private:
  using Indexes = std::vector<std::size_t>;

  std::unique_ptr<RepeatedCommand> made(const std::string& text, bool is_timed) const {
    if (text.empty()) return nullptr;
    CommandPlan plan;
    plan.words = request_.shell;
    if (request_.shell.empty())
      plan.words = words_of_command(text);
    else
      plan.words.push_back(text);
    if (is_timed) {
      plan.input = request_.input;
      plan.output = request_.output;
    }
    plan.shows_output = request_.shows_output;
    try {
      return make_(plan);
    } catch (const Unsupported& missing) {
      refuse_missing(text, missing.what());
    }
  }

  void prepare_commands() {
    if (!request_.shell.empty()) {
      shell_ = made(" ", false);
      time_shell();
    }
    for (const CommandToTime& one : request_.commands) {
      require_in_shell(one.command);
      ready_.push_back({&one, made(one.command, true), made(one.prepare, false)});
    }
  }

  // A shell finds out only when it runs the command, which may be long after others were measured.
  void require_in_shell(const std::string& command) {
    const std::string word = first_word(command);
    if (request_.shell.empty() || !is_shell_word(word) || !looked_up_.insert(word).second) return;
    const auto look_up = made("command -v " + word + " >/dev/null", false);
    if (!look_up->run().succeeded())
      refuse_missing(command, "the shell finds no " + shown(word), "install the program, or correct its name");
  }

  // Once at first, which shows that it works, then in turn with the commands, since a start among them is slower than
  // one after another of its own.
  void time_shell() {
    const CommandEnd end = shell_->run();
    require(end, "the shell '" + request_.shell.front() + "', running nothing,",
            "name another one with --shell, or use -N");
    shell_walls_.add({end.wall.count / ns_in_ms, 0, 0, static_cast<int>(shell_walls_.size())});
    shell_start_ = headline(shell_walls_, times_alpha, 0);
    shell_spent_ += end.wall;
    shell_user_ += end.user;
    shell_system_ += end.system;
  }

  bool is_shell_due() const {
    return shell_ && (shell_walls_.size() < least_shell_starts || shell_spent_ < most_time_of_shell);
  }

  // Runs are kept as they were until the start is known from all of the session.
  void subtract_shell() {
    if (shell_walls_.empty()) return;
    const auto starts = static_cast<double>(shell_walls_.size());
    found_.shell = ShellStart{shell_start_, shell_user_ / starts, shell_system_ / starts};
    for (CommandTimes& times : found_.commands) {
      take_walls(times);
      for (TimedRun& run : times.runs) {
        run.wall = above_zero(run.wall - milliseconds(found_.shell->wall.value));
        run.user = above_zero(run.user - found_.shell->user);
        run.system = above_zero(run.system - found_.shell->system);
      }
    }
  }

  // Of runs as they were, less the start as it is known so far.
  void take_walls(CommandTimes& times) const {
    times.walls = {};
    for (const TimedRun& run : times.runs) add_wall(times, run);
  }

  void add_wall(CommandTimes& times, const TimedRun& run) const {
    const Nanoseconds wall = above_zero(run.wall - milliseconds(shell_start_.value));
    times.walls.add({wall.count / ns_in_ms, 0, 0, static_cast<int>(times.walls.size())});
  }

  void measure(const Indexes& group) {
    const auto clean_up = [&] { for_each_text(group, &CommandToTime::cleanup, "cleanup"); };
    try {
      for_each_text(group, &CommandToTime::setup, "setup");
      for (int k = 1; k <= request_.warmup; ++k)
        for (const std::size_t one : rng_.shuffled(group))
          if (!stops()) {
            tell_progress(one, k, 0);
            run_once(one, "in warm-up run " + std::to_string(k));
          }
      for (const std::size_t one : group) found_.commands[one].spent = {};
      rounds(group);
    } catch (...) {
      clean_up();
      throw;
    }
    clean_up();
  }

  // Once for all commands that have the same.
  void for_each_text(const Indexes& group, std::string CommandToTime::*text, const std::string& role) {
    std::set<std::string> done;
    for (const std::size_t one : group) {
      const std::string& command = ready_[one].what->*text;
      if (command.empty() || !done.insert(command).second) continue;
      require(made(command, false)->run(), role + " " + shown(command), append_remedy);
    }
  }

  void rounds(const Indexes& group) {
    Indexes open = group;
    for (int round = 0; !open.empty() && !stops(); ++round) {
      for (const std::size_t one : rng_.shuffled(open)) {
        if (stops()) break;
        tell_progress(one, 0, round);
        add(one, round);
      }
      if (is_shell_due() && !stops()) time_shell();
      if (is_over_limit()) break;
      std::erase_if(open, [this](std::size_t one) { return has_enough(one); });
    }
    for (const std::size_t one : open) {
      conclude(one);
      Outcome& outcome = found_.commands[one].verdict.outcome;
      if (outcome == Outcome::open) outcome = found_.was_interrupted ? Outcome::aborted : Outcome::max_time;
    }
  }

  void add(std::size_t one, int round) {
    CommandTimes& times = found_.commands[one];
    const CommandEnd end = run_once(one, "in run " + std::to_string(times.runs.size() + 1));
    if (stops()) return;  // the signal may have ended the run, too
    times.runs.push_back({round, end.wall, end.user, end.system, end.memory, end.is_upper_bound, end.exit_code});
    add_wall(times, times.runs.back());
  }

  void tell_progress(std::size_t one, int warmup, int rounds) const {
    if (!progress_) return;
    progress_([&] {
      const CommandTimes& times = found_.commands[one];
      TimeProgress now{ready_[one].what->name, warmup, request_.warmup, rounds};
      if (warmup > 0) return now;
      if (request_.is_exact) now.most_rounds = request_.most_runs;
      for (const CommandTimes& each : found_.commands) now.spent += each.spent;
      now.left = time_left(request_, found_.commands);
      if (!times.runs.empty()) now.median = headline(times.walls, times_alpha, 0);
      return now;
    });
  }

  CommandEnd run_once(std::size_t one, const std::string& when) {
    const ReadyCommand& ready = ready_[one];
    Nanoseconds spent{};
    if (ready.prepare) {
      const CommandEnd end = ready.prepare->run();
      require(end, "preparation " + shown(ready.what->prepare), append_remedy);
      spent = end.wall;
    }
    const CommandEnd end = ready.command->run();
    found_.commands[one].spent += spent + end.wall;
    if (!request_.ignores_failures) require(end, "command " + shown(ready.what->command), ignore_remedy, when);
    return end;
  }

  void require(const CommandEnd& end, const std::string& who, const std::string& remedy, const std::string& when = {}) {
    if (end.succeeded() || stops()) return;
    throw CommandFailed(who + " " + end.ending + (when.empty() ? "" : " " + when) +
                        (end.errors.empty() ? "" : ": " + end.errors) + "; " + remedy);
  }

  bool has_enough(std::size_t one) {
    CommandTimes& times = found_.commands[one];
    const auto runs = static_cast<int>(times.runs.size());
    if (request_.most_runs && runs >= *request_.most_runs) return conclude(one);
    const Nanoseconds limit = request_.time_limit.value_or(most_time_of_command);
    const Nanoseconds least = std::min(least_time_of_command, limit);
    if (request_.is_exact || runs < request_.least_runs || times.spent < least) return false;
    const bool is_first = times.verdict.reason.empty();
    if (!is_first && !rule_->is_look(runs) && times.spent < limit) return false;
    return conclude(one);
  }

  /// An interim analysis; true where it is the last.
  bool conclude(std::size_t one) {
    CommandTimes& times = found_.commands[one];
    take_walls(times);
    times.verdict = rule_->check(times.walls, {times.spent, 0});
    times.judged = times.spent;
    return times.verdict.stop() ||
           (request_.most_runs && times.runs.size() >= static_cast<std::size_t>(*request_.most_runs));
  }

  bool is_over_limit() const {
    if (!request_.time_limit) return false;
    Nanoseconds spent{};
    for (const CommandTimes& times : found_.commands) spent += times.spent;
    return spent >= *request_.time_limit;
  }

  bool stops() {
    found_.was_interrupted = found_.was_interrupted || is_interrupted_();
    return found_.was_interrupted;
  }

  const TimeRequest& request_;
  const CommandMaker& make_;
  const std::function<bool()>& is_interrupted_;
  const TimeProgressTold& progress_;
  std::unique_ptr<StoppingRule> rule_;
  Rng rng_;
  std::vector<ReadyCommand> ready_;
  std::unique_ptr<RepeatedCommand> shell_;  // running nothing; none without a shell
  Sample shell_walls_;                      // of its starts, in ms
  Estimate shell_start_;                    // of these
  Nanoseconds shell_spent_{};
  Nanoseconds shell_user_{};
  Nanoseconds shell_system_{};
  std::set<std::string> looked_up_;
  Timings found_;
};

}  // namespace

RuleSpec rule_of(const TimeRequest& request) {
  RuleSpec spec;
  constexpr std::size_t few = 5;
  spec.budget.min_timings = std::min(few, static_cast<std::size_t>(request.most_runs.value_or(few)));
  spec.budget.max_timings = request.most_runs ? static_cast<std::size_t>(*request.most_runs) : countless;
  spec.budget.max_time = request.is_exact ? seconds(1e9) : request.time_limit.value_or(most_time_of_command);
  return spec;
}

Timings take_timings(const TimeRequest& request, const CommandMaker& make, const std::function<bool()>& is_interrupted,
                     const TimeProgressTold& progress) {
  return TimingLoop(request, make, is_interrupted, progress).run();
}

}  // namespace assay
