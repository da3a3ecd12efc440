// SPDX-License-Identifier: Apache-2.0
// Names of collective operations and their algorithms, and schedules as texts in GOAL.
#include "record/collective/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <locale>
#include <ostream>

#include "base/value.hpp"

namespace assay::collective {
namespace {

constexpr std::array<std::string_view, 6> collective_names = {"barrier",   "broadcast", "reduce",
                                                              "allreduce", "allgather", "alltoall"};
constexpr std::array<std::string_view, 8> algorithm_names = {
    "binomial", "recursive-doubling", "ring", "rabenseifner", "bruck", "dissemination", "pairwise", "linear"};

}  // namespace

std::string_view name(Collective collective) { return collective_names[static_cast<std::size_t>(collective)]; }
std::string_view name(Algorithm algorithm) { return algorithm_names[static_cast<std::size_t>(algorithm)]; }

std::optional<Collective> collective_named(std::string_view name) {
  const auto* const found = std::find(collective_names.begin(), collective_names.end(), name);
  if (found == collective_names.end()) return std::nullopt;
  return static_cast<Collective>(found - collective_names.begin());
}

std::optional<Algorithm> algorithm_named(std::string_view name) {
  const auto* const found = std::find(algorithm_names.begin(), algorithm_names.end(), name);
  if (found == algorithm_names.end()) return std::nullopt;
  return static_cast<Algorithm>(found - algorithm_names.begin());
}

std::vector<Collective> collectives() {
  std::vector<Collective> all;
  for (std::size_t i = 0; i < collective_names.size(); ++i) all.push_back(static_cast<Collective>(i));
  return all;
}

namespace {

std::int64_t whole_bytes(double bytes) { return std::max<std::int64_t>(1, std::llround(bytes)); }

/// What a rank does; operations have labels from l1, ends of stages that more than two operations make j1 and so on.
class RankText {
 public:
  RankText(std::ostream& out, std::span<const Operation> operations, double combine_byte)
      : out_(out), operations_(operations), combine_byte_(combine_byte) {}

  void write() {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (operations_[i].stage != operations_[begin_].stage) begin_stage(i);
      write_operation(i);
      if (is_joined_) {
        out_ << 'l' << i + 1 << " requires j" << begin_ << '\n';
      } else {
        for (std::size_t earlier = before_; earlier < begin_; ++earlier) require(i, " requires ", earlier);
      }
      const bool follows_send = i > begin_ && is_send(i) && is_send(i - 1);
      if (follows_send) require(i, " irequires ", i - 1);
    }
  }

 private:
  bool is_send(std::size_t i) const { return operations_[i].kind == Operation::Kind::send; }
  void require(std::size_t later, const char* how, std::size_t earlier) {
    out_ << 'l' << later + 1 << how << 'l' << earlier + 1 << '\n';
  }

  // An operation of a stage requires all of the one before: by one that stands for them, or all pairs would be written.
  void begin_stage(std::size_t i) {
    before_ = begin_;
    begin_ = i;
    is_joined_ = begin_ - before_ > 2;
    if (!is_joined_) return;
    out_ << 'j' << begin_ << ": calc 0\n";
    for (std::size_t earlier = before_; earlier < begin_; ++earlier)
      out_ << 'j' << begin_ << " requires l" << earlier + 1 << '\n';
  }

  void write_operation(std::size_t i) {
    const Operation& operation = operations_[i];
    out_ << 'l' << i + 1 << ": ";
    switch (operation.kind) {
      case Operation::Kind::send:
        out_ << "send " << whole_bytes(operation.bytes) << "b to " << operation.peer;
        break;
      case Operation::Kind::receive:
        out_ << "recv " << whole_bytes(operation.bytes) << "b from " << operation.peer;
        break;
      case Operation::Kind::compute:
        out_ << "calc " << std::llround(operation.bytes * combine_byte_);
        break;
    }
    out_ << '\n';
  }

  std::ostream& out_;
  std::span<const Operation> operations_;
  double combine_byte_;
  std::size_t before_ = 0;  ///< where the stage before begins
  std::size_t begin_ = 0;   ///< and the present one
  bool is_joined_ = false;
};

}  // namespace

void write_goal(std::ostream& out, const Schedule& schedule, double combine_byte) {
  const std::locale callers = out.imbue(std::locale::classic());
  out << "// " << name(schedule.collective) << " by " << name(schedule.algorithm) << ": " << schedule.ranks
      << " ranks, " << to_text(schedule.bytes) << " bytes\nnum_ranks " << schedule.ranks << '\n';
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    out << "\nrank " << rank << " {\n";
    RankText(out, schedule.of(rank), combine_byte).write();
    out << "}\n";
  }
  out.imbue(callers);
}

}  // namespace assay::collective
