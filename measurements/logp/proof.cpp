// SPDX-License-Identifier: Apache-2.0
// Reading procfs' `syscall` and `stat` of a thread.
#include "logp/proof.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

namespace assay {
namespace {

std::string path_of(ProofKind kind, ThreadName sleeper) {
  return "/proc/" + std::to_string(sleeper.process) + "/task/" + std::to_string(sleeper.thread) +
         (kind == ProofKind::syscall ? "/syscall" : "/stat");
}

// The number that starts the text, which is left behind it; false where there is none.
template <class Number>
bool take_number(std::string_view& text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

int open_file(ProofKind kind, ThreadName sleeper) {
  const std::string path = path_of(kind, sleeper);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  // The kernel can let the file be opened and not be read.
  if (file >= 0 && ::pread(file, &byte, 1, 0) == 1) return file;
  const std::string reason = std::system_category().message(errno);
  if (file >= 0) ::close(file);
  throw Unsupported("the receiver cannot be proved to sleep: " + path + ": " + reason + "; use " +
                        (kind == ProofKind::syscall ? "proof = state, which is weaker" : "proof = none"),
                    "N7");
}

}  // namespace

ThreadName ThreadName::of_self() { return {::getpid(), ::gettid()}; }

ProofKind proof_kind(const std::string& word) {
  if (word == "syscall") return ProofKind::syscall;
  return word == "state" ? ProofKind::state : ProofKind::none;
}

SleepProof::SleepProof(ProofKind kind, ThreadName sleeper)
    : kind_(kind), file_(kind == ProofKind::none ? -1 : open_file(kind, sleeper)) {}

SleepProof::~SleepProof() {
  if (file_ >= 0) ::close(file_);
}

bool SleepProof::holds(const SleepingPlace& place) const {
  std::array<char, 512> text;
  const ssize_t length = file_ < 0 ? -1 : ::pread(file_, text.data(), text.size(), 0);
  if (length <= 0) return false;
  const std::string_view line(text.data(), static_cast<std::size_t>(length));
  return kind_ == ProofKind::syscall ? shows_sleep_at(line, place) : shows_sleep(line);
}

bool shows_sleep_at(std::string_view syscall_line, const SleepingPlace& place) {
  long call = -1;
  std::uint64_t first = 0;
  if (!take_number(syscall_line, call, 10) || call < 0 || !syscall_line.starts_with(" 0x")) return false;
  syscall_line.remove_prefix(3);
  if (!take_number(syscall_line, first, 16)) return false;
  return std::find(place.calls.begin(), place.calls.end(), call) != place.calls.end() && place.low <= first &&
         first <= place.high;
}

bool shows_sleep(std::string_view stat_line) {
  const auto end_of_name = stat_line.rfind(')');
  return end_of_name != std::string_view::npos && stat_line.substr(end_of_name + 1).starts_with(" S");
}

}  // namespace assay
