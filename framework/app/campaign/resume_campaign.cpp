// SPDX-License-Identifier: Apache-2.0
// Comparing a request with what a journal has, and going on from there.
#include "app/campaign/resume_campaign.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <unordered_map>
#include <utility>

#include "app/campaign/launcher.hpp"
#include "app/campaign/progress.hpp"
#include "app/results/comparability.hpp"
#include "app/results/comparing.hpp"
#include "app/results/results.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "platform/machine/identity.hpp"
#include "record/journal/anonymous.hpp"
#include "run/mpi/shard.hpp"
#include "run/series/identity.hpp"
#include "text/json.hpp"
#include "text/sha256.hpp"
#include "text/suggest.hpp"
#include "text/text_key.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::size_t largest_plugin = std::size_t{1} << 30U;
constexpr std::size_t most_named = 5;

std::string listed(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

void check_machine(const std::string& directory, const Facts& then, const Facts& now) {
  const auto found = hard_differences(then, now);
  if (found.empty()) return;
  throw ResultError(
      directory +
      ": this is not the machine, or not the program, that the results are of; 'assay resume --new-machine' "
      "measures everything again in a separate session, or run a new campaign, and compare" +
      listed(found));
}

// Points whose latest record says that they failed, or that they may have a result another time.
class Failures {
 public:
  void add(const Record& record) {
    if (const auto* session = std::get_if<SessionRecord>(&record); session != nullptr && session->new_machine)
      points_.clear();
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr) return;
    has_number_ = has_number_ || !point->results.empty();
    const TextKey key = key_of(point->series, point->point);
    points_.erase(key);
    if (may_be_retried(point->outcome)) points_.emplace(key, has_failed(point->outcome));
  }
  bool any() const {
    return std::ranges::any_of(points_, [](const auto& point) { return point.second; });
  }
  bool any_to_retry() const { return !points_.empty(); }
  /// Whether anything was measured.
  bool has_number() const { return has_number_; }

 private:
  std::unordered_map<TextKey, bool, TextKeyHash> points_;
  bool has_number_ = false;
};

// Everything but visits, in order. What is shown again stays without names where it has none.
Earlier read_earlier(const std::string& directory, const Anonymizer& named, Continuation& continuation,
                     HistoryScope scope) {
  Earlier earlier;
  earlier.history = History(std::move(scope));
  Failures failures;
  const auto wanted = [&](const RecordHead& head) {
    if (head.type == "visit") earlier.history.add_visit();
    return head.type != "visit";
  };
  earlier.end = scan_journal(directory, wanted, [&](const Record& record) {
    const Record meant = named(record);
    earlier.history.add(meant);
    continuation.add(meant, earlier.history);
    failures.add(meant);
    earlier.is_marked = earlier.is_marked || is_marked(record);
  });
  earlier.has_failed = failures.any() || !failures.has_number();
  earlier.has_to_retry = failures.any_to_retry();
  return earlier;
}

void read_visits(const std::string& directory, const Anonymizer& named, Continuation& continuation) {
  const auto wanted = [&](const RecordHead& head) {
    return (head.type == "visit" || head.type == "incarnation") && continuation.wants(named(head.about()));
  };
  scan_journal(directory, wanted, [&](Record record) { continuation.take(named(std::move(record))); });
}

std::vector<std::string> notes_on(const Continuation& continuation, const Facts& then, const Facts& now,
                                  const History& history) {
  std::vector<std::string> notes;
  if (const auto found = soft_differences(then, now); !found.empty())
    notes.push_back("session " + std::to_string(history.next_session() + 1) +
                    " has another environment than the previous one: " + joined(found, "; ", most_named));
  for (const auto& [series, version] : continuation.accepted())
    notes.push_back("series " + series + ": results of version " + version + " of the measurement were accepted");
  if (!continuation.removed().empty())
    notes.push_back("not in the current plan, but kept: " + joined(continuation.removed(), "; ", most_named));
  std::erase_if(notes, [&](const std::string& note) { return history.has_note(note); });
  return notes;
}

int say_done(const CampaignRun& run, const Earlier& earlier) {
  if (!run.quiet)
    run.context.err << "Everything is measured already; nothing was added"
                    << (earlier.has_to_retry ? "; --retry-failed repeats points that failed or were unsupported" : "")
                    << '\n';
  return conclude(run, earlier.has_failed ? ExitCode::some_failed : ExitCode::ok);
}

// Unless it was looked up anew, what an earlier session recorded of the other side.
void take_against(CampaignRun& run, const Facts& then) {
  if (!run.against.empty()) return;
  for (const auto& fact : then)
    if (fact.first.starts_with(against_prefix)) run.against.push_back(fact);
}

// Whether the points are measured once only, in what was and in what is to come.
bool is_one_pass(const CampaignPlan& plan, const Origin& origin, const ResumeOptions& resuming) {
  return origin.passes <= 1 && plan.sessions <= 1 && !resuming.add_session && !resuming.new_machine;
}

// Whether the last pass is to be continued; sets how many sessions this start of the program is to have.
bool count_sessions(CampaignPlan& plan, const Earlier& earlier, const Continuation& continuation,
                    const ResumeOptions& resuming) {
  // A campaign that was lost before its first session has nothing to go on with.
  if (resuming.add_session || resuming.new_machine || earlier.history.passes() == 0) return false;
  const bool is_open =
      continuation.unfinished() > 0 || !earlier.history.ended() || !earlier.history.standing_variant().empty();
  plan.sessions = std::max(0, plan.sessions - earlier.history.passes()) + (is_open ? 1 : 0);
  return is_open;
}

// Whether names were kept out of a session: of its facts, or else on demand.
bool is_anonymous(const SessionRecord& session) {
  const auto hides = [](const auto& fact) { return fact.first == "host.name" && fact.second.starts_with("anon-"); };
  return std::ranges::any_of(session.facts, hides) ||
         (session.command_line + ' ').find(" --anonymous ") != std::string::npos;
}

// The facts of now, as a campaign keeps them.
Facts facts_like(const Origin& origin, const CampaignRun& run) {
  Facts now = facts_now(run.topology);
  std::ranges::move(thread_level_fact(run.plan(), run.context.ranks), std::back_inserter(now));
  if (!origin.is_anonymous) return now;
  const Anonymizer anonymous(own_names());
  for (auto& fact : now) fact.second = anonymous(fact.second);
  return now;
}

// What launches left whose watcher was lost.
void take_over_shards(const CampaignRun& run, const Origin& origin) {
  if (leftover_launches(run.plan().output).empty()) return;
  const bool hides = run.anonymous || origin.is_anonymous;
  const Anonymizer anonymous(hides ? own_names() : std::vector<std::string>());
  const MonotonicClock clock;
  const JournalOptions options{run.plan().durability, run.steal_lock};
  for (const std::string& text : recover_shards(run.plan().output, clock, options, std::cref(anonymous)))
    run.context.remarks() << "note: " << text << std::endl;
}

// What puts names back into the records of an anonymous campaign, and leaves others alone.
Anonymizer naming(const Origin& origin) {
  return Anonymizer::undoing(origin.is_anonymous ? own_names() : std::vector<std::string>());
}

}  // namespace

std::vector<CommandOption> going_options() {
  return {{"retry-failed", "", "measure again, from the start, what failed, timed out, was lost or unsupported"},
          {"accept-old", "", "keep results of an older version of a measurement or plugin, with a note"},
          {"new-machine", "", "measure everything again on another machine, separately from existing results"},
          {"steal-lock", "", "continue although another host, which cannot be checked, owns the results"}};
}

ResumeOptions resume_options_of(const CommandLine& line) {
  ResumeOptions resuming;
  resuming.keeping = {line.has("retry-failed"), line.has("accept-old")};
  resuming.new_machine = line.has("new-machine");
  return resuming;
}

bool holds_campaign(const std::string& directory) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(directory) / journal_name, ignored);
}

std::optional<JournalEnd> clear_false_start(const std::string& directory) {
  std::error_code error;
  if (std::filesystem::is_directory(directory, error) && std::filesystem::is_empty(directory, error))
    std::filesystem::remove(directory, error);
  const auto journal = std::filesystem::path(directory) / journal_name;
  if (!holds_campaign(directory) || std::filesystem::file_size(journal, error) > json_size_limit) return std::nullopt;
  const JournalEnd end = scan_journal(
      directory, [](const RecordHead&) { return false; }, [](const Record&) {});
  return end.records == 0 ? std::optional(end) : std::nullopt;
}

Origin origin_of(const std::string& directory) {
  Origin origin;
  bool first = true;
  bool found = false;
  const auto wanted = [&](const RecordHead& head) {
    found = found || (first && head.type == "campaign");
    first = false;
    return head.type == "campaign" || head.type == "session";
  };
  scan_journal(directory, wanted, [&](Record record) {
    if (auto* campaign = std::get_if<CampaignRecord>(&record)) {
      origin.campaign = std::move(*campaign);
      origin.configuration = origin.campaign.configuration;
    }
    if (auto* session = std::get_if<SessionRecord>(&record)) {
      origin.is_measured = true;
      origin.is_anonymous = origin.is_anonymous || is_anonymous(*session);
      if (!session->continues) ++origin.passes;
      if (!session->configuration.empty()) origin.configuration = std::move(session->configuration);
      origin.facts = std::move(session->facts);
    }
  });
  if (!found)
    throw ResultError(directory + ": the journal does not begin with a campaign; there is nothing to continue");
  origin.configuration = naming(origin)(origin.configuration);
  return origin;
}

History replayed(const std::string& directory, Continuation& continuation, HistoryScope scope) {
  const Anonymizer named = naming(origin_of(directory));
  Earlier earlier = read_earlier(directory, named, continuation, std::move(scope));
  continuation.prepare(earlier.history);
  read_visits(directory, named, continuation);
  return std::move(earlier.history);
}

void name_builds(CampaignPlan& plan, const Registry& registry) {
  if (plan.plugins.empty()) return;
  std::string all;
  for (const std::string& path : plan.plugins) all += digest_of(read_file(path, largest_plugin));
  for (SeriesPlan& series : plan.series) {
    const auto is_it = [&](const Entry& entry) { return entry.description.name == series.measurement.name; };
    if (std::ranges::none_of(registry.entries(), is_it)) series.build = digest_of(all);
  }
}

int continue_campaign(const CampaignRun& asked, const Origin& origin, const CampaignPlan& before,
                      const ResumeOptions& resuming) {
  CampaignPlan plan = asked.plan();
  take_over_shards(asked, origin);
  plan.seed = origin.campaign.seed;
  const Facts now = facts_like(origin, asked);
  const Facts& then = origin.is_measured ? origin.facts : now;
  if (!resuming.new_machine) check_machine(plan.output, then, now);
  Continuation continuation(plan, resuming.keeping);
  const Anonymizer named = naming(origin);
  Earlier earlier = read_earlier(plan.output, named, continuation, scope_of(plan, is_one_pass(plan, origin, resuming)));
  const bool is_changed = !differences(meaning_of(before), meaning_of(plan)).empty();
  if (is_changed && earlier.history.passes() > 1)
    throw ResultError(plan.output + ": a campaign of several sessions keeps its plan; run a new campaign, and compare");
  tell_of_torn_end(earlier.end, asked.context.remarks());
  continuation.prepare(earlier.history);
  CampaignRun run = asked.by(plan);
  run.anonymous = run.anonymous || origin.is_anonymous;
  take_against(run, then);
  if (count_sessions(plan, earlier, continuation, resuming)) earlier.continuation = &continuation;
  earlier.new_machine = resuming.new_machine;
  if (earlier.continuation == nullptr && plan.sessions == 0) return say_done(run, earlier);
  if (earlier.continuation != nullptr) read_visits(plan.output, named, continuation);
  if (is_changed) earlier.configuration = plan.configuration;
  earlier.notes = notes_on(continuation, then, now, earlier.history);
  if (!soft_differences(then, now).empty()) continuation.check_anchors();
  return measure_campaign(run, &earlier);
}

namespace {

// The plan by which a campaign has been measured until now.
CampaignPlan plan_before(const Origin& origin, const std::string& directory, const Registry& registry,
                         const Catalogue& catalogue, const Topology& topology) {
  auto plan = stored_plan(origin.configuration, directory + ": configuration", {}, catalogue, topology);
  name_builds(plan, registry);
  return plan;
}

// A campaign of the same meaning goes on; one of another meaning only on demand.
void check_meaning(const CampaignPlan& before, const CampaignPlan& plan) {
  const auto found = differences(meaning_of(before), meaning_of(plan));
  if (found.empty()) return;
  std::string text =
      plan.output +
      ": exists already, and asks for something else; '--output' takes another directory, and 'assay run "
      "--resume' continues it with the new plan";
  for (const std::string& one : found) text += "\n  " + one;
  throw ResultError(text);
}

// Results are never written through a link, nor over something else.
void require_place(const std::string& output) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(output, ignored);
  if (!std::filesystem::exists(status)) return;
  throw ResultError(shown_path(output) +
                    (std::filesystem::is_symlink(status) ? " is a symbolic link" : " exists already") +
                    "; results are never written over others; name a new directory with --output");
}

}  // namespace

int begin_or_continue(CampaignRun measuring, const Registry& registry, const Catalogue& catalogue, bool any_meaning,
                      const ResumeOptions& resuming) {
  const CampaignPlan& plan = measuring.plan();
  measuring.begun = clear_false_start(plan.output);
  if (!measuring.begun && !holds_campaign(plan.output)) require_place(plan.output);
  if (measuring.begun || !holds_campaign(plan.output)) return measure_campaign(measuring);
  const Origin origin = origin_of(plan.output);
  const auto before = plan_before(origin, plan.output, registry, catalogue, measuring.topology);
  if (!any_meaning) check_meaning(before, plan);
  return continue_campaign(measuring, origin, before, resuming);
}

}  // namespace assay
