// SPDX-License-Identifier: Apache-2.0
// How members that are ranks wait: within the library, or giving their CPU up where others need it.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>
#include <thread>

#include "api/mpi.hpp"

namespace assay {

/// Where members have CPUs of their own, waiting is the library's. Where they outnumber the CPUs, a library that polls
/// would use up time slices that the others need: there every wait is a look, and the CPU given up between two looks.
class MpiProgress {
 public:
  explicit MpiProgress(const MpiPlace& place) : gives_way_(place.crowded) {}
  bool gives_way() const { return gives_way_; }

  /// Until `has_come` is true; for conditions of the program's own.
  template <class Condition>
  void until(Condition has_come) const {
    while (!has_come())
      if (gives_way_) std::this_thread::yield();
  }

  void wait(MPI_Request& request) const {
    if (!gives_way_) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return;
    }
    int done = 0;
    until([&] { return MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0; });
  }

  void wait_all(std::span<MPI_Request> requests) const {
    const int count = static_cast<int>(requests.size());
    if (!gives_way_) {
      MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
      return;
    }
    int done = 0;
    until([&] { return MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS || done != 0; });
  }

  void send(const void* data, int bytes, int to, int tag, MPI_Comm communicator) const {
    if (!gives_way_) {
      MPI_Send(data, bytes, MPI_CHAR, to, tag, communicator);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data, bytes, MPI_CHAR, to, tag, communicator, &request);
    wait(request);
  }
  void receive(void* data, int bytes, int from, int tag, MPI_Comm communicator) const {
    if (!gives_way_) {
      MPI_Recv(data, bytes, MPI_CHAR, from, tag, communicator, MPI_STATUS_IGNORE);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, bytes, MPI_CHAR, from, tag, communicator, &request);
    wait(request);
  }
  /// A message of no bytes: the other side has come so far.
  void tell(int to, int tag, MPI_Comm communicator) const { send(nullptr, 0, to, tag, communicator); }
  void hear(int from, int tag, MPI_Comm communicator) const { receive(nullptr, 0, from, tag, communicator); }

  void barrier(MPI_Comm communicator) const {
    if (!gives_way_) {
      MPI_Barrier(communicator);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(communicator, &request);
    wait(request);
  }

  /// On every rank the root's value; the largest; the smallest.
  double from_root(double value, int root, MPI_Comm communicator) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&value, 1, MPI_DOUBLE, root, communicator, &request);
    wait(request);
    return value;
  }
  double largest(double value, MPI_Comm communicator) const {
    return reduced(value, MPI_DOUBLE, MPI_MAX, communicator);
  }
  std::int64_t latest(std::int64_t stamp, MPI_Comm communicator) const {
    return reduced(stamp, MPI_INT64_T, MPI_MAX, communicator);
  }
  std::int64_t earliest(std::int64_t stamp, MPI_Comm communicator) const {
    return reduced(stamp, MPI_INT64_T, MPI_MIN, communicator);
  }

 private:
  template <class T>
  T reduced(T value, MPI_Datatype type, MPI_Op how, MPI_Comm communicator) const {
    T result{};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&value, &result, 1, type, how, communicator, &request);
    wait(request);
    return result;
  }

  bool gives_way_;
};

/// For what waits within the library whatever we do. Throws Unsupported (N1) where members outnumber CPUs and the
/// library polls on.
inline void require_that_waits_give_way(const MpiPlace& place) {
  if (place.crowded && !place.gives_way)
    throw Unsupported(
        "members outnumber CPUs, and the library keeps polling while it waits: the number would be a time slice; set "
        "OMPI_MCA_mpi_yield_when_idle=1 (Open MPI), or start fewer ranks per node",
        "N1");
}

}  // namespace assay
