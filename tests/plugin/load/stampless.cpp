// SPDX-License-Identifier: Apache-2.0
// A shared object that is not a plugin: it has no stamp.
extern "C" int assay_nothing() { return 0; }
