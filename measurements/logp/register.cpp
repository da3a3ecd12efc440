// SPDX-License-Identifier: Apache-2.0
// Protocols times channels: each protocol is a measurement, each channel a level of its factor `channel`.
#include "groups.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "logp/channels.hpp"

namespace assay {
namespace {

using Entries = std::vector<ChannelEntry>;

std::shared_ptr<const Entries> all_channels() {
  Entries all = memory_channels();
  for (auto* const family :
       {kernel_channels, local_channels, loopback_channels, rpc_channels, signal_channels, lock_channels})
    std::ranges::move(family(), std::back_inserter(all));
  return std::make_shared<const Entries>(std::move(all));
}

Factor channel_factor(const Entries& entries) {
  Factor factor{
      .name = "channel",
      .standard = std::string(entries.front().name),
      .summary = "what carries the message; rpc-udp and rpc-tcp have the wire format of ONC RPC, and no portmapper"};
  for (const ChannelEntry& entry : entries) factor.words.push_back(entry.name);
  return factor;
}

bool names(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Refuses levels that would not be read: of factors of other channels, and of the protocol's own factors where the
/// channel has its own way to perform it.
void check_factors(const Setup& setup, const ChannelEntry& entry, const Cell& cell, const std::vector<Factor>& own) {
  const auto check = [&](const Factor& factor) {
    if (setup.value(factor.name) != factor.standard)
      throw Unsupported("factor '" + factor.name + "' does not apply to channel '" + entry.name + "'");
  };
  for (const Factor& factor : channel_factors())
    if (!names(entry.factors, factor.name)) check(factor);
  if (!cell.knows_factors)
    for (const Factor& factor : own)
      if (!names(entry.factors, factor.name)) check(factor);
}

void add_protocol(Registry& registry, Description description, std::size_t at,
                  const std::shared_ptr<const Entries>& shared) {
  const Entries& entries = *shared;
  const std::vector<Factor> own = description.factors;
  std::vector<Factor> factors{channel_factor(entries)};
  for (const auto& further : {channel_factors(), own}) factors.insert(factors.end(), further.begin(), further.end());
  description.factors = std::move(factors);
  description.selector = "channel";
  description.traits = entries.front().cells[at]().traits;
  for (const ChannelEntry& entry : entries) description.selected.emplace_back(entry.name, entry.cells[at]().traits);
  registry.add(std::move(description), [shared, at, own](Setup& setup) {
    const std::string channel = setup.word("channel");
    const auto entry = std::find_if(shared->begin(), shared->end(), [&](const auto& e) { return e.name == channel; });
    if (entry == shared->end()) throw Unsupported("there is no channel '" + channel + "'");
    const Cell cell = entry->cells[at]();
    if (cell.make == nullptr) throw Unsupported(cell.traits.why_not, cell.traits.code);
    check_factors(setup, *entry, cell, own);
    return cell.make(setup);
  });
}

}  // namespace

std::vector<Factor> channel_factors() {
  return {{.name = "bytes",
           .kind = FactorKind::quantitative,
           .unit = Unit::bytes,
           .standard = std::int64_t{1},
           .summary = "size of a message, where messages have sizes"},
          {.name = "heartbeat",
           .standard = std::string("off"),
           .words = {"off", "on"},
           .summary = "a polling receiver proves that it runs by a counter in its loop"},
          {.name = "pair",
           .standard = std::string("separate"),
           .words = {"separate", "shared"},
           .summary = "a pair of sockets for each direction, or one for both"},
          {.name = "nodelay",
           .standard = std::string("on"),
           .words = {"on", "off"},
           .summary = "off: TCP delays a small message while an earlier one is unacknowledged"}};
}

void register_logp(Registry& registry, std::string_view name) {
  std::shared_ptr<const Entries> channels;
  for (std::size_t i = 0; i < protocol_count; ++i) {
    Description description = describe(static_cast<Protocol>(i));
    description.core_cycles = core_cycles_of(static_cast<Protocol>(i));
    description.name = "logp/" + description.name;
    if (!name.empty() && name != description.name) continue;
    if (!channels) channels = all_channels();
    add_protocol(registry, std::move(description), i, channels);
  }
}

}  // namespace assay
