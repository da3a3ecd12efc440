// SPDX-License-Identifier: Apache-2.0
// Commands that take what a test says, and a note of every run.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "app/timing/timings.hpp"

namespace assay::test {

/// A run that took so many milliseconds and ended well.
inline CommandEnd took(double ms) {
  CommandEnd end;
  end.wall = milliseconds(ms);
  end.user = milliseconds(ms / 2);
  end.system = milliseconds(ms / 4);
  end.memory = 1 << 20;
  end.exit_code = 0;
  end.ending = "exited 0";
  return end;
}

/// A run that ended with this exit code.
inline CommandEnd ended_with(int code) {
  CommandEnd end = took(1);
  end.exit_code = code;
  end.ending = "exited " + std::to_string(code);
  end.errors = "no such pattern";
  return end;
}

/// Stands for the machine: what is not known there is missing.
class FakeCommands {
 public:
  using Behaviour = std::function<CommandEnd(int run)>;

  /// What the n-th run of this command does, counted from 0.
  void set(const std::string& command, Behaviour behaviour) { known_[command] = std::move(behaviour); }
  void set(const std::string& command, double ms) {
    set(command, [ms](int) { return took(ms); });
  }

  /// What the n-th start of the shell alone does; 1 ms unless set.
  void set_shell(Behaviour behaviour) { shell_ = std::move(behaviour); }

  CommandMaker maker() {
    return [this](const CommandPlan& plan) -> std::unique_ptr<RepeatedCommand> {
      if (plan.words.front() == "sh") return std::make_unique<Run>(*this, plan.words.back());
      std::string text;
      for (const std::string& word : plan.words) text += (text.empty() ? "" : " ") + word;
      if (!known_.contains(text)) throw Unsupported("'" + plan.words.front() + "' is not on the path");
      return std::make_unique<Run>(*this, text);
    };
  }

  /// Every run so far in order, without those of the shell alone and of its look-ups.
  const std::vector<std::string>& log() const { return log_; }
  int shell_starts() const { return shell_starts_; }

 private:
  class Run final : public RepeatedCommand {
   public:
    Run(FakeCommands& all, std::string text) : all_(all), text_(std::move(text)) {}
    CommandEnd run() override { return all_.run(text_); }

   private:
    FakeCommands& all_;
    std::string text_;
  };

  CommandEnd run(const std::string& text) {
    constexpr std::string_view look_up = "command -v ";
    if (text == " ") return shell_(shell_starts_++);
    if (text.starts_with(look_up)) {
      const std::string word = text.substr(look_up.size(), text.find(" >") - look_up.size());
      for (const auto& one : known_)
        if (one.first.substr(0, one.first.find(' ')) == word) return took(1);
      return ended_with(127);
    }
    log_.push_back(text);
    return known_.at(text)(runs_[text]++);
  }

  std::map<std::string, Behaviour> known_;
  Behaviour shell_ = [](int) { return took(1); };
  std::map<std::string, int> runs_;
  std::vector<std::string> log_;
  int shell_starts_ = 0;
};

/// A request for these commands, without a shell.
inline TimeRequest request_for(const std::vector<std::string>& commands) {
  TimeRequest request;
  request.shell.clear();
  for (const std::string& one : commands) request.commands.push_back({one, one});
  return request;
}

/// The same for so many runs of each.
inline TimeRequest request_for(const std::vector<std::string>& commands, int runs) {
  TimeRequest request = request_for(commands);
  request.least_runs = runs;
  request.most_runs = runs;
  request.is_exact = true;
  return request;
}

inline Timings timings_of(const TimeRequest& request, FakeCommands& commands) {
  return take_timings(request, commands.maker(), [] { return false; });
}

}  // namespace assay::test
