// SPDX-License-Identifier: Apache-2.0
// Calls of the library without communication: SKaMPI's simple pattern.
#pragma once
#include <mpi.h>

#include <map>
#include <string>

#include "api/mpi.hpp"

namespace assay {

/// One call per repetition, on every member by itself.
class MpiSimple final : public Measurement {
 public:
  explicit MpiSimple(Setup& setup) : place_(mpi_place(setup)), call_(calls().at(setup.word("operation"))) {}

  Claims run(Member& member, Reps reps) override { return (this->*call_)(member, reps); }

 private:
  using Call = Nanoseconds (MpiSimple::*)(Member&, Reps);
  static const std::map<std::string, Call>& calls() {
    static const std::map<std::string, Call> all{
        {"wtime", &MpiSimple::wtime}, {"comm_rank", &MpiSimple::comm_rank},       {"iprobe", &MpiSimple::iprobe},
        {"test", &MpiSimple::test},   {"send_to_none", &MpiSimple::send_to_none}, {"type", &MpiSimple::type}};
    return all;
  }

  Nanoseconds wtime(Member& member, Reps reps) {
    return member.timed(reps, [] { keep(MPI_Wtime()); });
  }
  Nanoseconds comm_rank(Member& member, Reps reps) {
    int rank = 0;
    return member.timed(reps, [&] {
      MPI_Comm_rank(place_.communicator, &rank);
      keep(rank);
    });
  }
  Nanoseconds iprobe(Member& member, Reps reps) {
    int found = 0;
    return member.timed(reps, [&] {
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, place_.communicator, &found, MPI_STATUS_IGNORE);
      keep(found);
    });
  }
  Nanoseconds test(Member& member, Reps reps) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    return member.timed(reps, [&] {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      keep(done);
    });
  }
  Nanoseconds send_to_none(Member& member, Reps reps) {
    char nothing = 0;
    return member.timed(reps, [&] { MPI_Send(&nothing, 1, MPI_CHAR, MPI_PROC_NULL, 0, place_.communicator); });
  }
  Nanoseconds type(Member& member, Reps reps) {
    return member.timed(reps, [] {
      MPI_Datatype one = MPI_DATATYPE_NULL;
      MPI_Type_vector(8, 1, 2, MPI_INT32_T, &one);
      MPI_Type_commit(&one);
      MPI_Type_free(&one);
    });
  }

  const MpiPlace& place_;
  Call call_;
};

}  // namespace assay
