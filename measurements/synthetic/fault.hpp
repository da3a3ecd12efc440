// SPDX-License-Identifier: Apache-2.0
// A measurement that fails on purpose: what the framework must survive.
#pragma once
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "api/measurement.hpp"

namespace assay {

/// The ways it can go wrong.
inline std::vector<std::string> fault_words() { return {"none", "hang", "throw", "exit", "crash", "unsupported"}; }

/// Works until its tenth batch, then the chosen member does what `fault` says. `unsupported` refuses to be constructed.
class Fault final : public Measurement {
 public:
  explicit Fault(Setup& setup) : fault_(setup.word("fault")), rank_(setup.level<int>("rank")) {
    if (fault_ == "unsupported") throw Unsupported("this point was asked to be unsupported");
  }
  Claims run(Member& member, Reps reps) override {
    // Counted by the chosen member alone, so that nothing is shared.
    if (member.rank() == rank_ && ++batches_ > 10) go_wrong();
    return member.timed(reps, [] { clobber(); });
  }

 private:
  void go_wrong() const {
    if (fault_ == "hang")
      for (;;) ::pause();
    if (fault_ == "throw") throw std::runtime_error("thrown on purpose");
    if (fault_ == "exit") ::_exit(0);
    if (fault_ == "crash") ::raise(SIGABRT);
  }
  std::string fault_;
  int rank_;
  int batches_ = 0;
};

}  // namespace assay
