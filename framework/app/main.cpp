// SPDX-License-Identifier: Apache-2.0
// The program's surroundings: its streams, and the measurements that are built in.
#include <iostream>

#include "app/command.hpp"
#include "catalog.hpp"
#include "platform/terminal.hpp"

int main(int count, char** arguments) {
  assay::Terminal terminal{std::cout, std::cerr, assay::is_terminal(1), assay::is_terminal(2)};
  const std::vector<std::string> words(arguments + (count > 0 ? 1 : 0), arguments + count);
  return assay::run_program(words, assay::register_all, terminal);
}
