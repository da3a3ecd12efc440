// SPDX-License-Identifier: Apache-2.0
// Registers operations by io_uring.
#include "os/io_uring.hpp"
#include "os/parts.hpp"

namespace assay {
namespace {

Traits waits(Waiting waiting) { return {.vehicles = {"thread", "process"}, .waiting = waiting}; }

}  // namespace

void register_io_uring(Registry& registry) {
  registry.add<IoUring>(
      {.name = "os/io_uring",
       .summary = "An operation that is submitted to io_uring and completed with one system call; nothing is "
                  "subtracted.",
       .quantities = {{.name = "time", .summary = "one operation: a call divided by its depth"}},
       .factors = {{.name = "operation",
                    .standard = std::string("nop"),
                    .words = {"nop", "read-zero", "read-file"},
                    .summary =
                        "nothing, a read of /dev/zero, or one from the begin of the program's own file, which is "
                        "cached; a file system may make the kernel hand it to a thread"},
                   {.name = "depth",
                    .kind = FactorKind::quantitative,
                    .standard = std::int64_t{1},
                    .summary = "operations submitted and waited for with one call"},
                   {.name = "bytes",
                    .kind = FactorKind::quantitative,
                    .unit = Unit::bytes,
                    .standard = std::int64_t{1},
                    .summary = "bytes of a read"}},
       .members = exactly(1),
       .traits = waits(Waiting::none),
       .selector = "operation",
       .selected = {
           {"nop", waits(Waiting::none)}, {"read-zero", waits(Waiting::none)}, {"read-file", waits(Waiting::either)}}});
}

}  // namespace assay
