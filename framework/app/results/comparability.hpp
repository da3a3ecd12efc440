// SPDX-License-Identifier: Apache-2.0
// Whether sessions measured the same thing (machine, system, program), and campaigns alike enough to be compared, or to
// have an average.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "record/table/layout.hpp"

namespace assay {

/// The facts that make another machine or program where they differ: processor, topology, usable CPUs, SMT, clock
/// source, C library, MPI library, program and build, scheduling class.
Facts hard_facts(const Facts& facts);

/// Differences after which two sessions may not stand in one estimate: processor, topology, usable CPUs, SMT, clock
/// source, C library, MPI library, program and build, scheduling class. "KEY: VALUE then, VALUE now" each.
std::vector<std::string> hard_differences(const Facts& then, const Facts& now);

/// Differences that are reported, and tested for a shift: boot, kernel, host of the same model, microcode, governor.
std::vector<std::string> soft_differences(const Facts& then, const Facts& now);

/// The last record of a kind; nullptr where there is none.
template <class Kind>
const Kind* last_of(const std::vector<Record>& records) {
  const Kind* last = nullptr;
  for (const Record& record : records)
    if (const auto* one = std::get_if<Kind>(&record)) last = one;
  return last;
}

/// What stands between two campaigns.
struct Comparability {
  std::vector<std::string> refusals;          ///< forbids comparing: schedule, clock, processor, architecture
  std::map<std::string, std::string> series;  ///< series that were not measured alike, with the reason
  std::vector<std::string> notes;             ///< differences that may be what is compared: kernel, C library, compiler
};

/// What sentences call the sides.
struct SideNames {
  std::string a = "in A";
  std::string b = "in B";
};

/// What becomes of campaigns that were measured on machines of different processors.
enum class OtherMachines : std::uint8_t {
  refused,  ///< that is no change of what was measured
  compared  ///< whether results hold on another machine is the question: the differences are notes
};

/// Compares how A and B were measured: their campaigns' settings and the facts of their last sessions.
Comparability comparability(const std::vector<Record>& a, const std::vector<Record>& b, const SideNames& names = {},
                            OtherMachines machines = OtherMachines::refused);

/// The level of a factor that a campaign's file names first, among `levels`; the first of these where the file does not
/// tell. `levels` must not be empty.
std::string first_level(const std::vector<Record>& records, const std::string& factor,
                        const std::vector<std::string>& levels);

/// "interleaved" or "consecutive"; empty when the journal does not contain it.
std::string schedule_of(const std::vector<Record>& records);

/// What else differs between the campaigns, to be reported with an average. Throws ResultError where there are fewer
/// than two, where one is given twice, or where they differ in what makes another system or another measurement:
/// machine, kernel, libraries, build of the program, clock, schedule.
std::vector<std::string> require_one_system(std::span<const ShownCampaign> campaigns);

}  // namespace assay
