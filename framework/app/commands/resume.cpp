// SPDX-License-Identifier: Apache-2.0
// `assay resume`: measures an existing campaign anew, as a further session of it.
#include <algorithm>

#include "app/commands/commands.hpp"
#include "app/measuring.hpp"
#include "app/results.hpp"
#include "record/provenance.hpp"

namespace assay {

namespace {

// What makes another machine, or another program, of the one that sessions were measured on.
constexpr const char* hard_facts[] = {"host.name",    "cpu.model",      "cpu.topology",        "cpu.usable",
                                      "cpu.governor", "kernel.release", "kernel.architecture", "libc.version",
                                      "clock.source", "assay.version",  "assay.revision",      "build.compiler",
                                      "build.flags",  "build.type",     "virtual.hypervisor",  "process.scheduling"};

const CampaignRecord& campaign_in(const JournalContent& content, const std::string& path) {
  if (!content.records.empty())
    if (const auto* campaign = std::get_if<CampaignRecord>(&content.records.front())) return *campaign;
  throw ResultError(path + ": the journal does not begin with a campaign; there is nothing to go on with");
}

std::string value_of(const Facts& facts, const std::string& key) {
  const auto found = std::ranges::find(facts, key, &Facts::value_type::first);
  return found == facts.end() ? "unknown" : found->second;
}

// Refuses to put what differs in more than time into one estimate.
void check_environment(const JournalContent& content, const Facts& now, const std::string& path) {
  std::string differences;
  for (const Record& record : content.records)
    if (const auto* session = std::get_if<SessionRecord>(&record); session != nullptr && differences.empty())
      for (const char* key : hard_facts)
        if (const auto before = value_of(session->facts, key); before != value_of(now, key))
          differences += std::string("\n  ") + key + ": " + before + " then, " + value_of(now, key) + " now";
  if (differences.empty()) return;
  throw ResultError(path + ": a session here would not measure the same thing; run a new campaign, and compare" +
                    differences);
}

void require_flag(const CommandLine& line) {
  if (line.has("add-session")) return;
  throw ConfigError(Problem{{"assay resume"},
                            "nothing to do",
                            "points that an interrupted session left out are not continued",
                            "add --add-session to measure every point anew, as a further session"});
}

int run(const CommandLine& line, const Registry& registry, Terminal& terminal) {
  require_flag(line);
  const std::string& directory = line.operands.front();
  const auto content = read_content("assay resume", directory, terminal.err);
  const auto topology = Topology::this_machine();
  const auto& stored = campaign_in(content, directory).configuration;
  auto plan = stored_plan(stored, directory + ": configuration", overrides_of(line), catalogue_of(registry), topology);
  plan.output = directory;
  check_environment(content, session_facts(topology), directory);
  return measure_campaign({plan, topology, command_text("resume", line), line.has("quiet"), terminal}, &content);
}

}  // namespace

CommandInfo resume_command() {
  CommandInfo command;
  command.name = "resume";
  command.synopsis = "resume DIR --add-session [options]";
  command.summary = "Measures every point of a campaign once more, as a further session of its results.";
  command.details =
      "From three sessions on the intervals are over sessions, and called long-term: they speak for the whole time\n"
      "that the sessions span. The configuration is the stored one; machine and program must be the same.\n";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {{"add-session", "", "measure every point anew"},
                     {"sessions", "S", "this many further sessions; default: one"},
                     {"every", "T", "from the start of a session to the start of the next: 10min, 1h"},
                     {"time-limit", "T", "stop in good order after 30s, 10min, 2h"},
                     quiet_option(),
                     help_option()};
  command.run = &run;
  return command;
}

}  // namespace assay
