// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a conversation with a worker, each with its own words.
#include "run/worker/worker_link.hpp"

#include <algorithm>
#include <csignal>

#include "base/value.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/process/self.hpp"
#include "run/protocol/messages.hpp"
#include "text/json.hpp"
#include "text/number_format.hpp"
#include "text/utf8.hpp"

namespace assay {
namespace {

/// A worker that was heard of this shortly before its deadline was slow, not silent.
constexpr Nanoseconds lively = seconds(2);
constexpr double lively_share = 0.25;  ///< or within this share of the deadline
constexpr Nanoseconds worker_farewell = seconds(1);

std::vector<std::string> arguments_of(const std::vector<std::string>& command, const std::vector<std::string>& plugins,
                                      const WorkerLimits& limits) {
  std::vector<std::string> arguments(command.begin() + 1, command.end());
  arguments.emplace_back("worker");
  if (limits.memory) arguments.insert(arguments.end(), {"--memory", std::to_string(*limits.memory)});
  if (limits.keep_cores) arguments.emplace_back("--keep-cores");
  for (const std::string& plugin : plugins) arguments.insert(arguments.end(), {"--plugin", plugin});
  return arguments;
}

std::string last_line(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  text = text.substr(0, text.find_last_not_of(white) + 1);
  const auto start = text.rfind('\n');
  if (start != std::string_view::npos) text.remove_prefix(start + 1);
  return std::string(text.substr(std::min(text.find_first_not_of(white), text.size())));
}

/// The text with every byte that is neither UTF-8 nor a printable character, a tab or an end of line as '?'.
std::string legible(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, size] = character_at(text, at);
    if (size == 0 || (size == 1 && code < ' ' && code != '\n' && code != '\t') || code == 0x7F) text[at] = '?';
    at += std::max<std::size_t>(size, 1);
  }
  return text;
}

}  // namespace

WorkerLink::WorkerLink(const std::vector<std::string>& command, const std::vector<std::string>& plugins,
                       const std::vector<std::string>& environment, const WorkerLimits& limits)
    : process_({command.front(), arguments_of(command, plugins, limits), environment, true}),
      before_(out_of_memory_kills()) {}

Reply WorkerLink::converse(const Request& request, Nanoseconds deadline, const Interrupt& interrupt) {
  const MonotonicClock clock;
  const Instant start = clock.now();
  heard_ = start;
  // A worker that is gone already may have left a reason: it is read below.
  process_.socket().send(encode(request, ++requests_));
  for (std::string line;;) {
    // A sign of life does not move the deadline.
    const Nanoseconds left = std::max(Nanoseconds{}, deadline - (clock.now() - start));
    switch (process_.socket().receive(line, left, interrupt)) {
      case LineSocket::Status::line:
        if (Reply reply = understand(line); !std::holds_alternative<AliveMessage>(reply)) return reply;
        heard_ = clock.now();
        continue;
      case LineSocket::Status::closed:
        // A signal to the whole job may have ended it before it could shut its ears.
        if (interrupt.requested && interrupt.requested()) abort();
        fail(Outcome::failed, ending());
      case LineSocket::Status::timeout:
        miss(deadline);
      case LineSocket::Status::interrupted:
        abort();
      case LineSocket::Status::too_long:
        break_off("a line without an end");
    }
  }
}

void WorkerLink::abort() {
  process_.kill_group();
  throw VisitAborted();
}

void WorkerLink::miss(Nanoseconds deadline) {
  const Nanoseconds since = MonotonicClock().now() - heard_;
  const bool alive = since < std::min(deadline, std::max(lively, lively_share * deadline));
  Evidence seen{alive ? "slow but alive" : "silent", {}, threads_of_group(process_.pid())};
  const std::string doing = describe_threads(seen.threads);
  fail(Outcome::timeout,
       "no answer within " + in_seconds(deadline) + (alive ? ", but signs of life" : "") +
           (doing.empty() ? "" : ": " + doing) + "; killed; raise 'deadline' if that is not long enough",
       {}, std::move(seen));
}

Reply WorkerLink::understand(const std::string& line) {
  NumberedReply reply;
  try {
    reply = decode_reply(line);
  } catch (const JsonError& error) {
    break_off(error.what());
  }
  const auto* failed = std::get_if<FailedMessage>(&reply.reply);
  if (reply.answers != requests_ && !(failed && reply.answers == last_word))
    break_off("a reply to request " + std::to_string(reply.answers) + " where " + std::to_string(requests_) +
              " was asked");
  if (failed) fail(failed->outcome, failed->why, failed->code);
  return std::move(reply.reply);
}

std::string WorkerLink::ending() {
  // It may still be on its way out: a kill now would hide how it ends.
  const bool by_itself = process_.wait(worker_farewell);
  const std::string ended = process_.kill_group();
  if (!by_itself) return "worker closed its connection and continued; killed";
  const std::string how = "worker " + ended + (process_.succeeded() ? " without a result" : "");
  const std::string memory = process_.killed_by() == SIGKILL ? want_of_memory(before_, out_of_memory_kills()) : "";
  const std::string said = last_line(legible(process_.output()));
  return (memory.empty() ? how : memory + " (" + how + ")") + (said.empty() ? "" : ": " + said);
}

void WorkerLink::break_off(const std::string& what) { fail(Outcome::failed, "protocol error: " + what); }

void WorkerLink::fail(Outcome outcome, const std::string& why, const std::string& code, Evidence seen) {
  process_.kill_group();
  seen.output = legible(process_.output());
  throw VisitFailed(outcome, process_.unkillable() ? why + ", without effect: it still runs" : why, code,
                    std::move(seen));
}

void WorkerLink::dismiss() { end_sending(process_.socket().descriptor()); }

void WorkerLink::end(Nanoseconds patience) {
  dismiss();
  const MonotonicClock clock;
  const Instant until = clock.now() + patience;
  std::string line;
  LineSocket::Status status;
  do status = process_.socket().receive(line, std::max(Nanoseconds{}, until - clock.now()));
  while (status == LineSocket::Status::line);
  process_.kill_group();
}

}  // namespace assay
