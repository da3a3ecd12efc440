// SPDX-License-Identifier: Apache-2.0
// A registration function that throws.
#include <stdexcept>

#include "api/plugin.hpp"

static void refuse(assay::Registry&) { throw std::runtime_error("no licence"); }

ASSAY_PLUGIN(refuse)
