// SPDX-License-Identifier: Apache-2.0
// Restartable sequences of x86-64, as glibc registers them for each thread.
#include <sys/rseq.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "os/per_cpu_counter.hpp"

namespace assay {
namespace {

struct alignas(line_size) OfCpu {
  std::int64_t count = 0;
};
static_assert(sizeof(OfCpu) == 128, "the sequence below shifts a CPU's number by 7");

class RestartableCounter final : public PerCpuCounter {
 public:
  RestartableCounter() : counts_(most_cpus) {
    if (__rseq_size == 0)
      throw Unsupported(
          "no restartable sequences are registered: the kernel has none, or glibc.pthread.rseq = 0 is set in "
          "GLIBC_TUNABLES");
  }
  Nanoseconds add(const Member& member, Reps reps) override {
    auto* const own = reinterpret_cast<std::byte*>(__builtin_thread_pointer()) + __rseq_offset;
    OfCpu* const counts = counts_.data();
    return member.timed(reps, [=] { add_one(own, counts); });
  }
  std::int64_t sum() const override {
    return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0},
                           [](std::int64_t all, const OfCpu& one) { return all + one.count; });
  }

 private:
  static constexpr std::size_t most_cpus = 8192;  // that the kernel can be built for

  // The thread's CPU is read and its counter added to; a thread that was preempted, moved or sent a signal between the
  // two (labels 1 and 2) goes on at 4 and begins again. What precedes 4 is the mark that the kernel wants to find
  // there.
  [[gnu::always_inline]] static void add_one(std::byte* own, OfCpu* counts) {
    asm volatile(
        ".pushsection __rseq_cs, \"aw\"\n\t"
        ".balign 32\n\t"
        "3:\n\t"
        ".long 0, 0\n\t"
        ".quad 1f, 2f - 1f, 4f\n\t"
        ".popsection\n\t"
        "0:\n\t"
        "leaq 3b(%%rip), %%rax\n\t"
        "movq %%rax, %c[sequence](%[own])\n\t"
        "1:\n\t"
        "movl %c[cpu](%[own]), %%eax\n\t"
        "shlq $7, %%rax\n\t"
        "incq (%[counts], %%rax)\n\t"
        "2:\n\t"
        ".pushsection __rseq_abort, \"ax\"\n\t"
        ".byte 0x0f, 0xb9, 0x3d\n\t"
        ".long %c[mark]\n\t"
        "4:\n\t"
        "jmp 0b\n\t"
        ".popsection"
        :
        : [own] "r"(own), [counts] "r"(counts), [sequence] "i"(offsetof(struct rseq, rseq_cs)),
          [cpu] "i"(offsetof(struct rseq, cpu_id)), [mark] "i"(RSEQ_SIG)
        : "rax", "cc", "memory");
  }

  std::vector<OfCpu> counts_;
};

}  // namespace

std::unique_ptr<PerCpuCounter> make_per_cpu_counter() { return std::make_unique<RestartableCounter>(); }

}  // namespace assay
