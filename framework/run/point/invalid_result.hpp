// SPDX-License-Identifier: Apache-2.0
// Claims that no machine can be blamed for.
#pragma once
#include <string>

#include "api/description.hpp"
#include "run/host.hpp"

namespace assay {

/// What a visit's members claimed that is no result, and which member it was: a value that is not finite or a time
/// beyond 30 years, a quantity that is not declared; or, in every kept batch, a negative value of a quantity that has
/// no sign (a single one may be the clock's doing: the guards judge it). Empty when there is nothing of the kind.
std::string invalid_result(const VisitYield& yield, const Description& description);

}  // namespace assay
