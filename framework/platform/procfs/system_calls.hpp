// SPDX-License-Identifier: Apache-2.0
// Names of the system calls in which threads are found waiting.
#pragma once
#include <string>

namespace assay {

/// The name of a call that can wait or that spinning threads repeat; "system call 123" for another.
std::string system_call_name(long number);

}  // namespace assay
