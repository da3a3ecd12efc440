// SPDX-License-Identifier: Apache-2.0
// Why a thread of the measured action could not be created.
#pragma once
#include <cstddef>
#include <string>

#include "limits/usage.hpp"

namespace assay {

/// What was asked for when the library refused: looked at by who was refused, while the others are still there.
struct Refusal {
  int error = 0;            ///< what pthread_create returned
  std::size_t alive = 0;    ///< threads of this process then, all members included
  std::size_t stack = 0;    ///< bytes asked for; 0: the library's default
  std::size_t creator = 0;  ///< which of several creators was refused, from 1 on; 0: there is only one
};

/// The limits that a thread can be refused for.
struct ThreadLimits {
  Usage user{};           ///< processes and threads of the user
  Usage group{};          ///< and of the control group
  Usage address{};        ///< bytes of address space
  std::size_t stack = 0;  ///< bytes of the library's default stack
};
/// Those of this process, now, but with at least the `alive` threads that it had: some may have ended since.
ThreadLimits thread_limits(std::size_t alive);

/// The refusal in words: how many threads there were, the limit that was met with its value, and what to do. The most
/// likely limits where none is plainly used up.
std::string refusal_text(const Refusal& refusal, const ThreadLimits& limits);

/// Throws Unsupported with that text, for the limits of this process.
[[noreturn]] void refuse(const Refusal& refusal);

}  // namespace assay
