// SPDX-License-Identifier: Apache-2.0
// Names from the tables that have them, and the meanings of those that stand in outputs only.
#include "app/results/topics.hpp"

#include <algorithm>
#include <map>

#include "app/cli/options.hpp"
#include "record/layout/layouts.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/table/column_table.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

namespace {

struct Meaning {
  const char* name;
  const char* text;
};

constexpr Meaning verdicts[] = {
    {"converged", "the stopping rule is satisfied: the interval is as narrow as requested"},
    {"max-timings",
     "the budget of timings was spent first; the half-width reached is shown, and the result is marked !"},
    {"max-time", "the budget of time was spent first; the half-width reached is shown, and the result is marked !"},
    {"no-promise", "the rule was satisfied, but it promises no accuracy (stable-min)"},
    {"bimodal", "the sample has two separate modes; the median of both would describe neither"},
    {"drift", "the values changed with time by more than the accuracy requested"},
    {"resolution", "the clock's resolution is coarser than the accuracy requested"},
    {"too-noisy", "hardly any batch was undisturbed: there is no value"},
    {"as-found", "the cores were hardly ever in the state requested: the value is over all batches"},
    {"aborted", "the campaign was stopped before the point was finished; 'assay resume' continues it"},
    {"timeout", "a visit took longer than its deadline, and the worker was killed; raise 'deadline'"},
    {"failed", "a member threw, crashed or violated the protocol; the reason is shown"},
    {"unsupported", "the measurement is not available on this machine; the reason is shown"},
    {"not-applicable", "the number has no meaning at this point; the code N1 to N11 says why"},
    {"minor regime", "a row of a regime that was not the most frequent one of its point"},
    {"other state", "a row of a state of the cores other than the headline state"}};

// Of compare, history check, cluster, and layouts of system noise.
constexpr Meaning changes[] = {
    {"same", "the interval of the ratio lies within the margin"},
    {"faster", "the whole interval lies beyond the margin, of sides that were interleaved, and chance is ruled out"},
    {"slower",
     "the whole interval lies beyond the margin, of sides that were interleaved, and chance is ruled out: exit code 6"},
    {"possibly faster",
     "like faster, but chance or, of sides that were not interleaved, something else may be the cause"},
    {"possibly slower",
     "like slower, but chance or, of sides that were not interleaved, something else may be the cause: exit code 6 "
     "with --strict only"},
    {"unclear", "undecided; the reason states what is missing"},
    {"refused", "the two cannot be compared; the reason is shown"},
    {"ok", "history: within what is usual or accepted; cluster, noise: like the others"},
    {"slow", "cluster, noise: takes longer than the others"},
    {"fast", "cluster, noise: takes less than the others"},
    {"lacking", "cluster: no result where most others have one"},
    {"missing", "history: no such point, or no number where there was one"},
    {"marked", "history: the new number is not reliable"}};

constexpr Meaning regimes[] = {
    {"solo", "a single member, which waits for nobody"},
    {"spin", "members polled while they waited, according to their counters"},
    {"blocked", "members slept in the kernel while they waited, according to their counters"},
    {"mixed", "within one batch members did both, or preempted each other on one CPU by turns"},
    {"preempted", "on one CPU nearly always the same member was preempted, by one that it had woken"}};

constexpr Meaning states[] = {{"alone", "no other work ran on the members' cores during the batch"},
                              {"shared", "other work used the members' cores during the batch"},
                              {"one CPU", "unbound members, or a thread and those it created, were on one CPU"},
                              {"separate CPUs", "they were each on a CPU of their own"},
                              {"as found", "all batches together, whatever the state of the cores"},
                              {"any", "--state any: as found, all batches together"}};

constexpr Meaning columns[] = {
    {"quantity", "what was measured, where the measurement yields several quantities"},
    {"median", "the headline: median of the clean observations"},
    {"interval", "95 % confidence interval of the median"},
    {"low", "lower end of the interval"},
    {"high", "upper end of the interval"},
    {"unit", "unit of the values of the row"},
    {"half-width", "half of the interval's width in per cent of the median"},
    {"cycles", "the median in cycles of the core's clock"},
    {"cycles-interval", "the interval in cycles of the core's clock"},
    {"another-day", "interval that predicts the median of the next campaign or session, from earlier ones"},
    {"mean", "arithmetic mean of the clean observations"},
    {"stddev", "standard deviation of the clean observations"},
    {"min", "smallest observation"},
    {"q10", "10 % quantile"},
    {"q25", "25 % quantile"},
    {"q75", "75 % quantile"},
    {"q90", "90 % quantile"},
    {"max", "largest observation"},
    {"regime", "how members waited: solo, spin, blocked or mixed, with the share of batches"},
    {"state", "state of the cores: alone, shared, or as found"},
    {"state-share", "share of the batches that were in this state"},
    {"converted",
     "share of the timings that were taken at another clock of the core or distance of the members, and converted"},
    {"n", "number of clean observations"},
    {"effective", "number of independent timings that would estimate the median equally well"},
    {"visits", "number of visits (sample blocks)"},
    {"incarnations", "number of fresh processes"},
    {"within", "spread within processes, in per cent"},
    {"between", "spread between processes, in per cent"},
    {"disturbed", "share of batches that were excluded because something interfered"},
    {"basis", "what the interval was computed from: visits, processes or sessions"},
    {"term", "period for which the interval is valid: short-term, long-term or neither"},
    {"span", "time between the first and the last visit"},
    {"reps", "repetitions in one batch"},
    {"verdict", "why measuring stopped"},
    {"trust", "how far the value can be trusted, in words: why measuring stopped, and what restricts the value"},
    {"marks", "signs that restrict a value: ! ~ # ? ^"}};

// As tables of results, of running campaigns and of comparisons have them, where a column's name is another.
constexpr Meaning headings[] = {
    {"+-%", "half of the interval's width, in per cent of the value: its precision"},
    {"+- %", "half of the interval's width, in per cent of the value: its precision"},
    {"low .. high", "95 % confidence interval of the median; in comparisons, of the ratio or the difference"},
    {"disturbed %", "share of batches that were excluded because something interfered"},
    {"inc", "fresh processes that a value is from; in comparisons, of each side"},
    {"B/A", "compare: the median of B over that of A; below 1, B takes less"},
    {"now/again", "run --against: the value now over that of the earlier campaign, measured again"},
    {"since then", "run --against: what the machine changed: the earlier campaign again over its value of then"},
    {"delta", "compare: B less A, of quantities in per cent"},
    {"adj. p", "compare: how probable such a difference is by chance, adjusted for all results compared"}};

// What the column of trust says beside verdicts.
constexpr Meaning words_of_trust[] = {
    {"short-term",
     "~: the visits span less than min-span, or what is measured changes within minutes: G-WAKE, G-APART, G-MEMORY, "
     "several clocks of the cores, others that took more than a tenth of them; a later run may differ by more than the "
     "interval"},
    {"out of time", "max-time: the budget of time was spent first"},
    {"as many timings as allowed", "max-timings: the budget of timings was spent first"},
    {"no precision was asked for", "no-promise: the rule was satisfied, but it promises no accuracy"},
    {"limited by the clock's resolution", "resolution: the clock's resolution is coarser than the accuracy requested"},
    {"cores hardly ever in one state", "as-found: the value is over all batches"},
    {"interrupted", "aborted: 'assay resume' continues the campaign"},
    {"no interval", "?: too few visits or processes for one"},
    {"batches disturbed", "#: more than the share `noisy` of the batches (5 % unless set) were left out"},
    {"CPUs moved", "^: a virtual machine's CPUs were moved during this point: its placement is unreliable"}};

constexpr Meaning checks[] = {
    {"G-APART", "members that poll on CPUs of their own of a virtual machine, which its hypervisor may move"},
    {"G-ASLR", "whether addresses are randomized, so that incarnations sample memory layouts"},
    {"G-CLK", "whether the clock source is reliable and read without a system call"},
    {"G-CORE", "what the measured cores were like: their clock, and how often they were alone"},
    {"G-DEBUG", "whether the program was built without optimization or with sanitizers"},
    {"G-DISK", "free space for results"},
    {"G-GOV", "the governor of the CPUs' frequency"},
    {"G-HUGE", "transparent huge pages"},
    {"G-IRQ", "interrupts on the CPUs used"},
    {"G-LIMIT", "resource limits that a campaign may exceed"},
    {"G-LOAD", "other work on the machine"},
    {"G-MEMORY",
     "events in which the kernel gives memory, on a virtual machine: what they cost changes within minutes"},
    {"G-MPI", "the MPI library, and the threads that it starts"},
    {"G-ONEPROC", "one process per point: effects of memory layout cannot be seen"},
    {"G-PERF", "who has the kernel count or trace, which makes every switch between threads slower"},
    {"G-QUOTA", "CPU quota of the control group, and throttling by it"},
    {"G-SET", "CPUs that this process may use"},
    {"G-SHARE", "members that share a core or a CPU with each other"},
    {"G-SMT", "hardware threads that share a core"},
    {"G-STEAL", "CPU time that the hypervisor gave to other guests"},
    {"G-SUSP", "the system was suspended during visits"},
    {"G-TAKEN", "interruptions of threads at work, by a hypervisor or other threads: how often, and how much time"},
    {"G-THERM", "thermal throttling"},
    {"G-TURBO", "frequencies above the nominal one, which depend on load and temperature"},
    {"G-VIRT", "a virtual machine or container, whose host may move CPUs and change their speed"},
    {"G-WAKE", "members that are woken from another CPU of a virtual machine, by its hypervisor"}};

constexpr Meaning sections[] = {
    {"campaign", "section [campaign]: title, limits and surroundings of the whole campaign"},
    {"precision", "section [precision]: when measuring of a point ends"},
    {"series", "section [series.NAME]: a measurement and its factors"},
    {"variant", "section [variant.NAME]: another environment, program or plugin"}};

constexpr std::size_t least_part = 3;  // letters of a name whose parts are looked for beside it

template <std::size_t n>
void add_all(std::vector<Topic>& topics, const char* kind, const Meaning (&meanings)[n]) {
  for (const Meaning& one : meanings) topics.push_back({kind, one.name, one.text});
}

// Of a quantity or factor that several measurements have: one topic, with all of them.
void add_parts(std::vector<Topic>& topics, const std::vector<Description>& measurements) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;
  for (const Description& one : measurements) {
    for (const Quantity& quantity : one.quantities)
      found[{"quantity", quantity.name}].push_back(one.name + ": " + quantity.summary);
    for (const Factor& factor : one.factors) found[{"factor", factor.name}].push_back(one.name + ": " + factor.summary);
  }
  for (const auto& [key, texts] : found)
    topics.push_back({key.first, key.second,
                      texts.front() + (texts.size() == 1 ? ""
                                                         : " (and " + std::to_string(texts.size() - 1) +
                                                               (texts.size() == 2 ? " other measurement)"
                                                                                  : " other measurements)"))});
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

}  // namespace

std::vector<Topic> all_topics(const std::vector<Description>& measurements) {
  std::vector<Topic> topics;
  for (const Description& one : measurements) topics.push_back({"measurement", one.name, one.summary});
  for (const std::string& rule : rule_names()) topics.push_back({"rule", rule, rule_help(rule).summary});
  add_all(topics, "section", sections);
  for (const OptionInfo& option : option_table())
    topics.push_back({"key of [" + option.section + "]", option.name,
                      option.help + (option.standard.empty() ? "" : "; default: " + option.standard)});
  add_parts(topics, measurements);
  for (const std::string& layout : layout_names()) topics.push_back({"layout", layout, find_layout(layout)->summary});
  add_all(topics, "verdict", verdicts);
  for (const char mark : all_marks) topics.push_back({"mark", std::string(1, mark), std::string(meaning_of(mark))});
  add_all(topics, "column", columns);
  add_all(topics, "heading", headings);
  add_all(topics, "word of trust", words_of_trust);
  add_all(topics, "change verdict", changes);
  add_all(topics, "regime", regimes);
  add_all(topics, "state", states);
  for (const std::string& code : all_codes()) topics.push_back({"code", code, std::string(meaning_of_code(code))});
  add_all(topics, "check", checks);
  return topics;
}

std::vector<Topic> topics_about(std::string_view name, const std::vector<Topic>& topics) {
  const std::string wanted = in_lower_case(name);
  std::vector<Topic> found;
  for (const Topic& topic : topics)
    if (in_lower_case(topic.name) == wanted) found.push_back(topic);
  // A letter or a code is part of too many.
  if (wanted.empty() || (!found.empty() && wanted.size() < least_part)) return found;
  for (const Topic& topic : topics) {
    const std::string other = in_lower_case(topic.name);
    if (other != wanted && other.find(wanted) != std::string::npos) found.push_back(topic);
  }
  return found;
}

}  // namespace assay
