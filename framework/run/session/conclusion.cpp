// SPDX-License-Identifier: Apache-2.0
// Derived values and notes, series by series; then what the layout derives over them.
#include "run/session/conclusion.hpp"

#include "record/layout/layouts.hpp"

namespace assay {

void write_conclusions(const std::vector<SeriesRun>& series, const SessionOrder& order, const Surroundings& world) {
  const auto layout = usable_layout(order.plan.layout);
  const bool derives = layout && layout->derive;
  std::vector<SeriesGroup> groups;
  for (const SeriesRun& one : series) {
    const auto derived = one.derived();
    for (const DerivedRecord& record : derived) world.sink.write(record);
    // Of what is measured in launches, rank 0 tells.
    const bool is_told = world.launches != nullptr && is_launched(one.plan());
    for (const NoteRecord& note : is_told ? std::vector<NoteRecord>() : one.notes(world.usable_cpus))
      if (!order.earlier.has_note(note.text)) world.sink.write(note);
    if (derives) groups.push_back(one.group(derived));
  }
  if (!derives) return;
  for (const DerivedRecord& record : layout->derive(groups)) world.sink.write(record);
}

}  // namespace assay
