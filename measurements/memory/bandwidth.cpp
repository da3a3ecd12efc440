// SPDX-License-Identifier: Apache-2.0
// The table of kernels, and batches of their passes.
#include "memory/bandwidth.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "limits/limits.hpp"
#include "memory/kernels.hpp"

namespace assay {

namespace {

template <class Kernel>
class StationOf final : public MemoryStation {
 public:
  explicit StationOf(std::size_t bytes) : kernel_(bytes) {}
  Nanoseconds run(const Member& member, Reps reps) override {
    if (std::exchange(is_first_, false)) kernel_.pass();
    kernel_.upset();
    const Nanoseconds taken = member.timed(reps, [this] {
      kernel_.pass();
      clobber();  // else a pass whose result the next one replaces could be left out
    });
    kernel_.check(reps.count);
    return taken;
  }

 private:
  Kernel kernel_;
  bool is_first_ = true;
};

template <class Kernel>
MemoryKernel kernel(const char* word) {
  return {word, Kernel::arrays, Kernel::counted, [](std::size_t bytes) -> std::unique_ptr<MemoryStation> {
            return std::make_unique<StationOf<Kernel>>(bytes);
          }};
}

const MemoryKernel& kernel_of(std::string_view word) {
  const auto& all = memory_kernels();
  const auto found = std::ranges::find(all, word, &MemoryKernel::word);
  if (found == all.end()) throw std::invalid_argument("there is no memory kernel '" + std::string(word) + "'");
  return *found;
}

}  // namespace

const std::vector<MemoryKernel>& memory_kernels() {
  static const std::vector<MemoryKernel> all{kernel<LibraryCopy<0>>("copy-libc"),
                                             kernel<LibraryCopy<other_alignment>>("copy-libc-unaligned"),
                                             kernel<HandCopy<1>>("copy-hand"),
                                             kernel<HandCopy<partial>>("copy-partial"),
                                             kernel<WordRead<1>>("read"),
                                             kernel<WordRead<partial>>("read-partial"),
                                             kernel<WordWrite<1>>("write"),
                                             kernel<WordWrite<partial>>("write-partial"),
                                             kernel<WordExchange<partial>>("readwrite-partial"),
                                             kernel<LibraryZero>("zero"),
                                             kernel<StreamKernel<StreamCopy>>("stream-copy"),
                                             kernel<StreamKernel<StreamScale>>("stream-scale"),
                                             kernel<StreamKernel<StreamAdd>>("stream-add"),
                                             kernel<StreamKernel<StreamTriad>>("stream-triad")};
  return all;
}

std::vector<std::string> kernel_words() {
  std::vector<std::string> all;
  for (const MemoryKernel& one : memory_kernels()) all.emplace_back(one.word);
  return all;
}

MemoryBandwidth::MemoryBandwidth(Setup& setup)
    : kernel_(kernel_of(setup.word("kernel"))),
      bytes_(setup.level<std::size_t>("size")),
      stations_(static_cast<std::size_t>(setup.members())) {
  if (bytes_ == 0 || bytes_ % bytes_of_step != 0)
    throw Unsupported("a size of " + std::to_string(bytes_) + " bytes; the loops take multiples of 512");
  const std::string who = "the ranges of " + std::string(kernel_.word);
  const std::string smaller = "members, or a smaller size";
  require_memory(bytes_, bytes_, who, smaller);  // first, so that the product is none that wraps round
  const std::size_t all = stations_.size() * static_cast<std::size_t>(kernel_.arrays) * bytes_;
  require_memory(all, all, who, smaller);
}

void MemoryBandwidth::enter(Member& member) {
  stations_[static_cast<std::size_t>(member.rank())] = kernel_.make(bytes_);
}

Claims MemoryBandwidth::run(Member& member, Reps reps) {
  const Nanoseconds taken = stations_[static_cast<std::size_t>(member.rank())]->run(member, reps);
  Claims claims(taken);
  // All members' bytes by each one's time: the least of them is all bytes by the time of the last.
  const double moved = kernel_.counted * static_cast<double>(bytes_) * static_cast<double>(reps.count);
  if (taken.count > 0) claims.set(bandwidth, static_cast<double>(member.members()) * moved * (seconds(1) / taken));
  return claims;
}

void MemoryBandwidth::leave(Member& member) { stations_[static_cast<std::size_t>(member.rank())].reset(); }

}  // namespace assay
