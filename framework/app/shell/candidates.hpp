// SPDX-License-Identifier: Apache-2.0
// What a shell may offer for a word, as far as it takes the program to know it.
#pragma once
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "app/cli/options.hpp"

namespace assay {

/// A word that could stand there, and what it is.
struct Candidate {
  std::string text;
  std::string meaning;
};

/// Those of a kind. `line` has the words of the whole command line: campaign files and results among them are read, and
/// what cannot be read is left out. Candidates of other letters than shells take as they are, are left out too: names
/// in files are foreign.
std::vector<Candidate> candidates(ValueKind kind, const std::vector<std::string>& line, const Registry& registry);

}  // namespace assay
