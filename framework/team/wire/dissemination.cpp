// SPDX-License-Identifier: Apache-2.0
// The steps of the barrier, each with the number of the call it belongs to.
#include "team/wire/dissemination.hpp"

#include <string>

namespace assay {
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
