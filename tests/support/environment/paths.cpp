// SPDX-License-Identifier: Apache-2.0
// What the build was told about places.
#include "support/environment/paths.hpp"

namespace assay::test {

std::string source_directory() { return ASSAY_SOURCE_DIR; }
std::string locale_directory() { return ASSAY_LOCALES; }
std::string program_path() { return ASSAY_BINARY; }
std::string mpi_launcher() { return ASSAY_MPI_LAUNCHER; }
std::string worker_fixture_path() { return ASSAY_WORKER_FIXTURE; }
std::string comma_plugin_path() { return ASSAY_COMMA_PLUGIN; }
std::string example_plugin_path() { return ASSAY_EXAMPLE_PLUGIN; }
std::string fake_launcher_path() { return ASSAY_FAKE_LAUNCHER; }
std::string rank_fault_plugin_path() { return ASSAY_RANK_FAULT_PLUGIN; }

}  // namespace assay::test
