// SPDX-License-Identifier: Apache-2.0
// Registers what is measured of files by their names.
#include "file/create.hpp"
#include "groups.hpp"

namespace assay {

void register_file(Registry& registry) {
  registry.add<CreateFiles>(
      {.name = "file/create",
       .summary = "Files created with their content in a new folder per batch, up to 1000 at a time, and then deleted "
                  "(lat_fs).",
       .quantities = {{.name = "create", .summary = "one file: open for creation, one write unless empty, close"},
                      {.name = "delete", .summary = "one file: unlink, after all were created"},
                      {.name = "file-system",
                       .unit = Unit::count,
                       .per = Per::batch,
                       .summary = "the kernel's number of the file system's type: 61267 ext4, 16914836 tmpfs, "
                                  "1481003842 xfs, 2435016766 btrfs, 2035054128 overlay (statfs)"}},
       .factors = {{.name = "size",
                    .kind = FactorKind::quantitative,
                    .unit = Unit::bytes,
                    .standard = std::int64_t{0},
                    .summary = "of each file"},
                   directory_factor()},
       .members = exactly(1),
       .traits = {.waiting = Waiting::blocks, .reps = {.most = Reps{CreateFiles::most}}, .takes_memory = true}});
}

}  // namespace assay
