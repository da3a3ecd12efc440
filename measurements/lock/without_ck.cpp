// SPDX-License-Identifier: Apache-2.0
// Where the program is built without Concurrency Kit: the locks refuse to be constructed, so that nothing else is
// called.
#include <cstdlib>

#include "lock/ck_calls.hpp"

extern "C" {

int assay_ck_is_here(void) { return 0; }

void assay_ck_ticket_lock(void*) { std::abort(); }
void assay_ck_ticket_unlock(void*) { std::abort(); }
void assay_ck_mcs_lock(void*, void*) { std::abort(); }
void assay_ck_mcs_unlock(void*, void*) { std::abort(); }
void assay_ck_clh_init(void*, void*) { std::abort(); }
void assay_ck_clh_lock(void*, void*) { std::abort(); }
void assay_ck_clh_unlock(void**) { std::abort(); }

}  // extern "C"
