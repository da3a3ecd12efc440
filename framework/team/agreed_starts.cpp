// SPDX-License-Identifier: Apache-2.0
// Rank 0 says when, each rank by how much it was late, and rank 0 by how much all were.
#include "team/agreed_starts.hpp"

#include "team/rank_tree.hpp"

namespace assay {
namespace {

using Latenesses = std::vector<Nanoseconds>;

std::vector<Latenesses> told_to_all(Wire& wire, const Latenesses& own) {
  std::vector<std::byte> bytes = gather_bytes(wire, std::as_bytes(std::span(own)));
  const std::size_t length = own.size() * sizeof(Nanoseconds);
  bytes.resize(static_cast<std::size_t>(wire.ranks()) * length);
  broadcast_bytes(wire, bytes);
  std::vector<Latenesses> all(static_cast<std::size_t>(wire.ranks()), Latenesses(own.size()));
  for (std::size_t rank = 0; rank < all.size(); ++rank) std::memcpy(all[rank].data(), &bytes[rank * length], length);
  return all;
}

}  // namespace

Judgement run_windows(Wire& wire, const CommonClock& clock, StartWindow& window, const StartedBatch& run) {
  const Windows windows = window.plan(broadcast(wire, clock.model.to_reference(wire.clock().now())));
  Latenesses own;
  for (int batch = 0; batch < windows.batches; ++batch)
    own.push_back(run(batch, clock.model.to_local(windows.start(batch))));
  return window.judge(told_to_all(wire, own));
}

}  // namespace assay
