// SPDX-License-Identifier: Apache-2.0
// All protocols over one channel.
#pragma once
#include <utility>

#include "logp/blocked.hpp"
#include "logp/burst.hpp"
#include "logp/capacity.hpp"
#include "logp/channels.hpp"
#include "logp/issue.hpp"
#include "logp/one_way.hpp"
#include "logp/overheads.hpp"
#include "logp/round_trip.hpp"

namespace assay {
namespace entry_parts {

/// The cell of protocol P over channel C: its traits, with the code where the number has no meaning.
template <class P, class C>
Cell cell(Maker make) {
  constexpr Meaning meaning = P::meaning();
  Cell cell{P::over(C::traits()), make, true};
  cell.traits.code = meaning.code;
  cell.traits.why_not = meaning.reason;
  return cell;
}

template <template <class> class P, class C, class Twin>
Cell cell_of() {
  if constexpr (P<C>::meaning().exists())
    return cell<P<C>, C>(make_either<P<C>, P<Twin>>);
  else
    return cell<P<C>, C>(nullptr);
}

/// With the state of the receiver, chosen by factor `receiver`. One that polls has to prove it by its heartbeat.
template <class C, class Twin>
std::unique_ptr<Measurement> make_issue(Setup& setup) {
  if (setup.word("receiver") != "poll") return make_either<Issue<C, false>, Issue<Twin, false>>(setup);
  if constexpr (std::same_as<C, Twin>)
    throw Unsupported("a receiver of this channel cannot prove that it polls: the channel has no heartbeat");
  else
    return std::make_unique<Issue<Twin, true>>(setup);
}

template <class C, class Twin>
Cell issue_cell() {
  if constexpr (Issue<C, false>::meaning().exists())
    return cell<Issue<C, false>, C>(make_issue<C, Twin>);
  else
    return cell<Issue<C, false>, C>(nullptr);
}

}  // namespace entry_parts

/// The entry of a channel; `factors` are those of channel_factors() that apply to it. A polling channel can have a
/// twin that counts heartbeats, for factor `heartbeat`.
template <Channel C, Channel Twin = C>
ChannelEntry over_all_protocols(std::string name, std::vector<std::string> factors = {}) {
  using namespace entry_parts;
  return {std::move(name),
          std::move(factors),
          {cell_of<RoundTrip, C, Twin>, cell_of<Overheads, C, Twin>, issue_cell<C, Twin>, cell_of<Blocked, C, Twin>,
           cell_of<OneWay, C, Twin>, cell_of<Burst, C, Twin>, cell_of<Capacity, C, Twin>}};
}

}  // namespace assay
