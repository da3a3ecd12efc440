// SPDX-License-Identifier: Apache-2.0
// Reads the limits that the kernel holds threads to.
#include "limits/refusal.hpp"

#include <pthread.h>

#include <cerrno>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

constexpr std::size_t no_stack_is_larger = std::size_t{1} << 40U;

std::size_t default_stack() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_getstacksize(&attributes, &bytes);
  ::pthread_attr_destroy(&attributes);
  return bytes;
}

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

std::string address_text(const Usage& address, std::size_t stack) {
  return "the address space is limited to " + mebibytes(address.limit) + " (ulimit -v, worker-memory), of which " +
         mebibytes(address.used) + " are in use, and each stack takes " + mebibytes(stack) +
         ": lower stack or the number of threads, or raise the limit";
}

// Limits that leave room now, and may have left none when the thread was refused.
std::string met_only_then(const ThreadLimits& limits) {
  std::string text;
  if (limits.user.limit != unlimited) text += ", or the user's (" + std::to_string(limits.user.limit) + ", ulimit -u)";
  if (limits.group.limit != unlimited)
    text += ", or the control group's (" + std::to_string(limits.group.limit) + ", pids.max)";
  return text.empty() ? text : text + ", met for a moment";
}

std::string limit_text(const Refusal& refusal, const ThreadLimits& limits) {
  const std::size_t stack = refusal.stack != 0 ? refusal.stack : limits.stack;
  if (stack > no_stack_is_larger)
    return "no address space has room for a stack of " + mebibytes(stack) + ": lower stack";
  if (limits.address.left() < stack) return address_text(limits.address, stack);
  if (limits.group.left() == 0)
    return "the control group may have " + std::to_string(limits.group.limit) +
           " processes and threads (pids.max): ask for fewer threads at a time, or raise it";
  if (limits.user.left() == 0)
    return "this user may have " + std::to_string(limits.user.limit) +
           " processes and threads (ulimit -u): ask for fewer threads at a time, or raise it";
  return "a limit of the system, on threads (kernel.threads-max, kernel.pid_max), mappings (vm.max_map_count) or "
         "memory" +
         met_only_then(limits) + ": ask for fewer threads at a time or smaller stacks";
}

}  // namespace

ThreadLimits thread_limits(std::size_t alive) {
  return {thread_usage(alive), group_usage(), address_usage(), default_stack()};
}

std::string refusal_text(const Refusal& refusal, const ThreadLimits& limits) {
  std::string text = "the system refused a thread beside " + std::to_string(refusal.alive) + " others";
  if (refusal.creator != 0) text += " to creator " + std::to_string(refusal.creator);
  text += " (pthread_create: " + std::generic_category().message(refusal.error) + "); ";
  if (refusal.error == EPERM) return text + "its scheduling policy needs a permission: use scheduling = inherited";
  return text + limit_text(refusal, limits);
}

void refuse(const Refusal& refusal) { throw Unsupported(refusal_text(refusal, thread_limits(refusal.alive))); }

}  // namespace assay
