// SPDX-License-Identifier: Apache-2.0
// Exceptions to fixed texts and back.
#include "team/local/failure.hpp"

#include <exception>
#include <span>
#include <string_view>

#include "base/error.hpp"

namespace assay {
namespace {

constexpr const char* not_an_exception = "threw something that is not a std::exception";

void copy(std::span<char> to, std::string_view text) noexcept {
  std::size_t length = std::min(text.size(), to.size() - 1);
  // A continuation byte must not be the first one left out.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  text.copy(to.data(), length);  // which may be nothing, of nowhere
  to[length] = '\0';
}

void write(Slot& slot, Failure kind, std::string_view why, std::string_view code = {}, int error_number = 0) noexcept {
  if (slot.failure.load() != Failure::none) return;
  copy(slot.why, why);
  copy(slot.code, code);
  slot.error_number = error_number;
  slot.failure.store(kind);
}

// A slot has what was attempted and the number; the system's reason is added where it is reported.
PlatformError platform_error(const Slot& slot) { return {slot.why, slot.error_number}; }

[[noreturn]] void throw_from(const Slot& slot, int rank) {
  switch (slot.failure.load()) {
    case Failure::unsupported:
      throw Unsupported(slot.why, slot.code);
    case Failure::platform:
      throw platform_error(slot);
    default:
      throw MemberFailed(rank, slot.why);
  }
}

int first_failed(const Mailbox& mailbox) noexcept {
  for (int rank = 0; rank < mailbox.members; ++rank)
    if (mailbox.slots[rank].failure.load() != Failure::none) return rank;
  return -1;
}

}  // namespace

void write_failure(Slot& slot) noexcept {
  try {
    throw;
  } catch (const Unsupported& error) {
    write(slot, Failure::unsupported, error.what(), error.code());
  } catch (const PlatformError& error) {
    write(slot, Failure::platform, error.attempt(), {}, error.error_number());
  } catch (const std::bad_alloc&) {  // nothing may be allocated now
    write(slot, Failure::failed, "out of memory (std::bad_alloc)");
  } catch (const std::exception& error) {
    write(slot, Failure::failed, error.what());
  } catch (...) {
    write(slot, Failure::failed, not_an_exception);
  }
}

std::string why_of(const Slot& slot) {
  if (slot.failure.load() == Failure::platform) return platform_error(slot).what();
  return slot.why;
}

std::string out_of_memory(const std::bad_alloc& error) { return "out of memory (" + std::string(error.what()) + ")"; }

void write_death(Slot& slot, const char* how) noexcept { write(slot, Failure::failed, how); }

void throw_failure(const Mailbox& mailbox) {
  if (const int rank = first_failed(mailbox); rank >= 0) throw_from(mailbox.slots[rank], rank);
}

MemberFailed blame(const Mailbox& mailbox) noexcept {
  if (const int rank = first_failed(mailbox); rank >= 0) return {rank, why_of(mailbox.slots[rank])};
  try {
    throw;
  } catch (const std::bad_alloc& error) {
    return {0, out_of_memory(error)};
  } catch (const std::exception& error) {
    return {0, error.what()};
  } catch (...) {
    return {0, not_an_exception};
  }
}

}  // namespace assay
