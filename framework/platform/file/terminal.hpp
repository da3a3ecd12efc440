// SPDX-License-Identifier: Apache-2.0
// Whether output goes to a person, and how wide the screen is.
#pragma once

namespace assay {

/// True when the descriptor is a terminal.
bool is_terminal(int descriptor) noexcept;

/// Columns of the terminal on a descriptor; 0 when it is none or does not say.
int terminal_columns(int descriptor) noexcept;

}  // namespace assay
