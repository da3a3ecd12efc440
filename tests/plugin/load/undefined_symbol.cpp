// SPDX-License-Identifier: Apache-2.0
// Calls an undefined function.
extern "C" int assay_test_nobody_defines_this();
extern "C" __attribute__((visibility("default"))) int assay_stamp() { return assay_test_nobody_defines_this(); }
