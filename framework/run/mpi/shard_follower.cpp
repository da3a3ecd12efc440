// SPDX-License-Identifier: Apache-2.0
// Whole lines only; what is no record is the importer's to refuse.
#include "run/mpi/shard_follower.hpp"

#include <array>
#include <fstream>

#include "record/journal/codec.hpp"
#include "record/journal/journal_line.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10U;

}  // namespace

bool ShardFollower::look() {
  std::ifstream stream(file_, std::ios::binary);
  if (!stream.seekg(static_cast<std::streamoff>(read_))) return false;
  bool grew = false;
  std::array<char, piece> buffer{};
  while (stream.read(buffer.data(), buffer.size()), stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    read_ += count;
    pending_.append(buffer.data(), count);
    std::size_t from = 0;
    for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', from)) {
      take(std::string_view(pending_).substr(from, end - from));
      from = end + 1;
      grew = true;
    }
    pending_.erase(0, from);
  }
  return grew;
}

void ShardFollower::take(std::string_view line) {
  const auto head = head_of(line);
  if (!head || !is_sound(line)) return;
  began_ = true;
  if (head->type == "point") ++points_;
  if (head->type == "visit" || head->type == "point") in_flight_.reset();
  if (head->type != "begin" && head->type != "alive" && head->type != "launch") return;
  try {
    note(decode(parse_json(line)));
  } catch (const JsonError&) {
    return;
  }
}

void ShardFollower::note(const Record& record) {
  if (const auto* begin = std::get_if<BeginRecord>(&record)) in_flight_ = *begin;
  if (const auto* alive = std::get_if<AliveRecord>(&record)) next_ = alive->next;
  if (const auto* launch = std::get_if<LaunchRecord>(&record)) ended_ = ended_ || !launch->ended.empty();
}

}  // namespace assay
