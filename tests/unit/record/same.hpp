// SPDX-License-Identifier: Apache-2.0
// Exact equality of records, member by member: a member added to a record does not compile here until it is compared.
#pragma once
#include <bit>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "record/record.hpp"

namespace assay::test {

inline auto fields(const Nanoseconds& r) { return std::tie(r.count); }
inline auto fields(const Reps& r) { return std::tie(r.count); }
inline auto fields(const Interval& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const Estimate& r) {
  const auto& [a, b, c, d] = r;
  return std::tie(a, b, c, d);
}
inline auto fields(const Verdict& r) {
  const auto& [a, b, c, not_kept] = r;
  return std::tie(a, b, c);
}
inline auto fields(const Derived& r) {
  const auto& [a, b, c, d] = r;
  return std::tie(a, b, c, d);
}
inline auto fields(const Summary& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
}
inline auto fields(const Quantity& r) {
  const auto& [a, b, c, d, e, f, g, not_kept] = r;
  return std::tie(a, b, c, d, e, f, g);
}
inline auto fields(const CoreReading& r) { return std::tie(r.wide.count, r.chain.count, r.call.count); }
inline auto fields(const MemberReport& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
}
inline auto fields(const Batch& r) {
  const auto& [a, b, not_kept] = r;
  return std::tie(a, b);
}
inline auto fields(const Judgement& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const JudgedBatch& r) {
  const auto& [a, b] = r;
  return std::tie(a, b);
}
inline auto fields(const CampaignRecord& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}
inline auto fields(const SessionRecord& r) {
  const auto& [a, b, c, d, e, f, g] = r;
  return std::tie(a, b, c, d, e, f, g);
}
inline auto fields(const SeriesRecord& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}
inline auto fields(const BeginRecord& r) {
  const auto& [a, b, c, d, e, f] = r;
  return std::tie(a, b, c, d, e, f);
}
inline auto fields(const ThreadState& r) {
  const auto& [a, b, c, d, e, f, g] = r;
  return std::tie(a, b, c, d, e, f, g);
}
inline auto fields(const FailureRecord& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j);
}
inline auto fields(const IncarnationRecord& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}
inline auto fields(const CoreState& r) {
  return std::tie(r.sharing, r.clock_ghz, r.distance_ns, r.clock_ratio, r.spread, r.step);
}
inline auto fields(const CoreLevel& r) {
  const auto& [a, b, c, d, e, f, g, call] = r;
  return std::tie(a, b, c, d, e, f, g, call.cost, call.longest);
}
inline auto fields(const NodeCores& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const ClockLevel& r) {
  const auto& [a, b] = r;
  return std::tie(a, b);
}
inline auto fields(const NodeClocks& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const PairDistances& r) {
  const auto& [a, b] = r;
  return std::tie(a.first.node, a.first.cpu, a.second.node, a.second.cpu, b);
}
inline auto fields(const CoresRecord& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
}
inline auto fields(const NodeRecord& r) {
  const auto& [a, b] = r;
  return std::tie(a, b);
}
inline auto fields(const NamedPart& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const VisitRecord& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
}
inline auto fields(const Mode& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const Steadiness& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}
inline auto fields(const IncarnationMedian& r) {
  const auto& [a, b, c, d] = r;
  return std::tie(a, b, c, d);
}
inline auto fields(const SessionEstimate& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}
inline auto fields(const CoreClock& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const AnotherDay& r) { return std::tie(r.interval, r.from); }
inline auto fields(const Result& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, s, t, u, v, w, x, y, z] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, s, t, u, v, w, x, y, z.distance_power,
                  z.clock_power);
}
inline auto fields(const ReferenceTrips& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}
inline auto fields(const PointRecord& r) {
  const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, s, t, u, v] = r;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, s, t, u, v);
}
inline auto fields(const SymmetryTest::Representative& r) {
  const auto& [a, b] = r;
  return std::tie(a, b);
}
inline auto fields(const SymmetryTest& r) {
  const auto& [a, b, c, d, e, f, g] = r;
  return std::tie(a, b, c, d, e, f, g);
}
inline auto fields(const DerivedRecord& r) {
  const auto& [a, b, c, d, e, f, g, h, i] = r;
  return std::tie(a, b, c, d, e, f, g, h, i);
}
inline auto fields(const VariantRecord& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const AnswerRecord& r) {
  const auto& [a, b, c, d] = r;
  return std::tie(a, b, c, d);
}
inline auto fields(const NoteRecord& r) { return std::tie(r.text); }
inline auto fields(const LaunchedRank& r) {
  const auto& [a, b, c] = r;
  return std::tie(a, b, c);
}
inline auto fields(const LaunchRecord& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}
inline auto fields(const AliveRecord& r) { return std::tie(r.next); }
inline auto fields(const EndRecord& r) {
  const auto& [a, b, c, d, e] = r;
  return std::tie(a, b, c, d, e);
}

/// Bit for bit, but any NaN is as good as another.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(const Claims& a, const Claims& b) {
  for (std::size_t i = 0; i < max_quantities; ++i)
    if (a.has(i) != b.has(i) || !same(a[i], b[i])) return false;
  return true;
}
template <class T>
  requires(!requires(const T& t) { fields(t); })
bool same(const T& a, const T& b) {
  return a == b;
}
template <class T>
  requires requires(const T& t) { fields(t); }
bool same(const T& a, const T& b);
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}
template <class T>
  requires requires(const T& t) { fields(t); }
bool same(const T& a, const T& b) {
  const auto all = [&]<std::size_t... i>(std::index_sequence<i...>) {
    const auto x = fields(a);
    const auto y = fields(b);
    return (same(std::get<i>(x), std::get<i>(y)) && ...);
  };
  return all(std::make_index_sequence<std::tuple_size_v<decltype(fields(a))>>{});
}
inline bool same(const Record& a, const Record& b) {
  const auto equal = [&](const auto& x) {
    const auto* y = std::get_if<std::decay_t<decltype(x)>>(&b);
    return y != nullptr && same(x, *y);
  };
  return std::visit(equal, a);
}

}  // namespace assay::test
