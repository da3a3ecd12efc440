// SPDX-License-Identifier: Apache-2.0
// The program that keeps histories: the sub-command of `assay` that hands over to it, and no measurement.
#include <iostream>

#include "app/archive/keeping.hpp"
#include "app/cli/command.hpp"
#include "platform/file/nonblocking_output.hpp"
#include "platform/file/terminal.hpp"

int main(int count, char** arguments) {
  assay::NonblockingOutput nonblocking(2);
  std::ostream remarks(&nonblocking);
  assay::AppContext context{std::cout, std::cerr, assay::is_terminal(1), assay::is_terminal(2), &remarks};
  context.history = &assay::history::keep;
  const auto no_measurements = [](assay::Registry&, std::string_view) {};
  return assay::run_program({arguments + (count > 0 ? 1 : 0), arguments + count}, no_measurements, context);
}
