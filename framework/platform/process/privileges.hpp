// SPDX-License-Identifier: Apache-2.0
// Rights of processes: whether they are root's, and giving them up for those of a user.
#pragma once
#include <optional>
#include <string>

namespace assay {

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
