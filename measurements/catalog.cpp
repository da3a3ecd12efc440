// SPDX-License-Identifier: Apache-2.0
// Calls each group's registration function: the only list of built-in measurements.
#include "catalog.hpp"

#include "logp/register.hpp"
#include "omp/register.hpp"
#include "os/register.hpp"
#include "sync/register.hpp"
#include "synthetic/register.hpp"
#include "thread/register.hpp"

namespace assay {

void register_all(Registry& registry) {
  register_logp(registry);
  register_sync(registry);
  register_thread(registry);
  register_omp(registry);
  register_os(registry);
  register_synthetic(registry);
}

}  // namespace assay
