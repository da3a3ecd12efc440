/* SPDX-License-Identifier: Apache-2.0
 * Concurrency Kit's locks and barriers as functions. The program is linked with this file or with without_ck.cpp. */
#include <ck_barrier.h>
#include <ck_spinlock.h>
#include <stddef.h>

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

/* A barrier's memory: a cache line for each member's own part, then the barrier, then what it points to. */
enum { line_bytes = 64 };

/* CkBarrierKind in calls.hpp. */
enum { central = 0, dissemination = 1, tournament = 2, tree = 3 };

union own_part {
  ck_barrier_centralized_state_t central;
  ck_barrier_dissemination_state_t dissemination;
  ck_barrier_tournament_state_t tournament;
  ck_barrier_mcs_state_t tree;
  char line[line_bytes];
};
_Static_assert(sizeof(union own_part) == line_bytes, "a member's part is a line");

static size_t whole_lines(size_t bytes) { return (bytes + line_bytes - 1) / line_bytes * line_bytes; }
static union own_part* part_of(void* memory, unsigned rank) { return (union own_part*)memory + rank; }
static void* shared_of(void* memory, unsigned members) { return part_of(memory, members); }

/* Flags or rounds of one member, and the size of the barrier itself. */
static size_t row_bytes(int kind, unsigned members) {
  switch (kind) {
    case dissemination:
      /* As many again for the other parity. */
      return whole_lines(2 * ck_barrier_dissemination_size(members) * sizeof(ck_barrier_dissemination_flag_t));
    case tournament:
      return whole_lines(ck_barrier_tournament_size(members) * sizeof(ck_barrier_tournament_round_t));
    default:
      return 0;
  }
}
static size_t barrier_bytes(int kind, unsigned members) {
  switch (kind) {
    case central:
      return whole_lines(sizeof(ck_barrier_centralized_t));
    case dissemination:
      return whole_lines(members * sizeof(ck_barrier_dissemination_t));
    case tournament:
      return whole_lines(sizeof(ck_barrier_tournament_t));
    default:
      return whole_lines(members * sizeof(ck_barrier_mcs_t));
  }
}

size_t assay_ck_barrier_bytes(int kind, unsigned members) {
  return members * sizeof(union own_part) + barrier_bytes(kind, members) + whole_lines(members * sizeof(void*)) +
         members * row_bytes(kind, members);
}

void assay_ck_barrier_init(int kind, void* memory, unsigned members) {
  char* barrier = shared_of(memory, members);
  void** rows = (void**)(barrier + barrier_bytes(kind, members));
  char* row = (char*)rows + whole_lines(members * sizeof(void*));
  for (unsigned rank = 0; rank < members; ++rank) rows[rank] = row + rank * row_bytes(kind, members);
  if (kind == dissemination)
    ck_barrier_dissemination_init((void*)barrier, (ck_barrier_dissemination_flag_t**)rows, members);
  if (kind == tournament) ck_barrier_tournament_init((void*)barrier, (ck_barrier_tournament_round_t**)rows, members);
  if (kind == tree) ck_barrier_mcs_init((void*)barrier, members);
  /* In the order of ranks: each gets the next place. */
  for (unsigned rank = 0; rank < members; ++rank) {
    union own_part* part = part_of(memory, rank);
    if (kind == dissemination) ck_barrier_dissemination_subscribe((void*)barrier, &part->dissemination);
    if (kind == tournament) ck_barrier_tournament_subscribe((void*)barrier, &part->tournament);
    if (kind == tree) ck_barrier_mcs_subscribe((void*)barrier, &part->tree);
  }
}

void assay_ck_central_wait(void* memory, unsigned rank, unsigned members) {
  ck_barrier_centralized(shared_of(memory, members), &part_of(memory, rank)->central, members);
}
void assay_ck_dissemination_wait(void* memory, unsigned rank, unsigned members) {
  ck_barrier_dissemination(shared_of(memory, members), &part_of(memory, rank)->dissemination);
}
void assay_ck_tournament_wait(void* memory, unsigned rank, unsigned members) {
  ck_barrier_tournament(shared_of(memory, members), &part_of(memory, rank)->tournament);
}
void assay_ck_tree_wait(void* memory, unsigned rank, unsigned members) {
  ck_barrier_mcs(shared_of(memory, members), &part_of(memory, rank)->tree);
}
