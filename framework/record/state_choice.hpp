// SPDX-License-Identifier: Apache-2.0
// Results in another state of the cores than the one that was answered for.
#pragma once
#include <vector>

#include "record/record.hpp"

namespace assay {

/// The point with what it was in that state in the place of its results: nothing, with the reason, where it was not
/// visited often enough in it. As found is what all batches say together; where they were in one state it is that one.
PointRecord in_state(PointRecord point, WantedState state);
/// The point with what it was in a state like this one: nothing where it was not visited often enough in it.
PointRecord in_state(PointRecord point, const CoreState& state);
/// The same of all points among the records.
void choose_state(std::vector<Record>& records, WantedState state);
/// Leaves points nothing but what they are answered with.
void drop_other_states(std::vector<Record>& records);

/// What is a row of an export: the results that the point is answered with, then those in other states, which are shown
/// apart by the state alone. What all states say together is none: it would stand beside its own parts. Valid as long
/// as the point.
std::vector<const Result*> rows_by_state(const PointRecord& point);

}  // namespace assay
