// SPDX-License-Identifier: Apache-2.0
// A file names the holder, and one for each rank says that it needs the token no more: the first rank from the named
// one on without such a file holds it. So it is held by one at most, however late a rank sees what another wrote.
#include "app/cluster/measurement_token.hpp"

#include <charconv>
#include <system_error>
#include <utility>

#include "platform/file/append_file.hpp"

namespace assay {
namespace {

constexpr const char* holder_name = "holder";
constexpr std::size_t longest_number = 32;

}  // namespace

MeasurementToken::MeasurementToken(std::string directory, int rank, int ranks, Waiting waiting)
    : directory_(std::move(directory)),
      rank_(rank),
      ranks_(ranks),
      waiting_(std::move(waiting)),
      held_since_(waiting_.clock.now()) {}

int MeasurementToken::holder() const {
  std::error_code ignored;
  if (!std::filesystem::exists(file(holder_name), ignored)) return active_from(0);
  const std::string text = read_file(file(holder_name).string(), longest_number);
  int named = -1;
  std::from_chars(text.data(), text.data() + text.size(), named);
  return active_from(named);
}

int MeasurementToken::active_from(int rank) const {
  for (int step = 0; step < ranks_; ++step) {
    const int candidate = (rank + step) % ranks_;
    std::error_code ignored;
    if (!std::filesystem::exists(file(std::to_string(candidate)), ignored)) return candidate;
  }
  return -1;
}

void MeasurementToken::await(const std::function<bool()>& gives_up) {
  while (holder() != rank_ && !gives_up()) waiting_.pause(waiting_.between_looks);
  held_since_ = waiting_.clock.now();
}

Nanoseconds MeasurementToken::take_turns(const std::function<bool()>& gives_up) {
  const Instant asked = waiting_.clock.now();
  if (asked - held_since_ < waiting_.stint || active_from(rank_ + 1) == rank_) return {};
  // Who gave up waiting does not hold it.
  if (holder() == rank_) write_file(file(holder_name).string(), std::to_string((rank_ + 1) % ranks_));
  await(gives_up);
  return held_since_ - asked;
}

void MeasurementToken::retire() { write_file(file(std::to_string(rank_)).string(), ""); }

}  // namespace assay
