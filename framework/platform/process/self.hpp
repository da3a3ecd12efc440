// SPDX-License-Identifier: Apache-2.0
// What a process does to itself and to its end of a socket: its id, its last words.
#pragma once
#include <cstddef>
#include <string_view>

namespace assay {

/// The id of the calling process.
int own_pid() noexcept;

/// Writes `line` to the socket with one call that never waits, kills process `leader` unless that is the caller, and
/// ends the calling process with status 1. Says nothing when the leader, another process, is at its end already: what
/// failed is a consequence of that. Neither allocates, nor locks, nor runs destructors or exit handlers, so that
/// it works from any thread and from a signal handler, whatever the other threads hold.
[[noreturn]] void end_with_last_word(int socket, std::string_view line, int leader) noexcept;

/// Ends the sending direction of a stream socket: the other side reads end of file, and can still send.
void end_sending(int socket) noexcept;

/// Keeps a descriptor from programs that this process starts.
void close_on_exec(int descriptor) noexcept;

}  // namespace assay
