// SPDX-License-Identifier: Apache-2.0
// An action of known length on simulated cores of known states.
#pragma once
#include <atomic>
#include <optional>
#include <vector>

#include "synthetic/simulated_machine.hpp"

namespace assay {

/// Its factors, for the description.
std::vector<Factor> states_factors();

/// One or two members do the same work together on a simulated machine, for which states are planted. Batches claim
/// what their states make of it, and the readings show these states: the expected result for each of them is known.
class States final : public Measurement, public SimulatedCores {
 public:
  /// Throws Unsupported for levels that are no machine.
  explicit States(Setup& setup);
  void enter(Member& member) override;
  Claims run(Member& member, Reps reps) override;
  void rest(Member& member) override;
  CoreReading read_core(Member& member, bool others_rest) override;
  std::optional<Nanoseconds> distance() override;

 private:
  /// What members exchange. Member 0 alone lets time pass, while the other waits.
  struct Meeting {
    std::atomic<std::int64_t> arrived{0};  ///< batches that member 1 came to
    std::atomic<std::int64_t> done{0};     ///< batches that are over
    Nanoseconds took{};
  };

  Nanoseconds work(Reps reps);

  double median_;
  double spread_;
  double near_;
  double pause_;
  int members_;
  SimulatedMachine& machine_;
  Meeting& meeting_;
  Rng noise_;
};

}  // namespace assay
