// SPDX-License-Identifier: Apache-2.0
// The program's surroundings: its streams, and the measurements that are built in.
#include <iostream>

#include "app/cli/command.hpp"
#include "app/cli/mpi.hpp"
#include "catalog.hpp"
#include "platform/file/nonblocking_output.hpp"
#include "platform/file/terminal.hpp"
#include "text/printable.hpp"

int main(int count, char** arguments) {
  assay::NonblockingOutput nonblocking(2);
  std::ostream remarks(&nonblocking);
  assay::AppContext context{std::cout, std::cerr, assay::is_terminal(1), assay::is_terminal(2), &remarks};
  const std::vector<std::string> words(arguments + (count > 0 ? 1 : 0), arguments + count);
  if (const auto told = assay::hand_over_to_mpi(words))
    context.err << "assay: warning: " << assay::printable(*told) << "\n";
  return assay::run_among_ranks(words, assay::register_all, context);
}
