// SPDX-License-Identifier: Apache-2.0
// Table 1 as published (PDPTA 1999, times in us), row by row.
#include "record/layout/desupinski_may.hpp"

namespace assay::desupinski_may {

namespace {

constexpr std::array<std::string_view, 4> ours{};
constexpr std::string_view chain = "thread/create_chain";
constexpr std::string_view ring = "logp/round_trip";
constexpr Level condvar{"channel", "condvar-paper"};
constexpr Level mutex_ring{"channel", "mutex-ring"};
constexpr Level mutex{"lock", "mutex"};
constexpr Level detached{"detachstate", "detached"};
constexpr Level joinable{"detachstate", "joinable"};
constexpr Level system{"scope", "system"};
constexpr Level process{"scope", "process"};
constexpr Level sleeper{"channel", "condvar"};

constexpr Row table[] = {
    {"Thread Create", "Detached, system scope", {"N/A", "265.9", "N/A", "211.0"}, chain, "", {detached, system}},
    {"", "Detached, process scope", {"N/A", "265.5", "30.6", "51.7"}, chain, "", {detached, process}},
    {"", "Undetached, system scope", {"N/A", "312.7", "N/A", "491.5"}, chain, "", {joinable, system}},
    {"", "> with stacks of 64 KiB", ours, chain, "", {joinable, Level{"stack", "65536"}, Level{"chain", "200"}}},
    {"", "Undetached, process scope", {"N/A", "305.1", "68.9", "343.1"}, chain, "", {joinable, process}},
    {"Thread Yield", "", {"1.6", "4.3", "N/A", "9.5"}, "thread/yield", "", {}, Seats::one_cpu},
    {"", "> per context switch counted", ours, "thread/yield", "switch", {}, Seats::one_cpu},
    {"Time slice", "", {"10013", "10001", "N/A", "N/A"}, "thread/time_slice_paper", "", {}, Seats::one_cpu},
    {"", "> upper mode of the turns", ours, "thread/time_slice", "", {}, Seats::one_cpu},
    {"Condition Ping-pong", "Unbound", {"59.5", "48.9", "9.5", "25.0"}, ring, "", {condvar}, Seats::unbound},
    {"", "Same CPU", {"12.4", "29.2", "N/A", "25.7"}, ring, "", {condvar}, Seats::one_cpu},
    {"", "Different CPUs", {"N/A", "74.3", "N/A", "25.1"}, ring, "", {condvar}, Seats::different_cpus},
    {"Condition Signal", "", {"0.0383", "0.606", "0.634", "0.125"}, "sync/condition_signal", ""},
    {"", "> to a waiter asleep", ours, "logp/blocked", "o_s[blk]", {sleeper}, Seats::different_cpus},
    {"Condition Wait", "", {"25.3", "45.7", "N/A", "N/A"}, "sync/condition_wait", "", {}, Seats::different_cpus},
    {"", "> asleep each time, CPU time", ours, "logp/blocked", "o_r[blk,cpu]", {sleeper}, Seats::different_cpus},
    {"Mutex Ping-pong", "Unbound", {"58.8", "3.7", "9.4", "24.3"}, ring, "", {mutex_ring}, Seats::unbound},
    {"", "Same CPU", {"13.4", "37.8", "N/A", "24.2"}, ring, "", {mutex_ring}, Seats::one_cpu},
    {"", "Different CPUs", {"N/A", "3.7", "N/A", "24.2"}, ring, "", {mutex_ring}, Seats::different_cpus},
    {"", "No Contention", {"0.274", "0.638", "0.434", "0.448"}, "sync/lock_ring_alone", "", {mutex}},
    {"", "> one mutex, no overlap", ours, "sync/lock", "", {mutex}},
    {"Mutex lock and unlock", "", {"0.273", "0.726", "0.540", "0.714"}, "sync/lock", "", {mutex}},
    {"Mutex lock", "", {"0.483", "0.343", "0.251", "0.321"}, "sync/lock_array", "lock", {mutex}},
    {"Mutex unlock", "", {"0.495", "0.478", "0.296", "0.417"}, "sync/lock_array", "unlock", {mutex}},
};

}  // namespace

std::span<const Row> rows() { return table; }

}  // namespace assay::desupinski_may
