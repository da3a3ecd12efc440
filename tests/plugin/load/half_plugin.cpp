// SPDX-License-Identifier: Apache-2.0
// A plugin without its registration function.
#include "api/plugin.hpp"
extern "C" __attribute__((visibility("default"))) constinit const assay::PluginStamp assay_stamp =
    assay::plugin_stamp();
