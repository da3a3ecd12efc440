// SPDX-License-Identifier: Apache-2.0
// A measurement of two ranks that misbehaves on purpose on the second of them, in a batch or before any.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "api/mpi.hpp"
#include "api/plugin.hpp"

namespace {

/// Whether the fault is due: always, or once for each file that ASSAY_FAULT_ONCE names.
bool is_due() {
  const char* const once = std::getenv("ASSAY_FAULT_ONCE");
  if (once == nullptr) return true;
  const int made = ::open(once, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (made >= 0) ::close(made);
  return made >= 0;
}

void wait_for_ever(MPI_Comm communicator) {
  int never = 0;
  MPI_Recv(&never, 1, MPI_INT, 0, 77, communicator, MPI_STATUS_IGNORE);
}

void misbehave(const std::string& what, const assay::MpiPlace& place) {
  if (what == "kill") ::raise(SIGKILL);
  if (what == "segv") ::raise(SIGSEGV);
  if (what == "exit") ::_exit(0);
  if (what == "abort") MPI_Abort(place.communicator, 42);
  if (what == "receive") wait_for_ever(place.communicator);
  if (what == "stop") ::raise(SIGSTOP);
  if (what == "launcher") {
    ::kill(::getppid(), SIGKILL);
    ::pause();  // else all visits can be over before anyone sees that the launcher is gone
  }
  if (what == "throw") throw std::runtime_error("the second rank alone has had enough");
}

class RankFault final : public assay::Measurement {
 public:
  explicit RankFault(assay::Setup& setup) : place_(assay::mpi_place(setup)), what_(setup.word("what")) {
    if (what_ == "build" && place_.rank == 1) throw std::runtime_error("the second rank cannot be built");
    if (what_ == "loud" && place_.rank == 1) throw std::runtime_error(std::string(1'000'000, 'x'));
  }

  assay::Claims run(assay::Member& member, assay::Reps reps) override {
    if (member.rank() == 1 && what_ != "none" && is_due()) misbehave(what_, place_);
    int mine = 1;
    int theirs = 0;
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - place_.rank, 1, &theirs, 1, MPI_INT, 1 - place_.rank, 1, place_.communicator,
                 MPI_STATUS_IGNORE);
    if (member.rank() > 0) return {};
    return assay::Nanoseconds{100.0 * static_cast<double>(reps.count)};
  }

 private:
  const assay::MpiPlace& place_;
  std::string what_;
};

void register_faults(assay::Registry& registry) {
  registry.add<RankFault>({.name = "fixture/rank",
                           .summary = "Misbehaves on its second rank.",
                           .factors = {{.name = "what",
                                        .standard = std::string("none"),
                                        .words = {"none", "kill", "segv", "exit", "abort", "receive", "stop",
                                                  "launcher", "throw", "build", "loud"}}},
                           .members = assay::exactly(2),
                           .traits = {.vehicles = {"mpi"}, .waiting = assay::Waiting::blocks, .simulated = true}});
}

}  // namespace

ASSAY_PLUGIN(register_faults)
