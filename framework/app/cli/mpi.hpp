// SPDX-License-Identifier: Apache-2.0
// What differs between the program and its twin `assay-mpi`, answered by the one of two files that is linked, and
// whether a launcher of MPI started this process.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"

namespace assay {

/// The MPI library's own description of itself on one line, without MPI being initialised. The program itself asks its
/// twin, which takes some milliseconds; "none" where there is no twin, "unknown" where it does not answer.
std::string mpi_library();

/// For a rank of an MPI launch: turns the process into the twin, with the same arguments. Returns where this is no
/// rank, where this is the twin already, and for a worker, which is what its supervisor started; else what is to be
/// reported.
std::optional<std::string> hand_over_to_mpi(const std::vector<std::string>& arguments);

/// run_program, with the other ranks of an MPI launch at rank 0's service where it measures; their own part returns 0
/// when rank 0 has ended.
int run_among_ranks(const std::vector<std::string>& arguments, const Fill& fill, AppContext& context);

/// The program that each rank of a launch runs: the twin; nothing where there is none.
std::optional<std::string> rank_program();

/// The program that serves as worker where the ranks themselves do not: the one without MPI, which starts faster.
/// Throws PlatformError.
std::string worker_program();

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
