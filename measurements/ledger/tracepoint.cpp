// SPDX-License-Identifier: Apache-2.0
// tracefs, found or mounted nowhere, and the texts in it.
#include "ledger/tracepoint.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

std::optional<std::int64_t> number_after(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  std::string_view rest = text.substr(at + key.size());
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return read.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

/// "field:char prev_comm[16]" to "prev_comm", and "field:__data_loc char[] name" to "name".
std::string name_in(std::string_view declaration) {
  const auto space = declaration.find_last_of(" \t*:");
  const std::string_view last = space == std::string_view::npos ? declaration : declaration.substr(space + 1);
  return std::string(last.substr(0, last.find('[')));
}

std::string contents(int folder, const std::string& path) {
  const int file = ::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got = 0; (got = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(file);
  return text;
}

/// An instance that is mounted nowhere: the calls of Linux 5.2, whose numbers are the same on all machines, and which
/// older C libraries do not have.
int unmounted_tracefs() {
  constexpr long fsopen = 430, fsconfig = 431, fsmount = 432;
  constexpr unsigned close_on_exec = 1;
  constexpr unsigned create = 6;  // FSCONFIG_CMD_CREATE
  const auto context = static_cast<int>(::syscall(fsopen, "tracefs", close_on_exec));
  if (context < 0) return -1;
  long root = -1;
  if (::syscall(fsconfig, context, create, nullptr, nullptr, 0) == 0)
    root = ::syscall(fsmount, context, close_on_exec, 0);
  const int error = errno;
  ::close(context);
  errno = error;
  return static_cast<int>(root);
}

bool has_events(int folder) { return folder >= 0 && ::faccessat(folder, "events/sched", R_OK, 0) == 0; }

int open_tracefs() {
  for (const char* place : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    const int folder = ::open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (has_events(folder)) return folder;
    if (folder >= 0) ::close(folder);
  }
  return unmounted_tracefs();
}

}  // namespace

std::optional<TracepointFormat> TracepointFormat::parse(std::string_view text) {
  TracepointFormat format;
  const auto id = number_after(text, "ID:");
  if (!id) return std::nullopt;
  format.id_ = static_cast<int>(*id);
  constexpr std::string_view mark = "field:";
  for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::string_view declaration = line.substr(0, line.find(';'));
    const auto offset = number_after(line, "offset:");
    const auto size = number_after(line, "size:");
    if (!offset || !size || *offset < 0 || *size < 0) continue;
    format.fields_[name_in(declaration)] = {static_cast<std::size_t>(*offset), static_cast<std::size_t>(*size),
                                            number_after(line, "signed:").value_or(0) != 0,
                                            declaration.find("__data_loc") != std::string_view::npos};
  }
  return format;
}

std::int64_t TracepointFormat::number(std::span<const unsigned char> record, const std::string& field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end()) return 0;
  const Field& where = found->second;
  if (where.size > 8 || where.offset > record.size() || where.size > record.size() - where.offset) return 0;
  std::int64_t number = 0;
  std::memcpy(&number, record.data() + where.offset, where.size);  // the machines that this runs on are little endian
  if (where.is_signed && where.size == 4) number = static_cast<std::int32_t>(number);
  return number;
}

std::string TracepointFormat::text(std::span<const unsigned char> record, const std::string& field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end()) return {};
  std::size_t offset = found->second.offset, size = found->second.size;
  if (found->second.is_elsewhere) {
    const auto place = static_cast<std::uint32_t>(number(record, field));
    offset = place & 0xFFFFU;
    size = place >> 16U;
  }
  if (offset > record.size()) return {};
  const auto bytes = record.subspan(offset, std::min(size, record.size() - offset));
  return {bytes.begin(), std::ranges::find(bytes, '\0')};
}

Tracefs::Tracefs() {
  const int root = open_tracefs();
  if (!has_events(root)) {
    const std::string why = std::generic_category().message(errno);
    if (root >= 0) ::close(root);
    throw Unsupported("the kernel's tracepoints cannot be read (tracefs: " + why +
                      "); they need root, or a readable /sys/kernel/tracing; by = counters needs neither");
  }
  root_ = std::make_unique<OwnedDescriptor>("tracefs", root);
}

std::optional<TracepointFormat> Tracefs::format(const std::string& event) const {
  return TracepointFormat::parse(contents(root_->number(), "events/" + event + "/format"));
}

}  // namespace assay
