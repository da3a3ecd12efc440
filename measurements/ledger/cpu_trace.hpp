// SPDX-License-Identifier: Apache-2.0
// What the kernel does on one CPU, recorded by its tracepoints in a ring buffer that is read afterwards.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "channel/descriptor.hpp"
#include "ledger/attribution.hpp"
#include "ledger/tracepoint.hpp"

namespace assay {

/// A record of a tracepoint as the kernel wrote it.
struct RawEvent {
  std::int64_t at = 0;  ///< ns, CLOCK_MONOTONIC
  int thread = 0;       ///< that was running, numbered as in this process's namespace
  std::vector<unsigned char> record;
};

/// Turns records into what they say. Knows no ring buffer, so that it is tested with records made by hand.
class EventReader {
 public:
  /// One tracepoint and what it means. For interrupts without a name of their own, `name` is that.
  struct Known {
    TracepointFormat format;
    CpuEvent::Kind kind = CpuEvent::Kind::thread;
    std::string name;
  };
  /// `observed` is the number of the thread that is observed.
  EventReader(std::vector<Known> known, int observed) : known_(std::move(known)), observed_(observed) {}

  /// In order of time. Looks up in /proc which threads are the kernel's, where their names are not known to be.
  std::vector<CpuEvent> read(const std::vector<RawEvent>& records);

 private:
  const Known* find(const RawEvent& event) const;
  CpuEvent change_of_thread(const TracepointFormat& format, const RawEvent& event);
  bool is_kernel(std::int64_t thread, const std::string& name);

  std::vector<Known> known_;
  int observed_;
  std::int64_t observed_globally_ = -1;  ///< its number in the kernel's own namespace, which records have
  std::map<std::pair<std::int64_t, std::string>, bool> kernel_threads_;
};

/// The tracepoints of one CPU.
class CpuTrace {
 public:
  /// Opens them, disabled. Throws Unsupported, with what to do, where that is not permitted.
  CpuTrace(int cpu, int observed);
  CpuTrace(const CpuTrace&) = delete;
  CpuTrace& operator=(const CpuTrace&) = delete;
  ~CpuTrace();

  void enable();
  void disable();
  /// What was recorded since the last call, in order of time. Outside of what is timed.
  std::vector<CpuEvent> take();
  /// Until when nothing is missing in what take() returned last, in ns: where the ring was full, the last record
  /// before.
  std::int64_t complete_until() const { return complete_until_; }

 private:
  void open(const std::string& event, CpuEvent::Kind kind, const std::string& name, int cpu, const Tracefs& tracefs);
  void map_ring();
  void decode(std::span<const unsigned char> record, std::vector<RawEvent>& events);

  std::vector<EventReader::Known> known_;
  std::vector<std::unique_ptr<OwnedDescriptor>> events_;
  std::unique_ptr<EventReader> reader_;
  unsigned char* ring_ = nullptr;
  std::size_t pages_ = 0;
  std::int64_t complete_until_ = 0;
};

}  // namespace assay
