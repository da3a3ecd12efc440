// SPDX-License-Identifier: Apache-2.0
// Means of parts over all batches of a point, and how far they differ between its processes.
#include "run/point/named_parts.hpp"

#include <algorithm>
#include <utility>

#include "stats/sample/summary.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double least_part = 0.002;
constexpr std::size_t most_parts = 20;
constexpr std::size_t least_processes = 3;

}  // namespace

std::vector<NamedPart> named_parts(const VisitYield& yield) {
  std::vector<NamedPart> parts;
  for (const FoundPart& one : yield.found_parts) parts.push_back({one.name, one.value, one.count});
  return parts;
}

void NamedParts::add(int incarnation, std::size_t batches, std::span<const NamedPart> parts) {
  Process& process = processes_[incarnation];
  process.batches += static_cast<double>(batches);
  for (const NamedPart& part : parts) {
    Sum& sum = process.parts[part.name];
    sum.value += part.value;
    sum.count += part.count;
  }
}

std::map<std::string, NamedParts::Sum> NamedParts::totals() const {
  std::map<std::string, Sum> all;
  for (const auto& [incarnation, process] : processes_)
    for (const auto& [name, sum] : process.parts) {
      all[name].value += sum.value;
      all[name].count += sum.count;
    }
  return all;
}

Derived NamedParts::mean_of(std::span<const std::string> names, double alpha) const {
  double value = 0, batches = 0;
  std::vector<double> means;
  for (const auto& [incarnation, process] : processes_) {
    double own = 0;
    for (const std::string& name : names)
      if (const auto found = process.parts.find(name); found != process.parts.end()) own += found->second.value;
    value += own;
    batches += process.batches;
    if (process.batches > 0) means.push_back(own / process.batches);
  }
  Derived mean{.value = batches > 0 ? value / batches : 0, .interval = {}, .valid = true, .reason = {}};
  if (means.size() >= least_processes) mean.interval = t_interval(means, alpha);
  // Parts are shares or durations: none is negative.
  mean.interval.low = std::max(0.0, mean.interval.low);
  return mean;
}

std::vector<DerivedRecord> NamedParts::records(const DerivedRecord& like, double alpha) const {
  const auto sums = totals();
  std::vector<std::pair<std::string, Sum>> ordered(sums.begin(), sums.end());
  std::ranges::stable_sort(ordered, std::greater<>(), [](const auto& one) { return one.second.value; });
  double all = 0;
  for (const auto& [name, sum] : ordered) all += sum.value;
  std::vector<DerivedRecord> records;
  const auto add = [&](const std::string& name, std::int64_t count, std::span<const std::string> names) {
    DerivedRecord record = like;
    record.name = name;
    record.formula = counted(static_cast<std::size_t>(count), "time");
    record.derived = mean_of(names, alpha);
    records.push_back(std::move(record));
  };
  std::vector<std::string> rest;
  std::int64_t rest_count = 0;
  for (const auto& [name, sum] : ordered) {
    if (records.size() < most_parts && sum.value >= least_part * all && sum.value > 0) {
      add(name, sum.count, std::span(&name, 1));
      continue;
    }
    rest.push_back(name);
    rest_count += sum.count;
  }
  if (!rest.empty()) add(counted(rest.size(), "other"), rest_count, rest);
  return records;
}

}  // namespace assay
