// SPDX-License-Identifier: Apache-2.0
// The kernel's tracepoints: where they are described, and where their fields stand in a record.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "channel/descriptor.hpp"

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

}  // namespace assay
