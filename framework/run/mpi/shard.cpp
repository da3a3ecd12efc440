// SPDX-License-Identifier: Apache-2.0
// Shards: their names, their reading while they grow, and their way into the journal, which can be interrupted
// anywhere.
#include "run/mpi/shard.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "record/journal/codec.hpp"
#include "record/journal/journal_line.hpp"
#include "text/json.hpp"
#include "text/number_format.hpp"
#include "text/text_key.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "launch-";
constexpr std::string_view order_suffix = ".json";
constexpr const char* unseen = "lost with the program that supervised it";

std::optional<int> launch_in(const std::string& name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::string_view digits = std::string_view(name).substr(prefix.size());
  if (digits.ends_with(order_suffix)) digits.remove_suffix(order_suffix.size());
  int launch = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), launch);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(launch) : std::nullopt;
}

bool is_begin(const Record& record, int launch) {
  const auto* found = std::get_if<LaunchRecord>(&record);
  return found != nullptr && found->launch == launch && found->ended.empty();
}

bool is_end(const Record& record, int launch) {
  const auto* found = std::get_if<LaunchRecord>(&record);
  return found != nullptr && found->launch == launch && !found->ended.empty();
}

TextKey record_key(const Record& record) { return text_key(to_text(encode(record))); }

/// What the journal has of a launch already: all of it, or the records from its begin on.
struct Taken {
  bool all = false;
  std::deque<TextKey> records;
};

Taken taken_over(const std::string& campaign, int launch, JournalEnd& end) {
  Taken taken;
  bool began = false;
  const auto wanted = [&](const RecordHead& head) { return began || head.type == "launch"; };
  end = scan_journal(campaign, wanted, [&](const Record& record) {
    began = began || is_begin(record, launch);
    taken.all = taken.all || is_end(record, launch);
    if (began) taken.records.push_back(record_key(record));
  });
  return taken;
}

/// Passes over records that are known, in their order; others may stand between those.
class Rest final : public Sink {
 public:
  Rest(Sink& next, std::deque<TextKey> known, const std::function<Record(const Record&)>& kept_as)
      : next_(next), known_(std::move(known)), kept_as_(kept_as) {}
  void write(const Record& record) override {
    const Record kept = kept_as_(record);
    if (const auto found = std::ranges::find(known_, record_key(kept)); found != known_.end()) {
      known_.erase(known_.begin(), found + 1);
      return;
    }
    next_.write(kept);
  }

 private:
  Sink& next_;
  std::deque<TextKey> known_;
  const std::function<Record(const Record&)>& kept_as_;
};

/// Keeps count of what a shard's records say of the launch.
void note(const Record& record, ShardEnd& shard) {
  shard.began = true;
  if (const auto* begin = std::get_if<BeginRecord>(&record)) shard.in_flight = *begin;
  if (std::holds_alternative<VisitRecord>(record)) shard.in_flight.reset();
  const auto* point = std::get_if<PointRecord>(&record);
  if (point != nullptr && shard.in_flight && shard.in_flight->series == point->series &&
      shard.in_flight->point == point->point)
    shard.in_flight.reset();
  const auto* launch = std::get_if<LaunchRecord>(&record);
  if (launch == nullptr || launch->ended.empty()) return;
  shard.ended = launch->ended;
  shard.left = launch->left;
  shard.in_flight.reset();
}

/// Refuses a shard that is still written. A rank that was killed has it until the kernel has taken it apart, which
/// takes a while where it had much memory.
void require_unused(const std::string& file) {
  constexpr int looks = 100;
  constexpr auto pause = std::chrono::milliseconds(50);
  for (int look = 1;; ++look) {
    const JournalEnd end = scan_journal(
        file, [](const RecordHead&) { return false; }, [](const Record&) {});
    try {
      AppendFile::reopen(file, end.good_size, end.torn);
      return;
    } catch (const ResultError&) {
      if (look == looks) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::string shard_directory(const std::string& campaign, int launch) {
  return campaign + "/" + std::string(prefix) + std::to_string(launch);
}

std::string order_path(const std::string& campaign, int launch) {
  return shard_directory(campaign, launch) + std::string(order_suffix);
}

std::vector<int> leftover_launches(const std::string& campaign) {
  std::vector<int> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(campaign, ignored))
    if (const auto launch = launch_in(entry.path().filename().string())) found.push_back(*launch);
  std::ranges::sort(found);
  const auto doubled = std::ranges::unique(found);
  found.erase(doubled.begin(), doubled.end());
  return found;
}

void remove_shard(const std::string& campaign, int launch) {
  std::error_code ignored;
  fs::remove_all(shard_directory(campaign, launch), ignored);
  fs::remove(order_path(campaign, launch), ignored);
}

void write_order(const std::string& campaign, const WrittenOrder& written) {
  const LaunchOrder& order = written.order;
  Json json;
  json.set("session", order.session).set("launch", order.launch).set("elapsed_ns", order.elapsed.count);
  if (order.time_limit) json.set("time_limit_ns", order.time_limit->count);
  json.set("retry_failed", order.keeping.retry_failed).set("accept_old", order.keeping.accept_old);
  Json::Object builds;
  for (const auto& [series, build] : written.builds) builds.emplace_back(series, build);
  json.set("builds", builds).set("configuration", written.configuration).set("node", written.node);
  write_file(order_path(campaign, order.launch), to_text(json) + "\n");
}

WrittenOrder read_order(const std::string& campaign, int launch) {
  const Json json = parse_json(read_plain_file(order_path(campaign, launch), json_size_limit));
  WrittenOrder written;
  LaunchOrder& order = written.order;
  order.session = static_cast<int>(json.at("session").integer());
  order.launch = static_cast<int>(json.at("launch").integer());
  order.elapsed = {json.at("elapsed_ns").number()};
  if (const Json* limit = json.find("time_limit_ns")) order.time_limit = Nanoseconds{limit->number()};
  order.keeping = {json.at("retry_failed").boolean(), json.at("accept_old").boolean()};
  for (const auto& [series, build] : json.at("builds").object()) written.builds.emplace_back(series, build.string());
  written.configuration = json.at("configuration").string();
  if (const Json* node = json.find("node")) written.node = node->string();
  return written;
}

ShardEnd read_shard(const std::string& campaign, int launch, const std::function<void(const Record&)>& take) {
  ShardEnd shard;
  const std::string file = shard_directory(campaign, launch) + "/" + journal_name;
  std::error_code ignored;
  if (!fs::exists(file, ignored) || fs::file_size(file, ignored) == 0) return shard;
  require_unused(file);
  const auto wanted = [](const RecordHead& head) { return head.type != "alive"; };
  scan_journal(file, wanted, [&](const Record& record) {
    note(record, shard);
    take(record);
  });
  return shard;
}

ShardEnd import_shard(const std::string& campaign, int launch, int session, const std::string& lost, Sink& sink) {
  const ShardEnd shard = read_shard(campaign, launch, [&](const Record& record) {
    if (!is_end(record, launch)) sink.write(record);
  });
  if (!shard.began) return shard;
  sink.write(LaunchRecord{session, launch, {}, shard.ended.empty() ? lost : shard.ended, shard.left});
  return shard;
}

std::vector<std::string> recover_shards(const std::string& campaign, const Clock& clock, const JournalOptions& options,
                                        const std::function<Record(const Record&)>& kept_as) {
  std::vector<std::string> told;
  for (const int launch : leftover_launches(campaign)) {
    JournalEnd end;
    Taken taken = taken_over(campaign, launch, end);
    Journal journal(campaign, end, clock, options);
    if (!taken.all) {
      int session = -1;
      std::size_t records = 0;
      read_shard(campaign, launch, [&](const Record& record) {
        if (const auto* begin = std::get_if<LaunchRecord>(&record)) session = begin->session;
        ++records;
      });
      Rest rest(journal, std::move(taken.records), kept_as);
      if (session >= 0) import_shard(campaign, launch, session, unseen, rest);
      if (records > 0)
        told.push_back("launch " + std::to_string(launch) + " left " + counted(records, "record") +
                       " that had not been taken over; they are in the journal now");
      journal.sync();
    }
    remove_shard(campaign, launch);
  }
  return told;
}

namespace {

constexpr std::size_t piece = std::size_t{64} << 10U;

}  // namespace

bool ShardFollower::look() {
  std::ifstream stream(file_, std::ios::binary);
  if (!stream.seekg(static_cast<std::streamoff>(read_))) return false;
  bool grew = false;
  std::array<char, piece> buffer{};
  while (stream.read(buffer.data(), buffer.size()), stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    read_ += count;
    pending_.append(buffer.data(), count);
    std::size_t from = 0;
    for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', from)) {
      take(std::string_view(pending_).substr(from, end - from));
      from = end + 1;
      grew = true;
    }
    pending_.erase(0, from);
  }
  return grew;
}

void ShardFollower::take(std::string_view line) {
  const auto head = head_of(line);
  if (!head || !is_sound(line)) return;
  began_ = true;
  if (head->type == "point") ++points_;
  if (head->type == "visit" || head->type == "point") in_flight_.reset();
  if (head->type != "begin" && head->type != "alive" && head->type != "launch") return;
  try {
    note(decode(parse_json(line)));
  } catch (const JsonError&) {
    return;
  }
}

void ShardFollower::note(const Record& record) {
  if (const auto* begin = std::get_if<BeginRecord>(&record)) in_flight_ = *begin;
  if (const auto* alive = std::get_if<AliveRecord>(&record)) next_ = alive->next;
  if (const auto* launch = std::get_if<LaunchRecord>(&record)) ended_ = ended_ || !launch->ended.empty();
}

}  // namespace assay
