// SPDX-License-Identifier: Apache-2.0
// One variable and a subtraction.
#include "app/campaign/scheduler.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ostream>
#include <string_view>

#include "base/typed.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

constexpr const char* slurm = "SLURM_JOB_END_TIME";

std::optional<Nanoseconds> read_seconds(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count <= 0) return std::nullopt;
  return seconds(static_cast<double>(count));
}

}  // namespace

std::optional<JobEnd> job_end(const std::function<const char*(const char*)>& environment, Nanoseconds since_1970) {
  const char* text = environment(slurm);
  const auto end = text == nullptr ? std::nullopt : read_seconds(text);
  if (!end) return std::nullopt;
  return JobEnd{slurm, std::max(Nanoseconds{}, *end - since_1970)};
}

std::optional<Nanoseconds> time_allowed(const std::optional<Nanoseconds>& asked, const std::optional<JobEnd>& job,
                                        Nanoseconds reserve) {
  if (!job) return asked;
  const Nanoseconds left = std::max(Nanoseconds{}, job->left - reserve);
  return asked ? std::min(*asked, left) : left;
}

void limit_to_job(CampaignPlan& plan, AppContext& context, bool quiet) {
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  const auto job = job_end([](const char* name) { return std::getenv(name); }, {static_cast<double>(now.count())});
  plan.time_limit = time_allowed(plan.time_limit, job, plan.reserve);
  if (!job || quiet) return;
  context.remarks() << "The job ends in " << rough_duration(job->left) << " (" << job->variable
                    << "); the campaign takes at most " << rough_duration(*plan.time_limit) << "\n";
}

}  // namespace assay
