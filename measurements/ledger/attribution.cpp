// SPDX-License-Identifier: Apache-2.0
// Gaps cut at the events that lie in them.
#include "ledger/attribution.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace assay {
namespace {

/// Who has the CPU, by what began and has not ended.
class Occupation {
 public:
  void pass(const CpuEvent& event) {
    switch (event.kind) {
      case CpuEvent::Kind::interrupt_entry:
        interrupts_.push_back(event.name);
        return;
      case CpuEvent::Kind::interrupt_exit:
        // One that began before the trace did is not known.
        if (!interrupts_.empty()) interrupts_.pop_back();
        return;
      case CpuEvent::Kind::softirq_entry:
        softirq_ = event.name;
        return;
      case CpuEvent::Kind::softirq_exit:
        softirq_.reset();
        return;
      case CpuEvent::Kind::thread:
        // No thread is changed while an interrupt or a softirq is handled: their ends were lost.
        interrupts_.clear();
        softirq_.reset();
        thread_ = event;
        is_observed_ = event.to_observed;
        return;
    }
  }
  bool is_observed_thread() const { return is_observed_; }
  bool is_idle() const { return !is_observed_ && thread_.to_idle; }
  /// Nothing where the observed thread itself runs.
  std::optional<Ledger::Key> owner() const {
    if (!interrupts_.empty()) return Ledger::Key{Cause::interrupt, interrupts_.back()};
    if (softirq_) return Ledger::Key{Cause::softirq, *softirq_};
    if (is_observed_) return std::nullopt;
    if (thread_.to_idle) return Ledger::Key{Cause::elsewhere, "waiting"};
    return Ledger::Key{thread_.to_kernel ? Cause::kernel_thread : Cause::user_thread, thread_.name};
  }

 private:
  std::vector<std::string> interrupts_;
  std::optional<std::string> softirq_;
  CpuEvent thread_;
  bool is_observed_ = true;
};

/// A time in which another thread, or none, had the CPU.
struct Absence {
  Ledger parts;
  double lost = 0;
  bool is_runnable = false;
  bool begins_real_time = false;
  bool has_idle = false;
};

class Attribution {
 public:
  Attribution(std::span<const CpuEvent> events, const Circumstances& circumstances)
      : events_(events), circumstances_(circumstances) {}

  void take(const ClockGap& gap) {
    pass_until(gap.from);
    found_ = {};
    entries_ = 0;
    std::int64_t at = gap.from;
    while (next_ < events_.size() && events_[next_].at < gap.to) {
      count(at, events_[next_].at);
      at = std::max(at, events_[next_].at);
      pass();
    }
    count(at, gap.to);
    close(gap);
  }
  Ledger result() && {
    settle_quota();
    return std::move(ledger_);
  }

 private:
  struct Part {
    Ledger::Key owner;
    double lost = 0;
    std::int64_t times = 0;
    std::size_t absence = 0;
  };
  void pass_until(std::int64_t time) {
    while (next_ < events_.size() && events_[next_].at < time) pass();
    is_fresh_ = false;
  }
  void pass() {
    const CpuEvent& event = events_[next_++];
    const bool was_observed = occupation_.is_observed_thread();
    occupation_.pass(event);
    is_fresh_ = event.kind == CpuEvent::Kind::interrupt_entry || event.kind == CpuEvent::Kind::softirq_entry ||
                (event.kind == CpuEvent::Kind::thread && !event.to_observed);
    if (was_observed && !occupation_.is_observed_thread()) {
      absences_.emplace_back();
      absences_.back().is_runnable = event.from_runnable;
      absences_.back().begins_real_time = event.to_real_time;
    }
  }
  void count(std::int64_t from, std::int64_t to) {
    const auto owner = occupation_.owner();
    if (!owner || to < from) return;
    const std::int64_t times = is_fresh_ ? 1 : 0;
    is_fresh_ = false;
    entries_ += times;
    const auto lost = static_cast<double>(to - from);
    found_.push_back({*owner, lost, times, occupation_.is_observed_thread() ? no_absence : absences_.size() - 1});
    if (!occupation_.is_observed_thread() && occupation_.is_idle()) absences_.back().has_idle = true;
  }
  /// Gives what is left of the gap to the causes found in it, or to none.
  void close(const ClockGap& gap) {
    const double lost = std::max(0.0, static_cast<double>(gap.to - gap.from) - circumstances_.step);
    double known = 0;
    for (const Part& part : found_) known += part.lost;
    const double left = lost - known;
    const bool is_known = known > 0 && left <= kernel_entry * static_cast<double>(std::max<std::int64_t>(1, entries_));
    if (is_known)
      opener()->lost += left;
    else
      ledger_.add(Cause::elsewhere, unknown, std::max(0.0, left));
    for (const Part& part : found_) {
      if (part.absence == no_absence) {
        ledger_.add(part.owner.first, part.owner.second, part.lost, part.times);
        continue;
      }
      Absence& absence = absences_[part.absence];
      absence.parts.add(part.owner.first, part.owner.second, part.lost, part.times);
      absence.lost += part.lost;
    }
  }
  /// For whom the kernel was entered and left: the longest part. Softirqs come with the interrupt before them.
  Part* opener() {
    const auto is_less = [](const Part& a, const Part& b) {
      const bool a_follows = a.owner.first == Cause::softirq, b_follows = b.owner.first == Cause::softirq;
      return a_follows != b_follows ? a_follows : a.lost < b.lost;
    };
    return &*std::ranges::max_element(found_, is_less);
  }
  void settle_quota() {
    double left = circumstances_.quota;
    const auto move = [&](const Absence& absence) {
      ledger_.add(Cause::quota, "control group", absence.lost);
      left -= absence.lost;
    };
    std::vector<const Absence*> others;
    for (const Absence& absence : absences_) {
      if (absence.is_runnable && absence.has_idle)
        move(absence);
      else
        others.push_back(&absence);
    }
    std::ranges::stable_sort(others, std::greater<>(), [](const Absence* absence) { return absence->lost; });
    for (const Absence* absence : others) {
      const bool may_be = absence->is_runnable && !absence->begins_real_time && absence->lost > kernel_entry;
      if (may_be && absence->lost <= most_of_count * left)
        move(*absence);
      else
        for (const auto& [key, entry] : absence->parts.entries())
          ledger_.add(key.first, key.second, entry.lost, entry.count);
    }
  }

  static constexpr std::size_t no_absence = static_cast<std::size_t>(-1);
  static constexpr double most_of_count = 1.1;  // the control group's count begins and ends a little apart
  static constexpr const char* unknown = "hypervisor or hardware";

  std::span<const CpuEvent> events_;
  Circumstances circumstances_;
  std::size_t next_ = 0;
  Occupation occupation_;
  bool is_fresh_ = false;
  std::int64_t entries_ = 0;
  std::vector<Part> found_;
  std::vector<Absence> absences_;
  Ledger ledger_;
};

}  // namespace

Ledger attribute(std::span<const ClockGap> gaps, std::span<const CpuEvent> events, const Circumstances& circumstances) {
  Attribution attribution(events, circumstances);
  for (const ClockGap& gap : gaps) attribution.take(gap);
  return std::move(attribution).result();
}

}  // namespace assay
