// SPDX-License-Identifier: Apache-2.0
// A ping-pong over MPI as one writes it by hand, with nothing of Assay. Usage: mpirun -np 2 mpi_agreement_hand BYTES.
// Prints the median and the lower decile over batches, in ns per round trip.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int tag = 7;
constexpr double batch_seconds = 1e-4;
constexpr double span_seconds = 0.4;

void exchange(std::vector<char>& buffer, int rank) {
  const int size = static_cast<int>(buffer.size());
  if (rank == 0) {
    MPI_Send(buffer.data(), size, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
    MPI_Recv(buffer.data(), size, MPI_CHAR, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(buffer.data(), size, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer.data(), size, MPI_CHAR, 0, tag, MPI_COMM_WORLD);
  }
}

// Rank 0 says how many round trips follow, 0 at the end.
double batch(std::vector<char>& buffer, long trips) {
  MPI_Send(&trips, 1, MPI_LONG, 1, tag, MPI_COMM_WORLD);
  exchange(buffer, 0);
  const double from = MPI_Wtime();
  for (long i = 0; i < trips; ++i) exchange(buffer, 0);
  return MPI_Wtime() - from;
}

struct Trip {
  double median;
  double lower_decile;
};

Trip trip_of(std::vector<char>& buffer) {
  long trips = 1;
  std::vector<double> times;
  const double start = MPI_Wtime();
  while (MPI_Wtime() - start < 2 * span_seconds) {
    const double time = batch(buffer, trips);
    if (MPI_Wtime() - start > span_seconds)
      times.push_back(time / static_cast<double>(trips));
    else if (time < batch_seconds)
      trips *= 2;
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() / 10]};
}

void answer(std::vector<char>& buffer) {
  for (long trips = 1; trips > 0;) {
    MPI_Recv(&trips, 1, MPI_LONG, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (long i = 0; trips > 0 && i <= trips; ++i) exchange(buffer, 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<char> buffer(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 8);
  if (rank == 0) {
    const Trip trip = trip_of(buffer);
    std::printf("%.3f %.3f\n", 1e9 * trip.median, 1e9 * trip.lower_decile);
    long end = 0;
    MPI_Send(&end, 1, MPI_LONG, 1, tag, MPI_COMM_WORLD);
  } else if (rank == 1) {
    answer(buffer);
  }
  MPI_Finalize();
}
