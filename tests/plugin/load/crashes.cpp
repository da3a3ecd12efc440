// SPDX-License-Identifier: Apache-2.0
// A constructor that does not return to the process that loads the object.
#include <cstdlib>
__attribute__((constructor)) static void leave() { std::abort(); }
