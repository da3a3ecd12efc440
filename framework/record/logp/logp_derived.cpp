// SPDX-License-Identifier: Apache-2.0
// What the LogP layout computes for each line, for the journal.
#include <limits>
#include <utility>

#include "record/logp/logp_lines.hpp"
#include "stats/fit/logp.hpp"

namespace assay::logp {

namespace {

DerivedRecord record_of(const Line& line, const char* name, const char* quantity, std::string formula,
                        Derived derived) {
  DerivedRecord record;
  record.name = name;
  record.formula = std::move(formula);
  record.group = line.key;
  record.quantity = quantity;
  record.regime = line.regime.value_or(Regime::solo);
  record.unit = symbol(Unit::nanoseconds);
  record.derived = std::move(derived);
  return record;
}

// A code stands first, so that a table finds it: "N2: o_r[ready]: there is at most one message at a time".
Derived lacking(const char* name, const Number& number) {
  const std::string lack = number.lack();
  const std::string reason = std::string(name) + ": " + (number.reason().empty() ? lack : number.reason());
  return not_derived(lack.starts_with('N') ? lack + ": " + reason : reason);
}

bool is_meaningless(const Number& number) { return number.lack().starts_with('N'); }

// The sender's overhead in a polled exchange: of one send where messages queue, of a burst where they merge.
struct Overhead {
  const char* name;
  const Number* number;
};
Overhead send_overhead(const Line& line) {
  const bool merges = !line[Parameter::o_s_idle].estimate() && line[Parameter::g_issue].estimate();
  if (merges) return {"g[issue]", &line[Parameter::g_issue]};
  return {"o_s[idle]", &line[Parameter::o_s_idle]};
}

std::optional<DerivedRecord> polled(const Line& line, const Line& first) {
  const auto rtt = line[Parameter::rtt].estimate();
  const auto [name, o_s] = send_overhead(first);
  const Number& o_r = first[Parameter::o_r_ready];
  if (!rtt || !o_s->asked() || !o_r.asked()) return std::nullopt;
  const std::string half = "rtt / 2 - " + std::string(name);
  const auto sent = o_s->estimate();
  const auto received = o_r.estimate();
  const auto d = line[Parameter::distance].estimate();
  if (sent && is_meaningless(o_r))
    return record_of(line, delivery_name, "rtt", half, unless_overlapped(polled_delivery(*rtt, *sent), d));
  Derived latency = !sent       ? lacking(name, *o_s)
                    : !received ? lacking("o_r[ready]", o_r)
                                : unless_overlapped(polled_latency(*rtt, *sent, *received), d);
  return record_of(line, latency_name, "rtt", half + " - o_r[ready]", std::move(latency));
}

std::optional<DerivedRecord> asleep(const Line& line) {
  const Number& d = line[Parameter::distance];
  if (!d.asked()) return std::nullopt;
  const auto estimate = d.estimate();
  return record_of(line, latency_name, "D", "max(0, D)", estimate ? blocked_latency(*estimate) : lacking("D", d));
}

std::optional<DerivedRecord> latency_of(const Line& line, const Line& first) {
  if (!line.regime) return std::nullopt;
  if (*line.regime == Regime::blocked) return asleep(line);
  if (is_between(*line.regime) && line[Parameter::rtt].asked())
    return record_of(line, latency_name, "rtt", "",
                     not_derived("the regime is " + to_text(*line.regime) + ": neither formula applies"));
  return polled(line, first);
}

void add_ratio(std::vector<DerivedRecord>& records, const Line& line, const char* name, std::optional<Estimate> a,
               std::optional<Estimate> b, const char* formula) {
  if (!a || !b) return;
  records.push_back(record_of(line, name, "ratio", formula, ratio(*a, *b)));
  records.back().unit = symbol(Unit::ratio);
}

}  // namespace

std::vector<DerivedRecord> derive(const std::vector<SeriesGroup>& groups) {
  std::vector<DerivedRecord> records;
  const auto lines = lines_of(groups);
  const Line* first = nullptr;
  for (const Line& line : lines) {
    if (line.is_first) first = &line;
    if (auto latency = latency_of(line, *first)) records.push_back(std::move(*latency));
    auto half = line[Parameter::rtt].estimate();
    if (half) half = scaled(*half, 0.5);
    const auto there = line[Parameter::one_way].estimate();
    add_ratio(records, line, half_trip_name, half, there, "rtt / 2 / T1");
    add_ratio(records, line, symmetry_name, line[Parameter::back].estimate(), there, "T1[back] / T1");
    add_ratio(records, line, routes_name, line[Parameter::prtt].estimate(), line[Parameter::o_s_blk].estimate(),
              "o_s[prtt] / o_s[blk]");
  }
  return records;
}

}  // namespace assay::logp
