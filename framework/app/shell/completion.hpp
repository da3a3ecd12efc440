// SPDX-License-Identifier: Apache-2.0
// Completions for shells: what is fixed stands in them; what is not they ask `assay complete`, which offers what it
// takes the program to know.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "api/measurement.hpp"
#include "app/cli/command.hpp"
#include "app/cli/options.hpp"

namespace assay {

/// The word by which completions and `assay complete` call a kind: "series".
std::string_view word_of(ValueKind kind);

/// The shells that there are completions for.
std::vector<std::string> completed_shells();
/// The completion for a shell. Throws std::invalid_argument for another one.
std::string completion_for(std::string_view shell);
/// Where a shell looks for it, below PREFIX/share: "zsh/site-functions/_assay".
std::string completion_file(std::string_view shell);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

/// The sub-commands that are completed: those for people, `help`, and `generate`.
std::vector<CommandInfo> completed_commands();
/// The argument at a position from 0 on; nothing where the sub-command takes no more.
const Argument* operand_at(const CommandInfo& command, std::size_t position);
/// Whether the last argument stands for further ones.
bool repeats_last(const CommandInfo& command);
/// Words with blanks between them.
std::string spaced(const std::vector<std::string>& words);
/// The text in single quotes, as sh and zsh read them.
std::string shell_quoted(std::string_view text);

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
