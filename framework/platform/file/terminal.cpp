// SPDX-License-Identifier: Apache-2.0
// Asks the terminal driver.
#include "platform/file/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace assay {

bool is_terminal(int descriptor) noexcept { return ::isatty(descriptor) == 1; }

int terminal_columns(int descriptor) noexcept {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace assay
