// SPDX-License-Identifier: Apache-2.0
// States of a cache line, and how members bring a line into each of them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// In which state the caches have a line when it is accessed.
enum class LineState : std::uint8_t {
  modified,   ///< one member has written it, and none has read it since
  exclusive,  ///< it is as in memory, and one member has read it
  shared,     ///< it is as in memory, and several have read it
  owned,      ///< one has written it, and others have read it since: memory is out of date
  invalid     ///< no cache has it
};
/// Their words, in the order of the values.
inline std::vector<std::string> line_states() { return {"modified", "exclusive", "shared", "owned", "invalid"}; }

/// Who has it. Member 0 is the one whose access is timed.
enum class LineHolder : std::uint8_t {
  other,  ///< member 1, and those from 2 on where several have it; member 0 has not
  self,   ///< member 0 before all others
  both    ///< member 1, and those from 2 on, and member 0 after them
};
inline std::vector<std::string> line_holders() { return {"other", "self", "both"}; }

/// The state and the holder of a word. Throw std::invalid_argument for words that are none.
LineState line_state(std::string_view word);
LineHolder line_holder(std::string_view word);

/// One step of a preparation: what members from `first` to `last` do to every line, at once. It ends when their stores
/// and flushes have taken effect, and the next one begins after that.
struct LineStep {
  enum class Act : std::uint8_t { write, flush, read };
  Act act = Act::write;
  int first = 0;
  int last = 0;

  bool is_by(int rank) const { return first <= rank && rank <= last; }
};

/// What a point asks for.
struct LineCase {
  LineState state = LineState::modified;
  LineHolder holder = LineHolder::other;
  int members = 2;

  /// The member that writes, and that has the line first.
  int writer() const { return holder == LineHolder::self ? 0 : 1; }
};

/// Why the members cannot bring a line into this state; empty when they can.
std::string line_objection(const LineCase& wanted);

/// The steps, in order, from whatever state the lines are in. Of a case without objection.
std::vector<LineStep> line_recipe(const LineCase& wanted);

/// In which state each member's cache then has the line, as the recipe implies in a protocol with the states of MOESI
/// (Sweazey and Smith, 1986): `shared` for each of several that have it, but `owned` for the writer of a line that
/// differs from memory. Of a protocol without `owned` the writer has it shared; of one that marks who answers for
/// sharers (forward, in MESIF), the last reader is marked.
std::vector<LineState> line_states_of(const LineCase& wanted);

/// Whether a state is reached through memory: its recipe needs an instruction that empties caches of a line.
bool needs_flush(LineState state);

/// Whether the processor keeps a line that was written and then read by others without writing it back: known of AMD
/// and Hygon by the text of /proc/cpuinfo.
bool has_owned_state(const std::string& cpuinfo);

}  // namespace assay
