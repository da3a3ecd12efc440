// SPDX-License-Identifier: Apache-2.0
// A campaign of two points of a known law, for what happens to campaigns as a whole.
#pragma once

namespace assay::test {

/// Draws of a law: no time of the machine decides what is found.
inline constexpr const char* law_campaign = R"([campaign]
title = law
seed = 1
[precision]
rule = fixed:96
incarnations = 12
max-incarnations = 12
warm-up = 0ms
[series.law]
measurement = synthetic/normal
placement = unbound
median = 1000, 2000
spread = 0.02
between = 0.005
)";

}  // namespace assay::test
