// SPDX-License-Identifier: Apache-2.0
// Room: what simulators of parallel programs are fed with: parameters of messages, and noise.
// Writers of the formats that simulators read.
#pragma once
#include <iosfwd>

#include "record/export/exports.hpp"

namespace assay::simulator {

/// A platform file of SimGrid (XML, version 4.1): a cluster of `ranks` hosts, one per rank, with the parameters of the
/// model of MPI in segments by size. Tried with SimGrid 3.32. Throws ConfigError where the campaign has no parameters
/// of messages, or those of several channels.
Remarks write_simgrid(std::ostream& out, const ExportSource& source, const ExportOptions& options);

/// Options of LogGOPSim, whole ns: those of the first piece, a channel per line, each with a comment. Throws
/// ConfigError where the campaign has no parameters of messages.
Remarks write_loggopsim(std::ostream& out, const ExportSource& source, const ExportOptions& options);

/// The table that Netgauge's pattern `loggp` writes, in us: a row per measured size. Throws as write_simgrid.
Remarks write_netgauge(std::ostream& out, const ExportSource& source, const ExportOptions& options);

/// The detours of `os/noise-detours`, one per line: start and duration in ns, as Netgauge writes and LogGOPSim reads
/// them; the last line ends the trace. Throws ConfigError where the campaign has none, or those of several points.
Remarks write_noise(std::ostream& out, const ExportSource& source, const ExportOptions& options);

}  // namespace assay::simulator
