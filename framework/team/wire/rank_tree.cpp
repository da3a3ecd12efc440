// SPDX-License-Identifier: Apache-2.0
// Subtrees of a binomial tree are runs of consecutive ranks, so that records keep their order when joined; each step of
// the barrier has the number of the call it belongs to.
#include "team/wire/rank_tree.hpp"

#include <algorithm>
#include <string>

namespace assay {
namespace {

int lowest_bit(int position) { return position & -position; }

}  // namespace

int tree_parent(int position) { return position - lowest_bit(position); }

std::vector<int> tree_children(int position, int count) {
  std::vector<int> children;
  const int below = position == 0 ? count : lowest_bit(position);
  for (int step = 1; step < below && step < count - position; step *= 2) children.push_back(position + step);
  std::reverse(children.begin(), children.end());
  return children;
}

std::vector<std::byte> gather_bytes(Wire& wire, std::span<const std::byte> own) {
  std::vector<std::byte> records(own.begin(), own.end());
  std::vector<int> children = tree_children(wire.rank(), wire.ranks());
  std::reverse(children.begin(), children.end());
  for (const int child : children) {
    const int step = child - wire.rank();
    const auto ranks = static_cast<std::size_t>(std::min(step, wire.ranks() - child));
    const std::size_t before = records.size();
    records.resize(before + ranks * own.size());
    wire.receive(child, std::span(records).subspan(before));
  }
  if (wire.rank() != 0) wire.send(tree_parent(wire.rank()), records);
  return records;
}

void broadcast_bytes(Wire& wire, std::span<std::byte> bytes) {
  if (wire.rank() != 0) wire.receive(tree_parent(wire.rank()), bytes);
  for (const int child : tree_children(wire.rank(), wire.ranks())) wire.send(child, bytes);
}

namespace {

struct Token {
  std::uint32_t call;
  std::uint32_t step;
};

std::string text(const Token& token) {
  return "step " + std::to_string(token.step) + " of barrier " + std::to_string(token.call);
}

}  // namespace

void DisseminationBarrier::wait() {
  ++calls_;
  const int ranks = wire_.ranks();
  std::uint32_t step = 0;
  for (int distance = 1; distance < ranks; distance *= 2, ++step) {
    send_value(wire_, (wire_.rank() + distance) % ranks, Token{calls_, step});
    hear((wire_.rank() + ranks - distance) % ranks, step);
  }
}

void DisseminationBarrier::hear(int from, std::uint32_t step) {
  const Token wanted{calls_, step};
  const Token heard = receive_value<Token>(wire_, from);
  if (heard.call == wanted.call && heard.step == wanted.step) return;
  throw WireError("rank " + std::to_string(wire_.rank()) + " is in " + text(wanted) + " and hears from rank " +
                  std::to_string(from) + ", which is in " + text(heard) +
                  ": the ranks have not all called the same barriers");
}

}  // namespace assay
