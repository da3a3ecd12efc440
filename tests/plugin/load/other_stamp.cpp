// SPDX-License-Identifier: Apache-2.0
// A plugin for an interface that is yet to come: nothing of it may run.
#include <cstdlib>

#include "api/plugin.hpp"

namespace {

constexpr assay::PluginStamp from_the_future() {
  assay::PluginStamp stamp = assay::plugin_stamp();
  stamp.interface_version = 99;
  return stamp;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) constinit const assay::PluginStamp assay_stamp = from_the_future();
extern "C" __attribute__((visibility("default"))) void assay_register(assay::Registry&) { std::abort(); }
