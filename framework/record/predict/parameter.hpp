// SPDX-License-Identifier: Apache-2.0
// The numbers of a campaign that formulas are fed with.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/distances.hpp"
#include "record/grouping.hpp"

namespace assay::predict {

/// Factors with the text of a level each.
using NamedLevels = std::vector<std::pair<std::string, std::string>>;

/// Whether a point is at these levels; a factor that it does not have contradicts nothing.
bool is_at(const Point& point, const NamedLevels& levels);
/// The text of a level; empty where the point does not have the factor.
std::string level_text(const Point& point, const std::string& factor);
/// The number of a level; `otherwise` where there is none.
double level_number(const Point& point, const std::string& factor, double otherwise);

/// What a parameter has in common with the thing that is predicted from it.
enum class Shares : std::uint8_t {
  place,    ///< vehicle and placement
  vehicle,  ///< one member's own costs: the vehicle, wherever it ran
  point     ///< the point itself: another quantity of the same batches
};

/// A kind of parameter: what was measured under which name. `symbol` is its name in formulas.
struct ParameterKind {
  std::string symbol;
  std::string meaning;
  std::string measurement;
  std::string quantity;
  NamedLevels levels{};
  std::optional<Regime> regime{};  ///< the regime that it has to be of; else the one of most batches
  Shares shares = Shares::place;
};
/// All kinds, each once.
const std::vector<ParameterKind>& parameter_kinds();

/// The value of one unit of replication: an incarnation, or a session.
struct Replicate {
  int session = 0;
  int incarnation = 0;
  double value = 0;
};

/// One number with its uncertainty, and where it comes from.
struct Parameter {
  std::string symbol;
  Point point;  ///< that it was measured at; of derived values the group
  std::string quantity;
  Unit unit = Unit::nanoseconds;
  Estimate estimate;
  std::string marks{};       ///< of the result; '?' where it has no interval
  bool is_unsteady = false;  ///< it drifted or had two modes: no single number describes it
  std::string origin{};      ///< "series round-trip, channel=flag placement=same-l3"
  double distance = 0;       ///< ns, reference round trip of its members; 0: none was taken
  double moved_by = 0;       ///< ns, by which that changed while it was measured, since CPUs moved; 0: they did not
  /// What its values are of that other numbers have in common, with the values: the incarnations of one point, or the
  /// sessions of a campaign where there are three or more. Empty: it varies by itself.
  std::string varies_with{};
  std::vector<Replicate> replicates{};
  std::map<std::string, double> beside{};  ///< all quantities of its point, in their units
};

/// A result as a parameter; `campaign` distinguishes campaigns whose replicates have nothing in common.
Parameter parameter_of(std::string symbol, const PointRecord& point, const Result& result, const std::string& campaign);

/// A time that lasts as long in what is predicted as another quantity of the same batches: for how long a receiver has
/// slept when a message comes (settle), which in an exchange is what its own message took to be received (D).
struct Lasts {
  std::string factor{};  ///< empty: nothing of that kind
  std::string quantity{};
};

/// Every parameter that the campaign measured: results by the kinds above, then what the model of cache lines
/// (record/capability) derives from it.
std::vector<Parameter> gather(const std::vector<SeriesGroup>& groups, const std::string& campaign);

/// The one of this kind at these further levels that a setting has the kind's levels in common with: of several the one
/// whose members were nearest to `distance`, where that is known, and of several such ones the one at which `lasts`
/// holds best. Null where none was measured.
const Parameter* find(std::span<const Parameter> parameters, std::string_view symbol, const NamedLevels& levels,
                      const Point& setting, double distance, const Lasts& lasts = {});

/// The shortest form in which a point is known: levels that are usual are left out.
std::string short_point(const Point& point);

}  // namespace assay::predict
