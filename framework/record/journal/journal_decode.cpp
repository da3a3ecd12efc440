// SPDX-License-Identifier: Apache-2.0
// Decoding lines of a journal that another program may have written.
#include "record/journal/journal_decode.hpp"

#include <cmath>

#include "base/escape.hpp"
#include "record/journal/codec.hpp"
#include "record/journal/journal.hpp"
#include "record/journal/side_file.hpp"

namespace assay {

namespace {

void check_time(Nanoseconds time, const char* key) {
  if (!std::isfinite(time.count) || time.count < 0)
    throw JsonError("'" + std::string(key) + "' is not a time: negative, or not a number");
}

struct TimeCheck {
  template <class Other>
  void operator()(const Other& /*record*/) const {}
  void operator()(const IncarnationRecord& record) const {
    check_time(record.warm_up, "warm_up_ns");
    check_time(record.took, "took_ns");
  }
  void operator()(const VisitRecord& record) const {
    check_time(record.at, "at_ns");
    check_time(record.took, "took_ns");
  }
  void operator()(const EndRecord& record) const { check_time(record.took, "took_ns"); }
};

// Says what a line lacks that does not begin as the writer makes it.
[[noreturn]] void refuse_head(std::string_view line) {
  const Json json = parse_json(line, campaign_json_limits);
  for (const char* key : {"v", "seq"}) json.at(key).integer();
  json.at("type").string();
  throw JsonError("its members are not in their order");
}

}  // namespace

std::string version_text(std::int64_t version) {
  return "format version " + std::to_string(version) + "; this program reads version " +
         std::to_string(journal_version);
}

LineHead checked_head(std::string_view line) {
  const auto head = head_of(line);
  if (!head) refuse_head(line);
  if (head->version != journal_version) throw JsonError(version_text(head->version));
  if (!is_record_type(head->type)) throw JsonError("unknown type of record " + excerpt(head->type));
  return *head;
}

LineHead checked_head(std::string_view line, std::int64_t due) {
  const LineHead head = checked_head(line);
  if (head.number != due)
    throw JsonError("sequence number " + std::to_string(head.number) + " where " + std::to_string(due) +
                    " was expected: lines are missing, repeated or out of order");
  if (head.type == "campaign" && due > 0) throw JsonError("a second campaign begins here");
  return head;
}

std::string about_text(const LineHead& head) {
  return about(parse_json(head.series, journal_json_limits).string(),
               decode_point(parse_json(head.point, journal_json_limits)));
}

Record decode_line(std::string_view line, const LineHead& head, const std::string& directory) {
  const Json json = parse_json(line, head.type == "campaign" ? campaign_json_limits : journal_json_limits);
  Record record = decode(json);
  std::visit(TimeCheck{}, record);
  if (auto* visit = std::get_if<VisitRecord>(&record))
    if (const Json* samples = json.find("samples")) visit->batches = read_side_file(directory, head.number, *samples);
  return record;
}

}  // namespace assay
