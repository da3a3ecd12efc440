// SPDX-License-Identifier: Apache-2.0
// Recipes of states, and what they lead to.
#include "line/state.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay {

namespace {

using enum LineState;
using enum LineHolder;
using Act = LineStep::Act;

template <class Enum>
Enum of_word(const std::vector<std::string>& words, std::string_view word, const char* what) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) throw std::invalid_argument(std::string(what) + " '" + std::string(word) + "' is none");
  return static_cast<Enum>(found - words.begin());
}

bool is_of_several(LineState state) { return state == shared || state == owned; }

// Those that read after the writer has the line, in the order in which they read.
std::vector<LineStep> later_reads(const LineCase& wanted) {
  std::vector<LineStep> steps;
  const int first = wanted.holder == self ? 1 : 2;
  if (first < wanted.members) steps.push_back({Act::read, first, wanted.members - 1});
  if (wanted.holder == both) steps.push_back({Act::read, 0, 0});
  return steps;
}

}  // namespace

LineState line_state(std::string_view word) { return of_word<LineState>(line_states(), word, "state of a line"); }
LineHolder line_holder(std::string_view word) { return of_word<LineHolder>(line_holders(), word, "holder of a line"); }

std::string line_objection(const LineCase& wanted) {
  if (wanted.holder != self && wanted.members < 2)
    return "a line that another member has needs two members; choose members = 2, or holder = self";
  if (!is_of_several(wanted.state) && wanted.holder == both)
    return "only one member has a line that is modified, exclusive or invalid; choose holder = other or self";
  if (is_of_several(wanted.state) && later_reads(wanted).empty())
    return "a line that several have, and none of them is the one that accesses it, needs three members; choose "
           "members = 3, or holder = self or both";
  return {};
}

std::vector<LineStep> line_recipe(const LineCase& wanted) {
  const int writer = wanted.writer();
  std::vector<LineStep> steps{{Act::write, writer, writer}};
  if (needs_flush(wanted.state)) steps.push_back({Act::flush, writer, writer});
  if (wanted.state == exclusive || wanted.state == shared) steps.push_back({Act::read, writer, writer});
  if (!is_of_several(wanted.state)) return steps;
  for (const LineStep& step : later_reads(wanted)) steps.push_back(step);
  return steps;
}

std::vector<LineState> line_states_of(const LineCase& wanted) {
  std::vector<LineState> states(static_cast<std::size_t>(wanted.members), invalid);
  if (is_of_several(wanted.state))
    for (const LineStep& step : later_reads(wanted))
      for (int rank = step.first; rank <= step.last; ++rank) states[static_cast<std::size_t>(rank)] = shared;
  if (wanted.state != invalid) states[static_cast<std::size_t>(wanted.writer())] = wanted.state;
  return states;
}

bool needs_flush(LineState state) { return state != modified && state != owned; }

bool has_owned_state(const std::string& cpuinfo) {
  return cpuinfo.find("AuthenticAMD") != std::string::npos || cpuinfo.find("HygonGenuine") != std::string::npos;
}

}  // namespace assay
