// SPDX-License-Identifier: Apache-2.0
// Batches that take too much, or leave something behind: memory, descriptors, threads, processes, output.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fault.hpp"

namespace faults {
namespace {

constexpr unsigned long_life = 1000;  // s
constexpr unsigned short_life = 2;

// A limit of its own makes memory run out without harm to the machine.
void exhaust_memory() {
  constexpr rlim_t room = rlim_t{256} << 20;
  const rlimit limit{room, room};
  ::setrlimit(RLIMIT_AS, &limit);
  constexpr std::size_t piece = std::size_t{16} << 20;
  std::vector<std::unique_ptr<char[]>> pieces;
  while (true) std::memset(pieces.emplace_back(std::make_unique<char[]>(piece)).get(), 1, piece);
}

void start_sleeper(unsigned seconds, bool own_session) {
  if (::fork() != 0) return;
  if (own_session) ::setsid();
  ::sleep(seconds);
  ::_exit(0);
}

void start_sleepers() {
  for (int i = 0; i < 3; ++i) start_sleeper(long_life, false);
  ::sleep(long_life);
}

// At most once in a process: one that is not found again has to be alone, and short-lived.
Batch escape(assay::Setup&) {
  return [gone = false](assay::Member&, assay::Reps reps) mutable {
    if (!gone) start_sleeper(short_life, true);
    gone = true;
    return fair(reps);
  };
}

void write_much() {
  const std::string line(1023, 'x');
  for (int i = 0; i < 2000; ++i) {
    [[maybe_unused]] const auto error = ::write(2, (line + "\n").data(), 1024);
    [[maybe_unused]] const auto output = ::write(1, (line + "\n").data(), 1024);
  }
}

}  // namespace

void register_greedy(assay::Registry& registry) {
  add(registry, "oom", exhaust_memory);
  add(registry, "leak-fds", [] { ::open("/dev/null", O_RDONLY | O_CLOEXEC); });
  add(registry, "leak-threads", [] { std::thread([] { ::sleep(long_life); }).detach(); });
  add(registry, "fork-sleepers", start_sleepers);
  add(registry, description("setsid-escape"), escape);
  add(registry, "spam-stderr", write_much);
}

}  // namespace faults
