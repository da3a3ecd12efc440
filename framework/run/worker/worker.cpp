// SPDX-License-Identifier: Apache-2.0
// One request after the other, on the thread that is member 0.
#include "run/worker/worker.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "platform/clock/cycle_counter.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/machine/limits.hpp"
#include "platform/machine/machine.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"
#include "platform/procfs/process_state.hpp"
#include "run/protocol/last_word.hpp"
#include "run/protocol/messages.hpp"
#include "run/worker/visit.hpp"
#include "run/worker/worker_clock.hpp"
#include "team/local/mailbox.hpp"
#include "team/team.hpp"

namespace assay {
namespace {

/// What the exception being handled means for the incarnation.
FailedMessage explain() {
  try {
    throw;
  } catch (const Unsupported& error) {
    return {error.code().empty() ? Outcome::unsupported : Outcome::not_applicable, error.what(), error.code()};
  } catch (const std::bad_alloc& error) {
    return {Outcome::failed, out_of_memory(error), {}};
  } catch (const PlatformError& error) {
    const std::string limit = limit_behind(error.error_number());
    if (limit.empty()) return {Outcome::failed, error.what(), {}};
    return {Outcome::unsupported, std::string(error.what()) + "; " + limit, {}};
  } catch (const std::exception& error) {
    return {Outcome::failed, error.what(), {}};
  } catch (...) {
    return {Outcome::failed, "something that is not a std::exception was thrown", {}};
  }
}

/// Times between stamps of different members can be negative, where their clocks differ.
bool compares_stamps(const Description& description) {
  return std::ranges::any_of(description.quantities, [](const Quantity& quantity) {
    return quantity.unit == Unit::nanoseconds && quantity.is_signed;
  });
}

/// Refuses what is timed from one CPU to another where their counters are no single clock; round trips need none.
void check_pairs(const Description& description, const OpenMessage& open, const WorkerClock& clock) {
  if (!open.counter_clock || !compares_stamps(description)) return;
  const std::vector<int>& cpus = open.placement.cpus;
  for (std::size_t i = 1; i < cpus.size(); ++i) {
    if (cpus[i] == cpus[0]) continue;
    const std::string why =
        counter_pair_objection(cpus[0], cpus[i], clock.ns_per_tick, [&](int) { return clock.stopwatch.start(); });
    if (!why.empty())
      throw Unsupported("no one-way times by the cycle counters of CPUs " + std::to_string(cpus[0]) + " and " +
                        std::to_string(cpus[i]) + ": " + why + "; use clock = monotonic");
  }
}

int stack_padding() {
  const char* text = std::getenv(padding_variable);
  return text ? static_cast<int>(std::strlen(text)) : 0;
}

/// Tells the supervisor that a long request is being worked on.
class Heartbeat {
 public:
  explicit Heartbeat(LineSocket& socket) : socket_(socket) {}
  /// A request has come, and its answer with number `request` may take long.
  void begin(std::int64_t request) {
    request_ = request;
    last_ = clock_.now();
  }
  void beat() {
    if (clock_.now() - last_ < pause) return;
    socket_.send(encode(Reply(AliveMessage{}), request_));
    last_ = clock_.now();
  }

 private:
  static constexpr Nanoseconds pause = seconds(1);
  LineSocket& socket_;
  MonotonicClock clock_;
  std::int64_t request_ = last_word;
  Instant last_{};
};

/// The registry in which the measurement of that name is found, if anywhere; for an empty name, all are in it.
using RegistryFor = std::function<const Registry&(std::string_view name)>;

class Service {
 public:
  Service(RegistryFor registry_for, int descriptor) : registry_for_(std::move(registry_for)), socket_(descriptor) {
    close_on_exec(descriptor);
  }

  int run();

 private:
  void answer(const std::string& line);
  void fail(const FailedMessage& failed);
  TeamRequest team_request(const OpenMessage& open, const Stopwatch& stopwatch);
  Reply serve(const OpenMessage& open);
  Reply serve(const VisitOrder& order);
  Reply serve(const DescribeMessage& describe);

  RegistryFor registry_for_;
  LineSocket socket_;
  Heartbeat heartbeat_{socket_};
  std::int64_t request_ = last_word;
  bool failed_ = false;
  const Entry* entry_ = nullptr;
  Traits traits_;
  bool is_bound_ = false;
  std::unique_ptr<Team> team_;
  ProcessState state_;  ///< as the team's opening left it: constructors may prepare the process, batches may not
};

int Service::run() {
  std::string line;
  while (!failed_) {
    const LineSocket::Status status = socket_.receive(line, std::nullopt);
    if (status == LineSocket::Status::closed) return 0;
    if (status == LineSocket::Status::line)
      answer(line);
    else
      fail({Outcome::failed, "protocol error: a request without an end", {}});
  }
  return 1;
}

void Service::answer(const std::string& line) {
  try {
    const NumberedRequest asked = decode_request(line);
    request_ = asked.number;
    heartbeat_.begin(request_);
    const Reply reply = std::visit([this](const auto& request) { return serve(request); }, asked.request);
    // Parked before the answer leaves: the supervisor may send another worker to measure as soon as it has it.
    if (team_) team_->park();
    socket_.send(encode(reply, request_));
  } catch (...) {
    fail(explain());
  }
}

void Service::fail(const FailedMessage& failed) {
  socket_.send(encode(Reply(failed), request_));
  failed_ = true;
  // The other members may wait for the failed one forever: to wait for their end would be in vain.
  if (team_) std::_Exit(1);
}

TeamRequest Service::team_request(const OpenMessage& open, const Stopwatch& stopwatch) {
  const auto last_one = [socket = socket_.descriptor(), leader = own_pid()](int rank, const std::string& why) {
    const LastWord word(rank, why);
    end_with_last_word(socket, word.line(), leader);
  };
  return {open.point, open.vehicle, open.members, open.placement, open.policy,   open.bystander,
          stopwatch,  open.seed,    last_one,     std::nullopt,   open.loop_copy};
}

Reply Service::serve(const OpenMessage& open) {
  if (team_) throw std::logic_error("protocol error: opened twice");
  entry_ = registry_for_(open.measurement).find(open.measurement);
  if (!entry_) throw std::invalid_argument("measurement '" + open.measurement + "' is not registered");
  traits_ = traits_at(entry_->description, open.point);
  is_bound_ = open.placement.bound();
  const WorkerClock clock = measure_clock(open.counter_clock);
  check_pairs(entry_->description, open, clock);
  team_ = open_team(*entry_, team_request(open, clock.stopwatch));
  state_ = process_state();
  const WarmUp warm =
      warm_up(*team_, entry_->description, traits_, open.warm_up, MonotonicClock(), [this] { heartbeat_.beat(); });
  // Each member has read its binding back and refused any other than the placement's.
  return Opened{own_pid(),
                open.placement.cpus,
                warm.time,
                warm.reps,
                stack_padding(),
                clock.facts.step,
                clock.facts.read_cost,
                clock.facts.cost_spread,
                warm.took,
                own_library(),
                open.loop_copy};
}

Reply Service::serve(const VisitOrder& order) {
  if (!team_) throw std::logic_error("protocol error: a visit before anything is open");
  VisitYield yield = execute_visit(*team_, order, entry_->description, traits_, [this] { heartbeat_.beat(); });
  yield.changed = changes_between(state_, process_state());
  if (is_bound_) yield.apart_cpus.clear();  // the supervisor knows them
  return yield;
}

Reply Service::serve(const DescribeMessage&) {
  Described described;
  for (const Entry& entry : registry_for_({}).entries()) described.measurements.push_back(entry.description);
  return described;
}

}  // namespace

int serve_as_worker(const Registry& registry, int descriptor) {
  return Service([&](std::string_view) -> const Registry& { return registry; }, descriptor).run();
}

int serve_as_worker(const std::function<void(Registry&, std::string_view)>& fill, int descriptor) {
  Registry filled;
  const auto registry_for = [&](std::string_view name) -> const Registry& {
    if (filled.entries().empty()) fill(filled, name);
    return filled;
  };
  return Service(registry_for, descriptor).run();
}

int refuse_as_worker(const std::string& why, int descriptor) {
  LineSocket socket(descriptor);
  std::string line;
  if (socket.receive(line, std::nullopt) == LineSocket::Status::line)
    socket.send(encode(Reply(FailedMessage{Outcome::unsupported, why, {}}), decode_request(line).number));
  return 1;
}

}  // namespace assay
