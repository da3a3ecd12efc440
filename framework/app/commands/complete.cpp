// SPDX-License-Identifier: Apache-2.0
// `assay complete`: what a shell may offer where its completion does not know; asked by completions, not by people.
#include <limits>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/shell/completion.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

// A word and what it is, separated by a tab. Of a kind that is unknown there is nothing: completions of an older
// program may stay behind.
int run_complete(const CommandLine& line, const Registry& registry, AppContext& context) {
  const std::vector<std::string> words(line.operands.begin() + 1, line.operands.end());
  for (int kind = 0; kind <= static_cast<int>(ValueKind::page); ++kind)
    if (word_of(static_cast<ValueKind>(kind)) == line.operands.front())
      for (const Candidate& candidate : candidates(static_cast<ValueKind>(kind), words, registry))
        context.out << candidate.text << '\t' << printable(candidate.meaning) << '\n';
  return ExitCode::ok;
}

}  // namespace

CommandInfo complete_command() {
  CommandInfo command;
  command.name = "complete";
  command.synopsis = "complete KIND [-- WORD...]";
  command.summary = "Says what a shell may offer for a word of some kind, in a line of these words.";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.options = {help_option()};
  command.run = &run_complete;
  command.hidden = true;
  return command;
}

}  // namespace assay
