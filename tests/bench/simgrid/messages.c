/* SPDX-License-Identifier: Apache-2.0 */
/* Times messages and collective operations, under an MPI library or in SimGrid: messages BATCHES REPS
   OPERATION:BYTES... Prints a row for each: operation, ranks, bytes, and the median over batches in ns per call. No
   variable is global: ranks are threads in SimGrid. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int rank, ranks, bytes, reps;
  char *from, *to;
} Call;

static void ping_pong(const Call* call, int i) {
  (void)i;
  if (call->rank == 0) {
    MPI_Send(call->from, call->bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(call->to, call->bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (call->rank == 1) {
    MPI_Recv(call->to, call->bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(call->from, call->bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
}
static void barrier(const Call* call, int i) {
  (void)call;
  (void)i;
  MPI_Barrier(MPI_COMM_WORLD);
}
/* Each rank is the root in turn, so that none runs ahead of the others. */
static void broadcast(const Call* call, int i) {
  MPI_Bcast(call->to, call->bytes, MPI_CHAR, i % call->ranks, MPI_COMM_WORLD);
}
static void allreduce(const Call* call, int i) {
  (void)i;
  MPI_Allreduce(call->from, call->to, call->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void combine(const Call* call, int i) {
  (void)i;
  MPI_Reduce_local(call->from, call->to, call->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM);
}

typedef void Operation(const Call*, int);

static Operation* operation_of(const char* name) {
  if (strcmp(name, "ping-pong") == 0) return ping_pong;
  if (strcmp(name, "barrier") == 0) return barrier;
  if (strcmp(name, "broadcast") == 0) return broadcast;
  if (strcmp(name, "allreduce") == 0) return allreduce;
  if (strcmp(name, "combine") == 0) return combine;
  return NULL;
}

static int order(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The median batch, in ns per call; of a ping-pong, half of it. */
static double median(Operation* operation, const Call* call, int batches) {
  double* times = malloc((size_t)batches * sizeof(double));
  for (int i = 0; i < 2; ++i) operation(call, i);
  for (int batch = 0; batch < batches; ++batch) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < call->reps; ++i) operation(call, i);
    times[batch] = (MPI_Wtime() - begin) * 1e9 / call->reps;
  }
  qsort(times, (size_t)batches, sizeof(double), order);
  const double found = times[batches / 2];
  free(times);
  return operation == ping_pong ? found / 2 : found;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Call call = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &call.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &call.ranks);
  if (argc < 4) {
    if (call.rank == 0) fprintf(stderr, "usage: messages BATCHES REPS OPERATION:BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int batches = atoi(argv[1]);
  call.reps = atoi(argv[2]);
  for (int i = 3; i < argc; ++i) {
    char name[32];
    if (sscanf(argv[i], "%31[^:]:%d", name, &call.bytes) != 2 || operation_of(name) == NULL)
      MPI_Abort(MPI_COMM_WORLD, 2);
    call.from = calloc((size_t)call.bytes + 1, 1);
    call.to = calloc((size_t)call.bytes + 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double time = median(operation_of(name), &call, batches);
    if (call.rank == 0) printf("%s %d %d %.3f\n", name, call.ranks, call.bytes, time);
    free(call.from);
    free(call.to);
  }
  MPI_Finalize();
  return 0;
}
