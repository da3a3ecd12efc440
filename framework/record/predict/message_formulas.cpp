// SPDX-License-Identifier: Apache-2.0
// Formulas of collective operations over messages, and of barriers of threads in ranks on top.
#include <algorithm>
#include <cmath>

#include "record/collective/schedule.hpp"
#include "record/predict/formula.hpp"
#include "record/predict/transport.hpp"

namespace assay::predict {

namespace {

using collective::Algorithm;
using collective::Collective;
using collective::LogGp;

constexpr const char* hybrid_source =
    "hierarchical barriers: Mellor-Crummey and Scott (1991) within ranks, Hensgen, Finkel and Manber (1988) between "
    "them";

// The measurement's word for an operation.
std::string word_of(Collective what) {
  return what == Collective::broadcast ? "bcast" : std::string(collective::name(what));
}

// Between the processes of a group: a message of m bytes with its overheads, by the piece that it falls into. `cross`:
// each rank that sends receives at the same time.
class Messages {
 public:
  Messages(std::span<const LogGp> pieces, bool cross) : pieces_(pieces), cross_(cross) {}
  double time(double bytes) const {
    const LogGp& p = at(bytes);
    const double crossing = cross_ ? p.crossing + bytes * p.crossing_byte : 0;
    return p.o_s + p.o_r + p.L + bytes * (p.G + p.o_s_byte + p.o_r_byte) + crossing;
  }
  /// From one message to the next of the same sender.
  double gap(double bytes) const {
    const LogGp& p = at(bytes);
    return std::max({p.g + bytes * p.G, p.o_s + bytes * p.o_s_byte, p.o_r + bytes * p.o_r_byte});
  }

 private:
  const LogGp& at(double bytes) const {
    const auto found = std::ranges::find_if(pieces_, [&](const LogGp& piece) { return bytes <= piece.to; });
    return found == pieces_.end() ? pieces_.back() : *found;
  }
  std::span<const LogGp> pieces_;
  bool cross_;
};

// Where all ranks send in each round; down a tree, or from one rank, a message is on its way alone.
bool crosses(Algorithm how) { return how != Algorithm::linear && how != Algorithm::binomial; }

double binary_rounds(double ranks) { return std::ceil(std::log2(ranks) - 1e-9); }

// The sum over rounds in which the message doubles, from m bytes on, up to P - 1 times m in all.
double doubling(const Messages& messages, double ranks, double bytes) {
  double sum = 0;
  for (double held = 1; held < ranks; held *= 2) sum += messages.time(bytes * std::min(held, ranks - held));
  return sum;
}

double in_turn(const Messages& messages, double ranks, double bytes) {
  return messages.time(bytes) + (ranks - 2) * messages.gap(bytes);
}

// One algorithm's critical path of P ranks and m bytes.
struct Closed {
  const char* text;
  double (*value)(const Messages& messages, double ranks, double bytes);
};

constexpr Closed per_round{"ceil(log2 P) T(m)", [](const Messages& messages, double ranks, double bytes) {
                             return binary_rounds(ranks) * messages.time(bytes);
                           }};
constexpr Closed there_and_back{"2 ceil(log2 P) T(m)", [](const Messages& messages, double ranks, double bytes) {
                                  return 2 * binary_rounds(ranks) * messages.time(bytes);
                                }};
constexpr Closed by_root{"T(m) + (P-2) gap(m)", in_turn};
constexpr Closed by_root_and_back{"2 (T(m) + (P-2) gap(m))", [](const Messages& messages, double ranks, double bytes) {
                                    return 2 * in_turn(messages, ranks, bytes);
                                  }};
constexpr Closed round_the_ring{"(P-1) T(m)", [](const Messages& messages, double ranks, double bytes) {
                                  return (ranks - 1) * messages.time(bytes);
                                }};
constexpr Closed twice_in_parts{"2 (P-1) T(m/P)", [](const Messages& messages, double ranks, double bytes) {
                                  return 2 * (ranks - 1) * messages.time(bytes / ranks);
                                }};
constexpr Closed scattered_ring{"sum of T(m i/P) over i = 1, 2, 4, ... below P, + (P-1) T(m/P)",
                                [](const Messages& messages, double ranks, double bytes) {
                                  return doubling(messages, ranks, bytes / ranks) +
                                         (ranks - 1) * messages.time(bytes / ranks);
                                }};
constexpr Closed doubled{"sum of T(m i) over i = 1, 2, 4, ... below P", doubling};
constexpr Closed halved_and_doubled{
    "2 sum of T(m i/P) over i = 1, 2, 4, ... below P",
    [](const Messages& messages, double ranks, double bytes) { return 2 * doubling(messages, ranks, bytes / ranks); }};
constexpr Closed half_per_round{"ceil(log2 P) T(m P/2)", [](const Messages& messages, double ranks, double bytes) {
                                  return binary_rounds(ranks) * messages.time(bytes * ranks / 2);
                                }};

// Of operations that end with all parts at all ranks, or all exchanged.
const Closed& form_of_all(Collective what, Algorithm how) {
  if (how == Algorithm::linear) return by_root;
  if (how == Algorithm::ring || how == Algorithm::pairwise) return round_the_ring;
  return what == Collective::alltoall ? half_per_round : doubled;
}

const Closed& closed_form(Collective what, Algorithm how) {
  if (what == Collective::allgather || what == Collective::alltoall) return form_of_all(what, how);
  const bool comes_back = what == Collective::barrier || what == Collective::allreduce;
  if (how == Algorithm::linear) return comes_back ? by_root_and_back : by_root;
  if (how == Algorithm::binomial && comes_back) return there_and_back;
  if (how == Algorithm::rabenseifner) return halved_and_doubled;
  if (how == Algorithm::ring) return comes_back ? twice_in_parts : scattered_ring;
  return per_round;
}

double carried_value(const Formula& formula, std::span<const double> numbers, const Setting& setting) {
  const auto pieces = log_gp(numbers, setting.ends);
  if (setting.schedule != nullptr) return collective::completion(*setting.schedule, pieces);
  const auto [what, how] = *formula.carried;
  const double bytes = what == Collective::barrier ? 0 : setting.bytes;
  return closed_form(what, how).value(Messages(pieces, crosses(how)), setting.members / setting.threads, bytes);
}

Formula collective_formula(Collective what, Algorithm how) {
  Formula formula;
  formula.name = "mpi-" + word_of(what) + '-' + std::string(collective::name(how));
  formula.measurement = "mpi/collective";
  formula.quantity = "time";
  formula.levels = {{"operation", word_of(what)}, {"form", "blocking"}, {"definition", "slowest"}};
  formula.algorithm = collective::name(how);
  formula.text = closed_form(what, how).text;
  formula.assumes =
      "all pairs of ranks are as far as those measured, links are not shared, all start at once; combining costs "
      "nothing; messages that cross take as much longer as measured. Message by message by the schedule, by the closed "
      "form where there are too many";
  formula.source = collective::source(what, how);
  formula.carried = {what, how};
  formula.sizes = what != Collective::barrier;
  return formula;
}

double central_of(std::span<const double> x, const Setting& at) { return x[0] / 2 + (at.threads - 1) * x[1]; }

void add_hybrid(std::vector<Formula>& all) {
  const auto add = [&](const char* barrier, const char* text,
                       double (*local)(std::span<const double>, const Setting&)) {
    Formula formula;
    formula.name = std::string("hybrid-barrier-") + barrier;
    formula.measurement = "hybrid/barrier";
    formula.quantity = "time";
    formula.levels = {{"barrier", barrier}, {"checked", "no"}};
    formula.algorithm = "dissemination";
    formula.text = std::string(text) + ", M = ceil(log2 P) T(0), t threads of each rank";
    formula.assumes = "threads of a rank are as near as those measured, ranks as far; nothing overlaps";
    formula.source = hybrid_source;
    formula.inputs = {{"F"}, {"A"}};
    formula.value = local;
    formula.carried = {Collective::barrier, Algorithm::dissemination};
    all.push_back(std::move(formula));
  };
  add("leader", "2 (F/2 + (t-1) A) + M",
      [](std::span<const double> x, const Setting& at) { return at.threads > 1 ? 2 * central_of(x, at) : 0.0; });
  add("counter", "F/2 + (t-1) A + M",
      [](std::span<const double> x, const Setting& at) { return at.threads > 1 ? central_of(x, at) : 0.0; });
  add("duplicated", "M + F/2 + (t-1) A",
      [](std::span<const double> x, const Setting& at) { return at.threads > 1 ? central_of(x, at) : 0.0; });
}

}  // namespace

double value_of(const Formula& formula, std::span<const double> numbers, const Setting& setting) {
  if (!formula.carried) return formula.value(numbers, setting);
  const std::size_t own = formula.inputs.size();
  const double local = formula.value == nullptr ? 0 : formula.value(numbers.first(own), setting);
  return local + carried_value(formula, numbers.subspan(own), setting);
}

std::vector<Formula> message_formulas() {
  std::vector<Formula> all;
  for (const Collective what : collective::collectives())
    for (const Algorithm how : collective::algorithms(what)) all.push_back(collective_formula(what, how));
  add_hybrid(all);
  return all;
}

}  // namespace assay::predict
