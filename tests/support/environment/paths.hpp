// SPDX-License-Identifier: Apache-2.0
// Where things are that only the build knows. In functions, so that no test is compiled anew because a folder has
// another name.
#pragma once
#include <string>

namespace assay::test {

/// The project's folder.
std::string source_directory();
/// A folder that holds the locale de_DE.UTF-8, where it could be made.
std::string locale_directory();
/// The built `assay`.
std::string program_path();
/// What starts ranks of the MPI library that the program was built with; empty where it was built without.
std::string mpi_launcher();
/// A worker that does wrong on purpose.
std::string worker_fixture_path();
/// Plugins built with the tests: one that sets a locale with decimal commas, and the example of the documents.
std::string comma_plugin_path();
std::string example_plugin_path();
/// A launcher of made-up ranks, and a plugin whose second rank misbehaves: empty where there is no MPI.
std::string fake_launcher_path();
std::string rank_fault_plugin_path();

}  // namespace assay::test
