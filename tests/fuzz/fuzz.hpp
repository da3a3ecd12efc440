// SPDX-License-Identifier: Apache-2.0
// What fuzz targets share: the entry point, promises that end the program when broken, and input taken in pieces.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

/// Called with every input, by libFuzzer or by the program that replays a corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {

/// Ends the program unless `kept`: the input is then kept as a finding.
inline void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

/// The input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Takes values from the front of an input; zeros once it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(text_of(data, size)) {}

  bool empty() const { return rest_.empty(); }
  template <class Number>
  Number number() {
    Number value{};
    const std::size_t taken = rest_.size() < sizeof value ? rest_.size() : sizeof value;
    std::memcpy(&value, rest_.data(), taken);
    rest_.remove_prefix(taken);
    return value;
  }
  std::uint8_t byte() { return number<std::uint8_t>(); }
  /// At most so many bytes.
  std::string_view bytes(std::size_t most) {
    const std::string_view taken = rest_.substr(0, most);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  /// What stands before the next `end`, which is taken as well.
  std::string_view until(char end) {
    const std::string_view taken = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(taken.size() < rest_.size() ? taken.size() + 1 : taken.size());
    return taken;
  }
  std::string_view rest() { return bytes(rest_.size()); }

 private:
  std::string_view rest_;
};

}  // namespace assay::fuzz
