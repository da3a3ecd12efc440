// SPDX-License-Identifier: Apache-2.0
// The program with MPI.
#include "mpi/bandwidth.hpp"
#include "mpi/collective.hpp"
#include "mpi/kinds.hpp"
#include "mpi/links.hpp"
#include "mpi/master_worker.hpp"
#include "mpi/one_sided.hpp"
#include "mpi/overlap.hpp"
#include "mpi/partner.hpp"
#include "mpi/ping_pong.hpp"
#include "mpi/simple.hpp"

namespace assay {
namespace {

template <class M>
std::unique_ptr<Measurement> make(Setup& setup) {
  return std::make_unique<M>(setup);
}

}  // namespace

std::unique_ptr<Measurement> make_mpi(MpiKind kind, Setup& setup) {
  // In the order of the kinds.
  constexpr std::unique_ptr<Measurement> (*makers[])(Setup&) = {
      make<MpiPingPong>,     make<MpiBandwidth>, make<MpiMessageRate>, make<MpiOneSided>,
      make<MpiCollective>,   make<MpiOverlap>,   make<MpiDelayed>,     make<MpiPartner>,
      make<MpiMasterWorker>, make<MpiSimple>,    make<MpiLinks>};
  return makers[static_cast<std::size_t>(kind)](setup);
}

}  // namespace assay
