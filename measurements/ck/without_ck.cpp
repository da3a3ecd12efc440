// SPDX-License-Identifier: Apache-2.0
// Where the program is built without Concurrency Kit: its locks and barriers refuse to be constructed, so that nothing
// else is called.
#include <cstdlib>

#include "ck/calls.hpp"

extern "C" {

int assay_ck_is_here(void) { return 0; }

void assay_ck_ticket_lock(void*) { std::abort(); }
void assay_ck_ticket_unlock(void*) { std::abort(); }
void assay_ck_mcs_lock(void*, void*) { std::abort(); }
void assay_ck_mcs_unlock(void*, void*) { std::abort(); }
void assay_ck_clh_init(void*, void*) { std::abort(); }
void assay_ck_clh_lock(void*, void*) { std::abort(); }
void assay_ck_clh_unlock(void**) { std::abort(); }

std::size_t assay_ck_barrier_bytes(CkBarrierKind, unsigned) { std::abort(); }
void assay_ck_barrier_init(CkBarrierKind, void*, unsigned) { std::abort(); }
void assay_ck_central_wait(void*, unsigned, unsigned) { std::abort(); }
void assay_ck_dissemination_wait(void*, unsigned, unsigned) { std::abort(); }
void assay_ck_tournament_wait(void*, unsigned, unsigned) { std::abort(); }
void assay_ck_tree_wait(void*, unsigned, unsigned) { std::abort(); }

}  // extern "C"
