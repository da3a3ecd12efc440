// SPDX-License-Identifier: Apache-2.0
// Actions and channels that do what good ones do not: fail, claim nothing, or claim for others. What the framework must
// survive.
#pragma once
#include <unistd.h>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// The ways it can go wrong.
inline std::vector<std::string> fault_words() { return {"none", "hang", "throw", "exit", "crash", "unsupported"}; }

/// Works until its tenth batch, then the chosen member does what `fault` says. `unsupported` refuses to be constructed.
class Fault final : public Measurement {
 public:
  explicit Fault(Setup& setup) : fault_(setup.word("fault")), rank_(setup.level<int>("rank")) {
    if (fault_ == "unsupported") throw Unsupported("this point is unsupported by request");
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

/// Member 0 claims `near`, member 1 claims `far`, each claims one event per repetition.
class ThreeClaims final : public Measurement {
 public:
  explicit ThreeClaims(Setup& setup) : near_(setup.level<double>("near")), far_(setup.level<double>("far")) {}
  Claims run(Member& member, Reps reps) override {
    const auto n = static_cast<double>(reps.count);
    Claims claims;
    claims.set(2, n);
    return member.rank() == 0 ? claims.set(0, n * near_) : claims.set(1, n * far_);
  }

 private:
  double near_;
  double far_;
};

}  // namespace assay
