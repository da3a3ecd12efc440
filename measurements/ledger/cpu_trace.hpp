// SPDX-License-Identifier: Apache-2.0
// What the kernel does on one CPU, recorded by its tracepoints in a ring buffer that is read afterwards; where these
// and their fields are described.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "channel/descriptor.hpp"
#include "ledger/attribution.hpp"

namespace assay {

/// The description of one tracepoint.
class TracepointFormat {
 public:
  /// Reads the text of a file `format` of tracefs. Nothing when it has no number.
  static std::optional<TracepointFormat> parse(std::string_view text);

  int id() const { return id_; }
  /// The integer in a field of a record; 0 where the record is too short or has no such field.
  std::int64_t number(std::span<const unsigned char> record, const std::string& field) const;
  /// The text in a field, of a fixed length or at a place that the record names (__data_loc); empty where there is
  /// none.
  std::string text(std::span<const unsigned char> record, const std::string& field) const;

 private:
  struct Field {
    std::size_t offset = 0;
    std::size_t size = 0;
    bool is_signed = false;
    bool is_elsewhere = false;
  };
  int id_ = -1;
  std::map<std::string, Field> fields_;
};

/// The kernel's file system of tracepoints: where it is mounted, or else an instance of its own that is mounted nowhere
/// and is gone with this object.
class Tracefs {
 public:
  /// Throws Unsupported, with the reason, where it cannot be had.
  Tracefs();

  /// The description of an event such as "sched/sched_switch"; nothing where this kernel does not have it.
  std::optional<TracepointFormat> format(const std::string& event) const;

 private:
  std::unique_ptr<OwnedDescriptor> root_;
};

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
