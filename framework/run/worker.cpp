// SPDX-License-Identifier: Apache-2.0
// One request after the other, on the thread that is member 0.
#include "run/worker.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "platform/process.hpp"
#include "platform/self.hpp"
#include "run/last_word.hpp"
#include "run/message_codec.hpp"
#include "run/visit.hpp"
#include "run/warm_up.hpp"
#include "run/worker_clock.hpp"
#include "team/team.hpp"

namespace assay {
namespace {

/// What the exception being handled means for the incarnation.
FailedMessage explain() {
  try {
    throw;
  } catch (const Unsupported& error) {
    return {Outcome::unsupported, error.what(), error.code()};
  } catch (const std::exception& error) {
    return {Outcome::failed, error.what(), {}};
  } catch (...) {
    return {Outcome::failed, "something that is not a std::exception was thrown", {}};
  }
}

int stack_padding() {
  const char* text = std::getenv(padding_variable);
  return text ? static_cast<int>(std::strlen(text)) : 0;
}

class Service {
 public:
  Service(const Registry& registry, int descriptor) : registry_(registry), socket_(descriptor) {
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

  const Registry& registry_;
  LineSocket socket_;
  std::int64_t request_ = last_word;
  bool failed_ = false;
  const Entry* entry_ = nullptr;
  Traits traits_;
  std::unique_ptr<Team> team_;
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
  // The other members may wait for the failed one for ever: to wait for their end would be in vain.
  if (team_) std::_Exit(1);
}

TeamRequest Service::team_request(const OpenMessage& open, const Stopwatch& stopwatch) {
  const auto last_one = [socket = socket_.descriptor(), leader = own_pid()](int rank, const std::string& why) {
    const LastWord word(rank, why);
    end_with_last_word(socket, word.line(), leader);
  };
  return {open.point, open.vehicle, open.members, open.placement, open.bystander, stopwatch, open.seed, last_one};
}

Reply Service::serve(const OpenMessage& open) {
  if (team_) throw std::logic_error("protocol error: opened twice");
  entry_ = registry_.find(open.measurement);
  if (!entry_) throw std::invalid_argument("measurement '" + open.measurement + "' is not registered");
  traits_ = traits_at(entry_->description, open.point);
  const WorkerClock clock = measure_clock(open.counter_clock);
  team_ = open_team(*entry_, team_request(open, clock.stopwatch));
  const WarmUp warm = warm_up(*team_, entry_->description, traits_.reps, open.warm_up, MonotonicClock());
  // Each member has read its binding back and refused any other than the placement's.
  return Opened{own_pid(),
                open.placement.cpus,
                warm.time,
                warm.reps,
                stack_padding(),
                clock.facts.step,
                clock.facts.read_cost,
                clock.facts.cost_spread};
}

Reply Service::serve(const VisitOrder& order) {
  if (!team_) throw std::logic_error("protocol error: a visit before anything is open");
  return execute_visit(*team_, order, entry_->description, traits_);
}

Reply Service::serve(const DescribeMessage&) {
  Described described;
  for (const Entry& entry : registry_.entries()) described.measurements.push_back(entry.description);
  return described;
}

}  // namespace

int serve_as_worker(const Registry& registry, int descriptor) { return Service(registry, descriptor).run(); }

}  // namespace assay
