// SPDX-License-Identifier: Apache-2.0
// An action of known length on simulated cores of known states: shared by others occasionally, of a clock and distances
// that change.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "api/simulated_cores.hpp"
#include "base/clock.hpp"
#include "base/rng.hpp"

namespace assay {

/// Most cores that it has.
inline constexpr int most_simulated_cores = 2;

/// What happens to it.
struct MachineLaw {
  double shared = 0;         ///< share of the time that other work runs on a core; each core has its own neighbour
  Nanoseconds lasts{};       ///< mean time after which it is drawn anew whether he does
  double slower = 1;         ///< by what factor work takes longer meanwhile
  double clock = 1;          ///< the other clock, relative to the usual one
  double clock_share = 0;    ///< of the time between two pauses, in each of which it is drawn anew
  Nanoseconds near{};        ///< round trip between the cores
  Nanoseconds far{};         ///< the same at times
  double far_share = 0;      ///< of the time between two pauses
  double wander = 0;         ///< standard deviation of the logarithms of both, from one pause to the next
  bool is_one_core = false;  ///< the members work on two threads of one core
  /// Of the time between two pauses: beside neighbours that wait. They make work as slow as those that work, but leave
  /// the cores their throughput; only system calls show them, which are read where there are any.
  double waits = 0;
};

/// Its own clock, which passes while work is done. Randomness is seeded. One member at a time calls what changes it;
/// each may read its own core.
class SimulatedMachine final : public Clock {
 public:
  SimulatedMachine(const MachineLaw& law, int cores, std::uint64_t seed);

  Instant now() const override { return {static_cast<std::int64_t>(time_)}; }
  /// All cores are at work, which takes so long while they are alone at the usual clock. What it really took.
  Nanoseconds work(Nanoseconds alone);
  /// No core works for so long. Clock and distance are drawn anew.
  void pause(Nanoseconds time);
  /// As SimulatedCores has it; 0.3 % of noise.
  CoreReading read_core(int core, bool others_rest);
  /// Round trip between the cores as it is now, and as a visit finds it: with 1 % of noise.
  Nanoseconds distance() const { return (is_far_ ? law_.far : law_.near) * off_; }
  Nanoseconds measured_distance();

 private:
  struct Core {
    Rng neighbour;
    Rng yardsticks;
    Rng calls;
    double until = 0;  ///< when it is drawn anew whether it is shared
    bool is_shared = false;
  };

  void draw(Core& core);
  double next_change() const;
  double speed() const;

  MachineLaw law_;
  int count_;
  double time_ = 0;
  std::array<Core, most_simulated_cores> cores_;
  Rng pauses_;
  Rng trips_;
  Rng wanders_;
  Rng waits_;
  bool is_beside_waiting_ = false;
  bool has_other_clock_ = false;
  bool is_far_ = false;
  double off_ = 1;  ///< distances are longer by this factor now
};

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
