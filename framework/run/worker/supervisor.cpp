// SPDX-License-Identifier: Apache-2.0
// Opening, visiting and ending workers, of which a failure costs the incarnation and nothing else; and the pool of
// parked ones: memory, threads, descriptors.
#include "run/worker/supervisor.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "base/typed.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/machine/limits.hpp"
#include "platform/machine/machine.hpp"
#include "platform/process/leftovers.hpp"
#include "run/worker/opening.hpp"
#include "run/worker/worker.hpp"

namespace assay {
namespace {

constexpr std::size_t bytes_each = std::size_t{8} << 20;
constexpr std::size_t descriptors_each = 2;
constexpr std::size_t least = 8;

}  // namespace

std::size_t largest_team(const CampaignPlan& plan) {
  double largest = 1;
  for (const SeriesPlan& series : plan.series) {
    largest = std::max(largest, static_cast<double>(series.measurement.members.least));
    for (const FactorDomain& factor : series.factors)
      if (factor.name == "members")
        for (const Value& level : factor.domain.levels) largest = std::max(largest, number_of(level).value_or(1));
  }
  return static_cast<std::size_t>(largest);
}

std::size_t pool_size(const CampaignPlan& plan, const PoolLimits& limits) {
  const std::size_t threads_each = largest_team(plan) + 1;
  const std::size_t room = std::min(
      {limits.memory / 4 / bytes_each, limits.threads / 2 / threads_each, limits.descriptors / 2 / descriptors_each});
  return std::min(std::max(room, least), static_cast<std::size_t>(std::max(plan.max_workers, 1)));
}

std::size_t pool_size(const CampaignPlan& plan) {
  const Headroom headroom = process_headroom();
  return pool_size(plan, {available_memory(), headroom.threads, headroom.descriptors});
}

std::vector<std::string> limit_warnings(const CampaignPlan& plan) {
  std::vector<std::string> warnings;
  const auto cpu = cpu_time_left();
  if (cpu && (!plan.time_limit || *plan.time_limit > *cpu))
    warnings.push_back("each process may use " + duration_text(*cpu) +
                       " of CPU time (ulimit -t), after which the kernel ends it; " +
                       (plan.time_limit ? "the campaign's time limit is longer" : "the campaign has no time limit"));
  const std::size_t team = largest_team(plan);
  if (const std::size_t room = process_headroom().threads; team > room)
    warnings.push_back("the largest team has " + std::to_string(team) + " members, and there is room for " +
                       std::to_string(room) + " threads: " + thread_limit(team));
  return warnings;
}

namespace {

constexpr Nanoseconds supervisor_farewell = seconds(1);
constexpr std::uint64_t padding_unit = 16;
constexpr std::uint64_t most_padding = 4096;

/// Empty for one that is not bound.
std::vector<int> cpus_of(const CampaignPlan& plan, const IncarnationKey& key) {
  const SeriesPlan& series = plan.series.at(key.series);
  return key.point.find("placement") ? placement_of(series, key.point).cpus : std::vector<int>{};
}

/// What starts a worker: the program, or a loader with the program and the place of its libraries.
std::vector<std::string> command_of(const Variant* variant, const std::string& usual) {
  const std::string& program = variant != nullptr && !variant->program.empty() ? variant->program : usual;
  if (variant == nullptr || variant->loader.empty()) return {program};
  std::vector<std::string> command{variant->loader};
  if (!variant->libraries.empty()) {
    std::string path;
    for (const std::string& folder : variant->libraries) path += (path.empty() ? "" : ":") + folder;
    command.insert(command.end(), {"--library-path", path});
  }
  command.push_back(program);
  return command;
}

/// What an opened worker got wrong; empty when nothing.
std::string fault_of(const Opened& opened, int pid, int members) {
  if (opened.process != pid) return "another process opened the incarnation";
  if (!opened.cpus.empty() && std::cmp_not_equal(opened.cpus.size(), members)) return "bindings of another team";
  return {};
}

/// What a worker got wrong in a visit; empty when nothing.
std::string fault_of(const VisitYield& yield, const VisitOrder& order, int members) {
  if (std::cmp_not_equal(yield.batches.size(), yield.discarded + order.batches)) return "another number of batches";
  for (const Batch& batch : yield.batches)
    if (batch.reps != order.reps || std::cmp_not_equal(batch.members.size(), members))
      return "a batch of another length or team";
  return {};
}

}  // namespace

Supervisor::Supervisor(const CampaignPlan& plan, std::string program, Interrupt interrupt)
    : plan_(plan),
      program_(std::move(program)),
      interrupt_(std::move(interrupt)),
      rng_(plan.seed),
      capacity_(pool_size(plan)),
      tag_(new_run_tag()),
      sentinel_(tag_) {}

Supervisor::~Supervisor() {
  for (Worker& worker : workers_) worker.link.dismiss();
  const MonotonicClock clock;
  const Instant until = clock.now() + supervisor_farewell;
  for (Worker& worker : workers_) worker.link.end(std::max(Nanoseconds{}, until - clock.now()));
}

Supervisor::Position Supervisor::find(const IncarnationKey& key) {
  return std::ranges::find(workers_, key, &Worker::key);
}

Supervisor::Position Supervisor::start(const IncarnationKey& key, int members, std::uint64_t padding) {
  const std::string mark = tag_ + "." + std::to_string(++started_);
  std::vector<std::string> environment{std::string(padding_variable) + '=' + std::string(padding, 'x')};
  const Variant* variant = variant_at(plan_, key.point);
  if (variant != nullptr) std::ranges::copy(variant->environment, std::back_inserter(environment));
  environment.push_back(std::string(run_variable) + '=' + mark);
  const bool other_plugins = variant != nullptr && !variant->plugins.empty();
  try {
    workers_.push_front({key, members, mark,
                         WorkerLink(command_of(variant, program_), other_plugins ? variant->plugins : plan_.plugins,
                                    environment, plan_.limits)});
  } catch (const PlatformError& error) {
    throw VisitFailed(Outcome::failed, error.what());
  }
  sentinel_.watch(workers_.front().link.pid());
  return workers_.begin();
}

/// Forgets a worker that was ended, and sees to what that left behind.
void Supervisor::drop(Position worker) {
  const std::string name = name_of(worker->key, plan_.series.at(worker->key.series));
  if (worker->link.unkillable()) {
    std::string given_up;
    for (const int cpu : cpus_of(plan_, worker->key)) {
      lost_cpus_.insert(cpu);
      given_up += (given_up.empty() ? "; no point is measured any more on CPU " : ", ") + std::to_string(cpu);
    }
    notes_.push_back("series " + name + ": worker " + std::to_string(worker->link.pid()) + " cannot be killed" +
                     given_up);
  } else {
    sentinel_.forget(worker->link.pid());
    // A look at all processes is expensive, and hardly ever needed.
    if (worker->link.left_something())
      for (const std::string& left : end_marked(worker->mark))
        notes_.push_back("series " + name + ": remained after its worker had ended, and was killed: " + left);
  }
  workers_.erase(worker);
}

void Supervisor::refuse_lost_cpus(const IncarnationKey& key) const {
  for (const int cpu : cpus_of(plan_, key))
    if (lost_cpus_.contains(cpu))
      throw VisitFailed(Outcome::failed,
                        "CPU " + std::to_string(cpu) + " is occupied by a worker that cannot be killed");
}

/// Puts a question to a worker, which is forgotten when it fails.
template <class Question>
auto Supervisor::ask(Position worker, Question question) {
  try {
    return question(*worker);
  } catch (const std::runtime_error&) {  // failed or aborted
    drop(worker);
    throw;
  }
}

Opened Supervisor::open(const IncarnationKey& key) {
  close(key);
  refuse_lost_cpus(key);
  const SeriesPlan& series = plan_.series.at(key.series);
  Rng rng = rng_.substream("incarnation/" + name_of(key, series));
  const std::uint64_t padding = padding_unit * rng.below(most_padding / padding_unit + 1);
  const OpenMessage message = open_message(plan_, key, rng.next());
  const Nanoseconds deadline = 20 * series.precision.warm_up + series.precision.deadline;
  return ask(start(key, message.members, padding), [&](Worker& worker) {
    auto opened = worker.link.ask<Opened>(message, deadline, interrupt_);
    if (const std::string fault = fault_of(opened, worker.link.pid(), worker.members); !fault.empty())
      worker.link.break_off(fault);
    return opened;
  });
}

VisitYield Supervisor::visit(const IncarnationKey& key, const VisitOrder& order) {
  const Position position = find(key);
  if (position == workers_.end()) throw std::logic_error("visit to an incarnation that is not open");
  return ask(position, [&](Worker& worker) {
    auto yield = worker.link.ask<VisitYield>(order, order.deadline, interrupt_);
    if (const std::string fault = fault_of(yield, order, worker.members); !fault.empty()) worker.link.break_off(fault);
    return yield;
  });
}

void Supervisor::close(const IncarnationKey& key) {
  const Position worker = find(key);
  if (worker == workers_.end()) return;
  worker->link.end(supervisor_farewell);
  drop(worker);
}

void Supervisor::close_all(const std::vector<IncarnationKey>& keys) {
  for (const IncarnationKey& key : keys)
    if (const Position worker = find(key); worker != workers_.end()) worker->link.dismiss();
  for (const IncarnationKey& key : keys) close(key);
}

}  // namespace assay
