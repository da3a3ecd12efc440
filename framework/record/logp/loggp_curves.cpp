// SPDX-License-Identifier: Apache-2.0
// Curves out of the lines that the layout `logp` has for each size.
#include "record/logp/loggp_curves.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "record/logp/loggp.hpp"
#include "record/logp/logp_lines.hpp"
#include "record/shown_value.hpp"
#include "stats/fit/logp.hpp"

namespace assay::loggp {

namespace {

using logp::Line;
using logp::Number;
using logp::Parameter;

constexpr double settled_eps = 0.05;  // of the round trip in a burst; its half is the bias that saturation has at most

constexpr std::array<const char*, curve_count> quantities{"rtt", "o_s[idle]", "o_s[prtt]", "o_r[ready]", "g[flood]"};

struct Sized {
  double bytes;
  const Line* line;
};

struct CurveFamily {
  Point key;
  std::vector<Sized> lines;
};

std::vector<CurveFamily> families_of(const std::vector<Line>& lines) {
  std::vector<CurveFamily> families;
  for (const Line& line : lines) {
    const Value* level = line.key.find(size_factor);
    const auto bytes = level == nullptr ? std::nullopt : number_of(*level);
    if (!bytes) continue;
    Point key = line.key.without(size_factor);
    auto family = std::ranges::find(families, key, &CurveFamily::key);
    if (family == families.end()) family = families.insert(families.end(), {std::move(key), {}});
    family->lines.push_back({*bytes, &line});
  }
  return families;
}

// The regime of the most round trips: regimes are never put on one line.
Regime usual_regime(const CurveFamily& family) {
  std::map<Regime, std::size_t> sizes;
  for (const auto& [bytes, line] : family.lines)
    if (line->regime && (*line)[Parameter::rtt].result != nullptr) ++sizes[*line->regime];
  const auto most = std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second; });
  return most == sizes.end() ? Regime::solo : most->first;
}

void add(Channel& channel, Curve curve, double bytes, const Number& number) {
  const auto estimate = number.estimate();
  if (!estimate || !number.lack().empty()) return;
  channel[curve].push_back({bytes, *estimate});
  channel.marks[static_cast<std::size_t>(curve)][bytes] = number.marks;
}

// The bursts whose slope the gap is.
Estimates bursts_of(const Number& gap) {
  Estimates bursts;
  for (const PointRecord& point : gap.series->points) {
    const Value* level = point.point.find("burst");
    const auto length = level == nullptr ? std::nullopt : number_of(*level);
    if (!length || !(point.point.without("burst") == gap.derived->group)) continue;
    for (const Result& result : point.results)
      if (result.quantity == gap.derived->quantity && result.regime == gap.derived->regime)
        bursts.push_back({*length, result.headline});
  }
  return bursts;
}

// A send that is refused where no member receives is distinguished from one that was not tried.
void note_taking(Channel& channel, double bytes, const Number& overhead) {
  if (overhead.result != nullptr)
    channel.taken[bytes] = true;
  else if (overhead.point != nullptr && overhead.point->outcome == Outcome::unsupported)
    channel.taken[bytes] = false;
}

Channel channel_of(const CurveFamily& family) {
  Channel channel{family.key, usual_regime(family)};
  for (const auto& [bytes, line] : family.lines) {
    if (line->regime == channel.regime) add(channel, Curve::rtt, bytes, (*line)[Parameter::rtt]);
    add(channel, Curve::o_s_prtt, bytes, (*line)[Parameter::prtt]);
    if (!line->is_first) continue;
    add(channel, Curve::o_s_idle, bytes, (*line)[Parameter::o_s_idle]);
    add(channel, Curve::o_r_ready, bytes, (*line)[Parameter::o_r_ready]);
    note_taking(channel, bytes, (*line)[Parameter::o_s_idle]);
    const Number& gap = (*line)[Parameter::g_flood];
    add(channel, Curve::gap, bytes, gap);
    if (gap.derived != nullptr) channel.saturated[bytes] = saturation(bursts_of(gap), settled_eps);
  }
  return channel;
}

bool is_computed_from(const DerivedRecord& record, const char* quantity) {
  return record.quantity == quantity || record.formula.find(quantity) != std::string::npos;
}

}  // namespace

const char* quantity_of(Curve curve) { return quantities.at(static_cast<std::size_t>(curve)); }

std::vector<Channel> channels_of(const std::vector<SeriesGroup>& groups) {
  const auto lines = logp::lines_of(groups);
  std::vector<Channel> channels;
  for (const CurveFamily& family : families_of(lines)) channels.push_back(channel_of(family));
  return channels;
}

std::string marks_of(const std::vector<Channel>& channels, const DerivedRecord& record, double first, double last) {
  const Point key = record.group.without(piece_factor);
  const auto channel =
      std::ranges::find_if(channels, [&](const Channel& one) { return one.key == key && one.regime == record.regime; });
  if (channel == channels.end()) return {};
  std::string found;
  for (std::size_t i = 0; i < curve_count; ++i) {
    if (!is_computed_from(record, quantities.at(i))) continue;
    for (const auto& [bytes, marks] : channel->marks[i])
      if (first <= bytes && bytes <= last) found += marks;
  }
  std::string each_once;
  for (const char mark : all_marks)
    if (found.find(mark) != std::string::npos) each_once += mark;
  return each_once;
}

}  // namespace assay::loggp
