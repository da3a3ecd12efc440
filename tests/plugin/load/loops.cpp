// SPDX-License-Identifier: Apache-2.0
// A constructor without an end.
#include <unistd.h>
__attribute__((constructor)) static void stay() {
  while (true) ::pause();
}
