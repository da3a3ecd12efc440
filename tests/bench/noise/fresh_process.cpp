// SPDX-License-Identifier: Apache-2.0
// A child that times one cell and sends its timings as one line.
#include "bench/noise/fresh_process.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

#include "platform/process/process.hpp"
#include "platform/process/program.hpp"

namespace assay::bench {
namespace {

constexpr std::int64_t warm_up_ns = 5'000'000;
constexpr std::string_view child_word = "one-process";

std::int64_t whole(const std::string& word) {
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

}  // namespace

std::vector<std::int64_t> in_fresh_process(const NoiseCell& cell, std::int64_t reps, const Kept& kept) {
  ChildProcess child({own_program(),
                      {std::string(child_word), cell.name, std::to_string(reps), std::to_string(kept.count),
                       std::to_string(kept.stretch), std::to_string(kept.spacing_ns)},
                      {}});
  std::string line;
  if (child.socket().receive(line, seconds(120)) != LineSocket::Status::line)
    throw std::runtime_error("the process that times " + cell.name + " says nothing: " + child.output());
  std::vector<std::int64_t> all;
  const char* at = line.data();
  for (const char* end = at + line.size(); at < end; ++at) at = std::from_chars(at, end, all.emplace_back()).ptr;
  return all;
}

std::optional<int> serve_fresh_process(const std::vector<std::string>& words) {
  if (words.empty() || words[0] != child_word) return std::nullopt;
  std::string line;
  const Kept kept{whole(words.at(3)), whole(words.at(4)), whole(words.at(5))};
  for (const std::int64_t elapsed : time_cell(words.at(1), whole(words.at(2)), kept, warm_up_ns))
    line += std::to_string(elapsed) + ' ';
  line.pop_back();
  LineSocket socket(3);
  return socket.send(line) ? 0 : 1;
}

}  // namespace assay::bench
