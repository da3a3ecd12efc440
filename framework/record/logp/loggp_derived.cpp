// SPDX-License-Identifier: Apache-2.0
// LogGP parameters from the lines of each piece, for the journal.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "record/logp/loggp.hpp"
#include "record/logp/loggp_curves.hpp"
#include "stats/fit/logp.hpp"
#include "text/scale.hpp"

namespace assay::loggp {

namespace {

constexpr double loggp_alpha = 0.05;
constexpr const char* nanoseconds = "ns";
constexpr const char* per_byte = "ns/B";

Estimate estimate_of(const Derived& derived) { return {"derived", derived.value, derived.interval, "derived"}; }

Estimate negated(const Estimate& estimate) {
  return {estimate.statistic,
          -estimate.value,
          {-estimate.interval.high, -estimate.interval.low, estimate.interval.level},
          estimate.basis};
}

Derived sum(const Estimate& a, const Estimate& b) { return difference(a, negated(b)); }

std::string whole(double bytes) { return fixed_text(bytes, 0); }

std::optional<Estimate> at(const Estimates& curve, double bytes) {
  const auto found = std::ranges::find(curve, bytes, &Abscissa::x);
  return found == curve.end() ? std::nullopt : std::optional(found->y);
}

// The derived values of one piece.
class PieceRecords {
 public:
  PieceRecords(const Channel& channel, const Piece& piece, std::size_t number)
      : channel_(channel), piece_(piece), lines_(piece.lines), group_(channel.key) {
    group_.set(piece_factor, static_cast<std::int64_t>(number));
    refuse_impossible();
  }

  std::vector<DerivedRecord> all() {
    add_range();
    add_line(rtt_name, rtt_byte_name, Curve::rtt);
    add_line(o_s_name, o_s_byte_name, send_curve());
    add_line(o_r_name, o_r_byte_name, Curve::o_r_ready);
    add_line(gap_name, gap_byte_name, Curve::gap);
    add_latency();
    add_gap_by_round_trips();
    add_saturation();
    return std::move(records_);
  }

 private:
  PieceLine& line(Curve curve) { return lines_.at(static_cast<std::size_t>(curve)); }
  const PieceLine& line(Curve curve) const { return lines_.at(static_cast<std::size_t>(curve)); }
  bool is_asked(Curve curve) const { return !channel_[curve].empty(); }
  bool is_within(double bytes) const { return piece_.first <= bytes && bytes <= piece_.last; }
  // By bursts with delays where too few sends are taken without a receiver.
  Curve send_curve() const {
    return line(Curve::o_s_idle).intercept.valid || !line(Curve::o_s_prtt).intercept.valid ? Curve::o_s_idle
                                                                                           : Curve::o_s_prtt;
  }
  std::optional<double> eager_share() const {
    double sizes = 0;
    double taken = 0;
    for (const auto& [bytes, is_taken] : channel_.taken)
      if (is_within(bytes)) {
        ++sizes;
        taken += is_taken ? 1 : 0;
      }
    return sizes > 0 ? std::optional(taken / sizes) : std::nullopt;
  }

  // A round trip contains a send and a receive: what takes longer than the whole of it is the cost of something else,
  // such as of storage for messages that no member receives.
  void refuse_impossible() {
    const Derived& trip = line(Curve::rtt).intercept;
    for (const Curve part : {Curve::o_s_idle, Curve::o_s_prtt, Curve::o_r_ready}) {
      PieceLine& found = line(part);
      if (!trip.valid || !found.intercept.valid || found.intercept.interval.low <= trip.interval.high) continue;
      found.intercept.valid = found.slope.valid = false;
      found.intercept.reason = found.slope.reason =
          "it takes longer than a whole round trip, which contains one: something else was measured (storage for "
          "messages that are not received, or a disturbance)";
    }
    PieceLine& ready = line(Curve::o_r_ready);
    if (!ready.intercept.valid && eager_share() == 0.0)
      ready.intercept.reason = ready.slope.reason =
          "no message of the piece is accepted before its receive: none is ever ready";
  }

  void add(const char* name, const char* quantity, const char* unit, std::string formula, Derived derived) {
    DerivedRecord record;
    record.name = name;
    record.formula = std::move(formula);
    record.group = group_;
    record.quantity = quantity;
    record.regime = channel_.regime;
    record.unit = unit;
    record.derived = std::move(derived);
    records_.push_back(std::move(record));
  }

  void add_range() {
    add(from_name, size_factor, symbol(Unit::bytes), "smallest size; the interval is that of the breakpoint",
        {piece_.first, piece_.start, true, {}});
    add(to_name, size_factor, symbol(Unit::bytes), "largest size",
        {piece_.last, {piece_.last, piece_.last, 1}, true, {}});
    if (const auto share = eager_share())
      add(eager_name, size_factor, symbol(Unit::ratio), "sizes that are accepted without a receiver",
          {*share, {*share, *share, 1}, true, {}});
  }

  void add_line(const char* fixed, const char* each, Curve curve) {
    if (!is_asked(curve)) return;
    const PieceLine& found = line(curve);
    const std::string quantity = quantity_of(curve);
    add(fixed, quantity_of(curve), nanoseconds, quantity + " at 0 bytes, of the piece's line", found.intercept);
    add(each, quantity_of(curve), per_byte, "slope of " + quantity + " over bytes", found.slope);
  }

  std::optional<std::string> no_latency() const {
    if (channel_.regime == Regime::blocked)
      return "the receiver sleeps: half a round trip includes its falling asleep; layout logp shows D";
    if (is_between(channel_.regime)) return "the regime is " + to_text(channel_.regime);
    for (const Curve curve : {Curve::rtt, send_curve()})
      if (!line(curve).intercept.valid) return std::string(quantity_of(curve)) + ": " + line(curve).intercept.reason;
    return std::nullopt;
  }

  void add_latency() {
    if (!is_asked(Curve::rtt) || !is_asked(send_curve())) return;
    const bool has_o_r = line(Curve::o_r_ready).intercept.valid;
    const std::string half = std::string("rtt / 2 - ") + quantity_of(send_curve());
    const std::string formula = half + (has_o_r ? " - o_r[ready]" : "");
    const char* name = has_o_r ? latency_name : delivery_name;
    if (const auto reason = no_latency())
      return add(name, "rtt", nanoseconds, formula + " at 0 bytes", not_derived(*reason));
    const auto value = [&](auto part, auto combine) {
      const Estimate rtt = scaled(estimate_of(part(line(Curve::rtt))), 0.5);
      const Derived without_send = difference(rtt, estimate_of(part(line(send_curve()))));
      return has_o_r ? combine(estimate_of(without_send), estimate_of(part(line(Curve::o_r_ready)))) : without_send;
    };
    const auto intercept = [](const PieceLine& of) -> const Derived& { return of.intercept; };
    const auto slope = [](const PieceLine& of) -> const Derived& { return of.slope; };
    Derived latency = value(intercept, difference);
    if (latency.valid && latency.interval.low <= 0) {
      latency.valid = false;
      latency.reason = latency.value < 0 ? "N5: send and receive overlap" : "the interval contains 0";
    }
    add(name, "rtt", nanoseconds, formula + " at 0 bytes", std::move(latency));
    add(gap_byte_by_rtt_name, "rtt", per_byte, "slope of " + formula + " over bytes", value(slope, difference));
  }

  // Kielmann's g(m), with a round trip whose answer is as long as its message.
  void add_gap_by_round_trips() {
    const Estimates& gaps = channel_[Curve::gap];
    const Estimates& trips = channel_[Curve::rtt];
    std::optional<double> least;
    std::optional<double> most;
    for (const auto& [bytes, gap] : gaps) {
      if (!at(trips, bytes)) continue;
      least = std::min(bytes, least.value_or(bytes));
      if (is_within(bytes)) most = std::max(bytes, most.value_or(bytes));
    }
    if (!most || *most <= *least) return;
    const Derived longer = difference(scaled(*at(trips, *most), 0.5), scaled(*at(trips, *least), 0.5));
    if (!longer.valid) return;
    const Derived gap = sum(estimate_of(longer), *at(gaps, *least));
    const std::string m = whole(*most);
    const std::string none = whole(*least);
    add(gap_by_rtt_name, "g[flood]", symbol(Unit::ratio),
        "((rtt(" + m + ") - rtt(" + none + ")) / 2 + g(" + none + ")) / g(" + m + ")",
        ratio(estimate_of(gap), *at(gaps, *most)));
  }

  // Of the largest size of the piece that settled, else why the largest one did not.
  void add_saturation() {
    const Derived* found = nullptr;
    double bytes = 0;
    for (const auto& [size, gap] : channel_.saturated)
      if (is_within(size) && at(channel_[Curve::gap], size) && (found == nullptr || gap.valid || !found->valid)) {
        found = &gap;
        bytes = size;
      }
    if (found == nullptr) return;
    const std::string size = whole(bytes);
    add(saturation_name, "g[flood]", symbol(Unit::ratio), "mean per message of a burst that settled / g(" + size + ")",
        found->valid ? ratio(estimate_of(*found), *at(channel_[Curve::gap], bytes)) : not_derived(found->reason));
  }

  const Channel& channel_;
  const Piece& piece_;
  std::vector<PieceLine> lines_;  // those of the piece, without what cannot be
  Point group_;
  std::vector<DerivedRecord> records_;
};

DerivedRecord count_of(const Channel& channel, std::size_t count) {
  DerivedRecord record;
  record.name = pieces_name;
  record.formula = "pieces on which every quantity is linear";
  record.group = channel.key;
  record.quantity = size_factor;
  record.regime = channel.regime;
  record.unit = symbol(Unit::count);
  const auto value = static_cast<double>(count);
  record.derived = {value, {value, value, 1}, true, {}};
  return record;
}

}  // namespace

std::vector<DerivedRecord> derive(const std::vector<SeriesGroup>& groups) {
  std::vector<DerivedRecord> records;
  for (const Channel& channel : channels_of(groups)) {
    const auto found = pieces(channel.curves, loggp_alpha);
    if (found.empty()) continue;
    records.push_back(count_of(channel, found.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
      std::ranges::move(PieceRecords(channel, found[i], i + 1).all(), std::back_inserter(records));
  }
  return records;
}

}  // namespace assay::loggp
