// SPDX-License-Identifier: Apache-2.0
// What a process does to itself and to its end of a socket: its id, its last words, its rights given up for those of a
// user.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
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

/// True when the calling process may do what root may.
bool is_root() noexcept;

/// Asks every worker that is started from now on to give up root's rights for those of `user`, by an environment
/// variable of this process. What forbids it, in words: not root, no such user, root itself; nothing when it is done.
std::optional<std::string> drop_in_workers(const std::string& user);

/// True when workers that are started now give up rights.
bool drops_privileges() noexcept;

/// In a worker, before anything foreign is loaded: becomes the user that the environment names, with that user's group
/// and no other, for good; does nothing where none is named. Throws PlatformError.
void drop_privileges();

}  // namespace assay
