// SPDX-License-Identifier: Apache-2.0
// Whether a launcher of MPI started this process, and what the twin with MPI says of its library.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// "rank 1 of an MPI launch (PMIX_RANK)" where a variable says that the process is a rank: of Open MPI's launcher, or
/// of one by the process management interfaces PMI or PMIx. Nothing for a worker, whose supervisor may be one, for a
/// command that starts launches or a node's own campaign, and where `environment`, which returns nullptr for what is
/// not set, has none.
std::optional<std::string> launch_of(const std::vector<std::string>& arguments,
                                     const std::function<const char*(const char*)>& environment);

/// The rank according to a launcher's variables, among all or among those on this node, and how many ranks there are;
/// nothing where none does.
std::optional<int> launch_size(const std::function<const char*(const char*)>& environment);
std::optional<int> launch_rank(const std::function<const char*(const char*)>& environment);
std::optional<int> launch_rank_on_node(const std::function<const char*(const char*)>& environment);

/// What follows "MPI: " on a line of what `assay-mpi --version` printed; "unknown" where no line begins so.
std::string library_in(std::string_view version);

}  // namespace assay
