// SPDX-License-Identifier: Apache-2.0
// Concurrency Kit's locks as functions of C, since its headers cannot be compiled as C++: with_ck.c or without_ck.cpp.
#pragma once

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

}  // extern "C"
