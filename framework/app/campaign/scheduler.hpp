// SPDX-License-Identifier: Apache-2.0
// When the batch scheduler will end this job, as far as it says so.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/cli/command.hpp"
#include "run/plan.hpp"

namespace assay {

/// The end of the job.
struct JobEnd {
  std::string variable;  ///< that it is from
  Nanoseconds left{};    ///< from now; 0 when it has passed
};

/// From SLURM_JOB_END_TIME, a time in seconds since 1970 (manual page of sbatch, output environment variables). LSF and
/// Flux document no such variable (LSF reference, environment variables set for job execution; flux-environment(7)),
/// nor does PBS, whose batch servers alone know (qsub(1B)). Nothing when `environment`, which returns nullptr for what
/// is not set, has no such time.
std::optional<JobEnd> job_end(const std::function<const char*(const char*)>& environment, Nanoseconds since_1970);

/// The time that a campaign may take: `asked`, or what the job has left without `reserve` for ending in good order; the
/// shorter one.
std::optional<Nanoseconds> time_allowed(const std::optional<Nanoseconds>& asked, const std::optional<JobEnd>& job,
                                        Nanoseconds reserve);

/// Shortens the plan's time limit to what the job that this process runs in has left, and says so.
void limit_to_job(CampaignPlan& plan, AppContext& context, bool quiet);

}  // namespace assay
