/* SPDX-License-Identifier: Apache-2.0 */
/* Times messages and collective operations, under an MPI library or in SimGrid: messages COMBINE BATCHES REPS [alone]
   OPERATION:BYTES... COMBINE is what adding a byte takes that has come from another rank, in ns: a simulator lets that
   time pass, a machine takes its own. Prints a row for each: operation, ranks, bytes, the median over batches in ns per
   call, and how many batches that were. With `alone` these are the batches before and after which each rank's core was
   not shared, and the last row has what told so: the least time that a row of independent additions took on the rank
   where that was longest. Ranks are threads in SimGrid: no variable is global that differs between them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int rank, ranks, bytes, reps;
  char *from, *to;
  MPI_Op sum;
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
/* Each rank is the root in turn, so that none runs ahead of the others; what it sends lies where it receives nothing,
   as in the ping-pong. */
static void broadcast(const Call* call, int i) {
  const int root = i % call->ranks;
  MPI_Bcast(root == call->rank ? call->from : call->to, call->bytes, MPI_CHAR, root, MPI_COMM_WORLD);
}
static void allreduce(const Call* call, int i) {
  (void)i;
  MPI_Allreduce(call->from, call->to, call->bytes / (int)sizeof(double), MPI_DOUBLE, call->sum, MPI_COMM_WORLD);
}

/* Of SimGrid: the host computes for so long. */
__attribute__((weak)) void smpi_execute_flops(double flops);
static double combine_each; /* ns per byte: the same for all ranks, and written before any of them begins */

static void add(void* in, void* in_out, int* count, MPI_Datatype* type) {
  (void)type;
  const double* const from = in;
  double* const to = in_out;
  for (int i = 0; i < *count; ++i) to[i] += from[i];
  const double host_speed = 1; /* flops per ns, as the platform has it */
  if (smpi_execute_flops != NULL) smpi_execute_flops(combine_each * *count * (double)sizeof(double) * host_speed);
}

/* Two ranks send each other what they have just written, as in a reduction. */
static void exchange(const Call* call, int i) {
  memset(call->from, i & 63, (size_t)call->bytes);
  MPI_Sendrecv(call->from, call->bytes, MPI_CHAR, 1 - call->rank, 0, call->to, call->bytes, MPI_CHAR, 1 - call->rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/* And add it up: by as much longer as that takes where the data has just come. */
static void combine(const Call* call, int i) {
  exchange(call, i);
  int count = call->bytes / (int)sizeof(double);
  MPI_Datatype type = MPI_DOUBLE;
  add(call->from, call->to, &count, &type);
}

typedef void Operation(const Call*, int);

static Operation* operation_of(const char* name) {
  if (strcmp(name, "ping-pong") == 0) return ping_pong;
  if (strcmp(name, "barrier") == 0) return barrier;
  if (strcmp(name, "broadcast") == 0) return broadcast;
  if (strcmp(name, "allreduce") == 0) return allreduce;
  if (strcmp(name, "exchange") == 0) return exchange;
  if (strcmp(name, "combine") == 0) return combine;
  return NULL;
}

static int order(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* What a neighbour on the same core makes longer by 20 to 100 %: ns of independent additions, a microsecond of them. */
static double reading(void) {
  unsigned long a = 1, b = 2, c = 3, d = 4;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < 2500; ++i) {
    a += b, b += 3, c += d, d += 5;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
}

static const double shared_from = 1.06;

/* Batches of one operation: their times, and the longest reading of all ranks before and after each. */
typedef struct {
  Operation* operation;
  char name[32];
  int bytes, count;
  double *times, *readings;
} Batches;

static void measure(Batches* batches, const Call* call, int reads) {
  Operation* const operation = batches->operation;
  for (int batch = 0; batch < batches->count; ++batch) {
    const double before = reads ? reading() : 0;
    operation(call, 0);
    const double begin = MPI_Wtime();
    for (int i = 0; i < call->reps; ++i) operation(call, i);
    batches->times[batch] = (MPI_Wtime() - begin) * 1e9 / call->reps;
    const double after = reads ? reading() : 0;
    batches->readings[batch] = before > after ? before : after;
  }
  if (operation == ping_pong)
    for (int batch = 0; batch < batches->count; ++batch) batches->times[batch] /= 2;
}

/* The readings of all ranks, each over the least of its own, and of each batch the longest; returns the longest least.
 */
static double compare_readings(Batches* all, int operations) {
  double least = 1e18, longest;
  for (int one = 0; one < operations; ++one)
    for (int batch = 0; batch < all[one].count; ++batch)
      if (all[one].readings[batch] < least) least = all[one].readings[batch];
  for (int one = 0; one < operations; ++one) {
    for (int batch = 0; batch < all[one].count; ++batch) all[one].readings[batch] /= least;
    MPI_Allreduce(MPI_IN_PLACE, all[one].readings, all[one].count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Allreduce(&least, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

/* The median of the batches that count, and how many they are. */
static void print_row(const Batches* batches, int ranks, int reads) {
  int kept = 0;
  for (int batch = 0; batch < batches->count; ++batch)
    if (!reads || batches->readings[batch] < shared_from) batches->times[kept++] = batches->times[batch];
  qsort(batches->times, (size_t)kept, sizeof(double), order);
  printf("%s %d %d %.3f %d\n", batches->name, ranks, batches->bytes, kept > 0 ? batches->times[kept / 2] : 0, kept);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Call call = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &call.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &call.ranks);
  const int reads = argc > 4 && strcmp(argv[4], "alone") == 0;
  const int first = 4 + reads;
  if (argc <= first) {
    if (call.rank == 0) fprintf(stderr, "usage: messages COMBINE BATCHES REPS [alone] OPERATION:BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  combine_each = atof(argv[1]);
  MPI_Op_create(add, 1, &call.sum);
  call.reps = atoi(argv[3]);
  const int operations = argc - first;
  Batches* const all = calloc((size_t)operations, sizeof(Batches));
  for (int one = 0; one < operations; ++one) {
    Batches* const batches = &all[one];
    if (sscanf(argv[first + one], "%31[^:]:%d", batches->name, &batches->bytes) != 2 ||
        (batches->operation = operation_of(batches->name)) == NULL)
      MPI_Abort(MPI_COMM_WORLD, 2);
    batches->count = atoi(argv[2]);
    batches->times = calloc((size_t)batches->count, sizeof(double));
    batches->readings = calloc((size_t)batches->count, sizeof(double));
    call.bytes = batches->bytes;
    call.from = calloc((size_t)call.bytes + 1, 1);
    call.to = calloc((size_t)call.bytes + 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    measure(batches, &call, reads);
    free(call.from);
    free(call.to);
  }
  const double least = reads ? compare_readings(all, operations) : 0;
  for (int one = 0; one < operations; ++one) {
    if (call.rank == 0) print_row(&all[one], call.ranks, reads);
    free(all[one].times);
    free(all[one].readings);
  }
  if (call.rank == 0 && reads) printf("least %d 0 %.3f 1\n", call.ranks, least);
  free(all);
  MPI_Op_free(&call.sum);
  MPI_Finalize();
  return 0;
}
