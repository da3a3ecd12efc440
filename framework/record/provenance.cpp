// SPDX-License-Identifier: Apache-2.0
// Facts of build, machine and clock put together.
#include "record/provenance.hpp"

#include <algorithm>
#include <vector>

#include "base/value.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/machine/identity.hpp"
#include "record/build_info.hpp"

namespace assay {

namespace {

// Adds a fact unless its key is there: keys are unique in a session.
void add(Facts& facts, const std::string& key, const std::string& value) {
  if (std::ranges::find(facts, key, &Facts::value_type::first) == facts.end()) facts.emplace_back(key, value);
}

void add_clock(Facts& facts) {
  const ClockFacts found = monotonic_clock_facts();
  add(facts, "clock.usable", found.usable ? "yes" : "no: " + found.problem);
  add(facts, "clock.step_ns", to_text(found.step.count));
  add(facts, "clock.read_cost_ns", to_text(found.read_cost.count));
  add(facts, "clock.cost_spread_ns", to_text(found.cost_spread.count));
}

void add_counter(Facts& facts) {
  const CounterFacts counter = probe_counter();
  add(facts, "clock.counter", (counter.trusted ? "trusted: " : "not trusted: ") + counter.reason);
  if (counter.trusted) add(facts, "clock.counter_ns_per_tick", to_text(counter.ns_per_tick));
}

}  // namespace

Facts build_facts() {
  return {{"assay.version", build::version}, {"assay.revision", build::revision}, {"build.compiler", build::compiler},
          {"build.flags", build::flags},     {"build.type", build::type},         {"build.library", build::library}};
}

std::string program_version() { return std::string("assay ") + build::version; }

std::string source_date() { return build::date; }

std::string version_line() { return program_version() + " (" + build::compiler + ", " + build::type + ")"; }

std::vector<Check> session_checks(const Topology& topology, const std::string& output, Nanoseconds watch) {
  return make_checks(check_inputs(topology, build::flags, output, watch));
}

Facts session_facts(const Topology& topology) {
  Facts facts = build_facts();
  for (const Fact& fact : machine_facts(topology)) add(facts, fact.key, fact.value);
  for (const Fact& fact : environment_facts()) add(facts, fact.key, fact.value);
  add_clock(facts);
  add_counter(facts);
  add(facts, "perf_events", "not used: context switches are counted by getrusage");
  add(facts, "topology.summary", topology.summary());
  add(facts, "topology.xml", topology.xml());
  return facts;
}

}  // namespace assay
