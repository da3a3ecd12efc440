/* SPDX-License-Identifier: Apache-2.0
 * Concurrency Kit's locks as functions; declared in ck_calls.hpp. The program is linked with this file or with
 * without_ck.cpp. */
#include <ck_spinlock.h>

_Static_assert(sizeof(ck_spinlock_ticket_t) <= 8, "a word holds a ticket lock");
_Static_assert(sizeof(ck_spinlock_mcs_context_t) <= 16 && sizeof(ck_spinlock_clh_t) <= 16,
               "a node holds a member's part");

int assay_ck_is_here(void) { return 1; }

/* Memory of zeros is an unlocked lock. */
void assay_ck_ticket_lock(void* word) { ck_spinlock_ticket_lock(word); }
void assay_ck_ticket_unlock(void* word) { ck_spinlock_ticket_unlock(word); }

/* Memory of zeros is an empty queue. */
void assay_ck_mcs_lock(void* word, void* node) { ck_spinlock_mcs_lock(word, node); }
void assay_ck_mcs_unlock(void* word, void* node) { ck_spinlock_mcs_unlock(word, node); }

void assay_ck_clh_init(void* word, void* unowned) { ck_spinlock_clh_init(word, unowned); }
void assay_ck_clh_lock(void* word, void* node) { ck_spinlock_clh_lock(word, node); }
void assay_ck_clh_unlock(void** node) { ck_spinlock_clh_unlock((ck_spinlock_clh_t**)node); }
