// SPDX-License-Identifier: Apache-2.0
// Concurrency Kit's locks and barriers as functions of C, since its headers cannot be compiled as C++: with_ck.c or
// without_ck.cpp.
#pragma once
#include <cstddef>

/// The barriers, by the numbers that with_ck.c knows them by.
enum class CkBarrierKind : int { central = 0, dissemination = 1, tournament = 2, tree = 3 };

extern "C" {

/// Whether the program was built with Concurrency Kit; without it no other function may be called.
int assay_ck_is_here();

/// A word is memory of 8 bytes, a node memory of 16, all aligned to 8, zeroed, and initialized where a function for
/// that is.
void assay_ck_ticket_lock(void* word);
void assay_ck_ticket_unlock(void* word);
void assay_ck_mcs_lock(void* word, void* node);
void assay_ck_mcs_unlock(void* word, void* node);
void assay_ck_clh_init(void* word, void* unowned);
void assay_ck_clh_lock(void* word, void* node);
/// Exchanges the node for that of the member before.
void assay_ck_clh_unlock(void** node);

/// What a barrier of so many members (2 or more) takes, in bytes, with the members' own parts.
std::size_t assay_ck_barrier_bytes(CkBarrierKind kind, unsigned members);
/// Makes one in zeroed memory of that size, aligned to a cache line. It holds pointers into itself.
void assay_ck_barrier_init(CkBarrierKind kind, void* memory, unsigned members);
/// A member, by its rank, waits for all others.
void assay_ck_central_wait(void* memory, unsigned rank, unsigned members);
void assay_ck_dissemination_wait(void* memory, unsigned rank, unsigned members);
void assay_ck_tournament_wait(void* memory, unsigned rank, unsigned members);
void assay_ck_tree_wait(void* memory, unsigned rank, unsigned members);

}  // extern "C"
