// SPDX-License-Identifier: Apache-2.0
// Formulas over cache lines, flags, locks and wake-ups.
#include <algorithm>
#include <cmath>

#include "record/predict/formula.hpp"

namespace assay::predict {

namespace {

using Inputs = std::span<const double>;

constexpr const char* ramos =
    "after Ramos and Hoefler, Modeling Communication in Cache-Coherent SMP Systems (HPDC 2013)";
constexpr const char* mellor =
    "Mellor-Crummey and Scott, Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors (1991)";
constexpr const char* hensgen = "Hensgen, Finkel and Manber, Two Algorithms for Barrier Synchronization (1988)";
constexpr const char* supinski = "de Supinski and May, Benchmarking Pthreads Performance (1999)";
constexpr const char* culler = "Culler et al., LogP: Towards a Realistic Model of Parallel Computation (PPoPP 1993)";

double rounds(double members, double base = 2) { return std::ceil(std::log(members) / std::log(base) - 1e-9); }

NamedLevels barrier_levels(const char* barrier) { return {{"barrier", barrier}, {"work", "none"}, {"checked", "no"}}; }
NamedLevels lock_levels(const char* lock) { return {{"lock", lock}, {"hold", "none"}, {"think", "none"}}; }
NamedLevels exchange_levels(const char* channel) { return {{"channel", channel}, {"work", "none"}, {"stop", "lease"}}; }

// From a store to a flag until another member, which polls it, has seen it: the mean over where in its turn of the loop
// the poller was.
double seen_after(double store, double load, double turn) {
  const double owned = store + load / 2;
  const double asked = store / 2 + load;
  const double hidden = std::clamp(owned - asked, 0.0, turn);
  const double later = turn > 0 ? (turn - hidden) * (turn - hidden) / (2 * turn) : 0;
  return std::max(owned, asked) + later;
}
constexpr const char* seen_text = "N = mean of max(S + R/2, S/2 + R + q), with q from 0 to Q";

// The same for barriers, whose flags are seen after N, as accesses to lines have it, or after half of a flag's round
// trip: the longer of the two, and by how much the other is shorter. The inputs begin with S, R, Q and F.
double longest_notice(Inputs x) { return std::max(seen_after(x[0], x[1], x[2]), x[3] / 2); }
double notice_doubt(Inputs x) { return std::abs(seen_after(x[0], x[1], x[2]) - x[3] / 2); }
std::string notice_text() { return std::string("M between N and F/2, ") + seen_text; }

Formula flag_round_trip() {
  Formula formula{"flag-round-trip",
                  "logp/round_trip",
                  "rtt",
                  exchange_levels("flag"),
                  Regime::spin,
                  "",
                  "2 (S + R) - 2 u (S + R - N), with u from 0 to 1, " + std::string(seen_text),
                  "the reader's request leaves with its first look after its copy is invalidated, half of S after the "
                  "store; it may travel while the writer still waits for the line, or is served after that",
                  ramos,
                  {{"S"}, {"R"}, {"Q"}},
                  [](Inputs x, const Setting&) { return 2 * std::max(x[0] + x[1], seen_after(x[0], x[1], x[2])); },
                  false};
  formula.overlap = [](Inputs x, const Setting&) {
    return 2 * std::max(0.0, x[0] + x[1] - seen_after(x[0], x[1], x[2]));
  };
  formula.share = evenly_overlapping;
  return formula;
}

// In how many notifications after each other a barrier is passed.
double in_dissemination(const Setting& at) { return rounds(at.members); }
double in_tournament(const Setting& at) { return 2 * rounds(at.members); }
double in_tree(const Setting& at) {
  const double up = rounds(3 * at.members + 1, 4) - 1;  // levels of a full tree of four children, but the root's
  const double down = rounds(at.members + 1) - 1;
  return up + down;
}

template <double (*notices)(const Setting&)>
void add_barrier(std::vector<Formula>& all, const char* name, const char* text, const char* assumes,
                 const char* source) {
  all.push_back({std::string("barrier-") + name,
                 "sync/barrier",
                 "time",
                 barrier_levels(name),
                 Regime::spin,
                 "",
                 std::string(text) + ", " + notice_text(),
                 assumes,
                 source,
                 {{"S"}, {"R"}, {"Q"}, {"F"}},
                 [](Inputs x, const Setting& at) { return notices(at) * longest_notice(x); }});
  all.back().overlap = [](Inputs x, const Setting& at) { return notices(at) * notice_doubt(x); };
}

void add_barriers(std::vector<Formula>& all) {
  all.push_back({"barrier-central",
                 "sync/barrier",
                 "time",
                 barrier_levels("central"),
                 Regime::spin,
                 "",
                 std::string("M + (k-1) A - u R, with u from 0 to 1, mostly small, ") + notice_text(),
                 "the last to arrive was the last to be released: all others change the counter one after the other; "
                 "then it raises the generation, a line that all have, and saves a transfer where that line was "
                 "prefetched for writing",
                 mellor,
                 {{"S"}, {"R"}, {"Q"}, {"F"}, {"A"}},
                 [](Inputs x, const Setting& at) { return longest_notice(x) + (at.members - 1) * x[4]; }});
  all.back().overlap = [](Inputs x, const Setting&) { return notice_doubt(x) + x[1]; };
  add_barrier<in_dissemination>(all, "dissemination", "ceil(log2 k) M",
                                "in each round every member raises a flag of another, all at once", hensgen);
  add_barrier<in_tournament>(all, "tournament", "2 ceil(log2 k) M",
                             "losers raise a flag of the winner, round after round; winners wake them in the reverse "
                             "order",
                             hensgen);
  add_barrier<in_tree>(all, "tree", "(depth up + depth down) M, of trees with 4 and 2 children",
                       "a parent finds the flags of its children together; it wakes two, one store each", mellor);
}

Formula lock_ring() {
  Formula formula{
      "hand-over-spinlock",
      "logp/round_trip",
      "rtt",
      exchange_levels("spinlock-ring"),
      Regime::spin,
      "",
      "F + 2 P - u (F - F1), with u from 0 to 1, mostly small",
      "the waiter sees that the lock is free, as it would see a flag, and takes it: at once where the line "
      "came with the right to change it, as that of flags on one line does, and each side locks and unlocks "
      "once",
      supinski,
      {{"F"}, {"F1"}, {"P", {{"lock", "spinlock"}}}},
      [](Inputs x, const Setting&) { return x[0] + 2 * x[2]; },
      false};
  formula.overlap = [](Inputs x, const Setting&) { return std::max(0.0, x[0] - x[1]); };
  return formula;
}

void add_contention(std::vector<Formula>& all) {
  const auto add_in_order = [&](const char* lock, const char* flags, const char* text, const char* assumes,
                                double (*value)(Inputs, const Setting&), double (*overlap)(Inputs, const Setting&)) {
    all.push_back({std::string("throughput-") + lock,
                   "sync/contention",
                   "time",
                   lock_levels(lock),
                   {},
                   "",
                   text,
                   assumes,
                   mellor,
                   {{flags}, {"R"}},
                   value});
    all.back().overlap = overlap;
  };
  const auto one_line = [](Inputs x, const Setting&) { return x[0] / 2 + x[1]; };
  const auto saved_line = [](Inputs x, const Setting&) { return x[1]; };
  add_in_order(
      "mcs", "F", "F/2 + 2 R - 2 u R, with u from 0 to 1, mostly small",
      "in order: every operation is a hand-over; who unlocks reads who comes next, which the waiter wrote, and "
      "the line that the lock protects moves with it, or both have been asked for already where the processor "
      "foresees the end of polling",
      [](Inputs x, const Setting&) { return x[0] / 2 + 2 * x[1]; }, [](Inputs x, const Setting&) { return 2 * x[1]; });
  add_in_order("clh", "F", "F/2 + R - u R, with u from 0 to 1, mostly small",
               "in order: every operation is a hand-over; the line that the lock protects moves with it, or has been "
               "asked for already where the processor foresees the end of polling",
               one_line, saved_line);
  add_in_order("ticket", "F1", "F1/2 + R - u R, with u from 0 to 1, mostly small",
               "as the queues; and both numbers lie on one line, which who unlocks has to take from who waits",
               one_line, saved_line);
  all.push_back({"throughput-spinlock",
                 "sync/contention",
                 "time",
                 lock_levels("spinlock"),
                 {},
                 "",
                 "(1-h) P + h (S + A + R)",
                 "not in order: the share h, which was measured in the same batches, are hand-overs: a store to the "
                 "line that others poll, the change of it by one of them, and the line that the lock protects",
                 ramos,
                 {{"P", {{"lock", "spinlock"}}}, {"h", {{"lock", "spinlock"}}}, {"S"}, {"A"}, {"R"}},
                 [](Inputs x, const Setting&) { return (1 - x[1]) * x[0] + x[1] * (x[2] + x[3] + x[4]); }});
  all.push_back(
      {"throughput-mutex",
       "sync/contention",
       "time",
       lock_levels("mutex"),
       {},
       "",
       "(1-h) P + h (A + R + W)",
       "not in order: the share h, which was measured in the same batches, are hand-overs, each with one "
       "wake-up call; P is of a process of several threads, since with one the library needs no atomic operation",
       ramos,
       {{"P", {{"lock", "mutex"}, {"bystander", "present"}}}, {"h", {{"lock", "mutex"}}}, {"A"}, {"R"}, {"W"}},
       [](Inputs x, const Setting&) { return (1 - x[1]) * x[0] + x[1] * (x[2] + x[3] + x[4]); }});
}

void add_wake_ups(std::vector<Formula>& all) {
  for (const char* channel : {"futex", "condvar", "sem", "eventfd", "pipe", "unix-stream"})
    all.push_back(
        {std::string("sleepers-") + channel,
         "logp/round_trip",
         "rtt",
         exchange_levels(channel),
         Regime::blocked,
         "",
         "2 T1",
         "each side is asleep when the message comes, and has been for about D, since its own message was sent",
         culler,
         {{"T1", {{"channel", channel}}, {"settle", "D"}}},
         [](Inputs x, const Setting&) { return 2 * x[0]; },
         false});
  all.push_back({"hand-over-condvar",
                 "sync/handover",
                 "time",
                 {{"style", "condvar"}},
                 Regime::blocked,
                 "",
                 "RTT/2",
                 "a turn is a message through a condition variable",
                 supinski,
                 {{"RTT", {{"channel", "condvar"}}}},
                 [](Inputs x, const Setting&) { return x[0] / 2; },
                 false});
  // The member that broadcasts was woken by the last waiter, which has slept since.
  const Lasts woken{"settle", "T1"};
  all.push_back({"broadcast-call",
                 "sync/broadcast",
                 "call",
                 {{"held", "no"}},
                 Regime::blocked,
                 "",
                 "(k-1) o_s[blk]",
                 "the call wakes one waiter after the other, each at the cost of a signal to a sleeper of about T1",
                 supinski,
                 {{"o_s[blk]", {{"channel", "condvar"}}, woken}},
                 [](Inputs x, const Setting& at) { return (at.members - 1) * x[0]; }});
  all.push_back({"broadcast-last",
                 "sync/broadcast",
                 "last",
                 {{"held", "no"}},
                 Regime::blocked,
                 "",
                 "T1 + (k-2) o_s[blk]",
                 "the last waiter is woken after all others",
                 supinski,
                 {{"T1", {{"channel", "condvar"}}, woken}, {"o_s[blk]", {{"channel", "condvar"}}, woken}},
                 [](Inputs x, const Setting& at) { return x[0] + (at.members - 2) * x[1]; }});
}

}  // namespace

std::vector<Formula> memory_formulas() {
  std::vector<Formula> all{flag_round_trip()};
  add_barriers(all);
  all.push_back(lock_ring());
  add_contention(all);
  add_wake_ups(all);
  return all;
}

}  // namespace assay::predict
