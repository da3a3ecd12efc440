// SPDX-License-Identifier: Apache-2.0
// Every built-in measurement is described completely enough to be planned, listed and explained.
#include "catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace assay {
namespace {

const Registry& all() {
  static const Registry registry = [] {
    Registry filled;
    register_all(filled);
    return filled;
  }();
  return registry;
}

TEST(Catalog, NamesAreGroupAndWhat) {
  for (const Entry& entry : all().entries()) {
    EXPECT_EQ(std::count(entry.description.name.begin(), entry.description.name.end(), '/'), 1)
        << entry.description.name;
  }
}

TEST(Catalog, OneMeasurementIsHadWithoutAllOthers) {
  for (const Entry& entry : all().entries()) {
    const std::string& name = entry.description.name;
    Registry some;
    register_all(some, name);
    EXPECT_NE(some.find(name), nullptr) << name;
    EXPECT_LT(some.entries().size(), all().entries().size() / 2) << name;
    const bool is_alone = some.entries().size() == 1;
    EXPECT_TRUE(is_alone || !name.starts_with("logp/")) << name;
  }
}

TEST(Catalog, EveryDescriptionIsComplete) {
  for (const Entry& entry : all().entries()) {
    const Description& d = entry.description;
    SCOPED_TRACE(d.name);
    EXPECT_FALSE(d.summary.empty());
    ASSERT_FALSE(d.quantities.empty());
    EXPECT_LE(d.quantities.size(), max_quantities);
    for (const Quantity& quantity : d.quantities) {
      EXPECT_FALSE(quantity.summary.empty()) << quantity.name;
      EXPECT_TRUE(quantity.combine != Combine::only || quantity.claimant < d.members.most) << quantity.name;
    }
    for (const Factor& factor : d.factors) EXPECT_FALSE(factor.summary.empty()) << factor.name;
  }
}

// As doc/method.md lists them: memory, devices, timers and other machines keep their own pace.
TEST(Catalog, CyclesAreOfWhatFollowsTheClockOfItsCores) {
  const std::set<std::string> by_itself{
      "os/clock",           "os/core_frequency", "os/own_variable", "os/protection_fault",    "os/ready",
      "os/signal_handle",   "os/signal_install", "os/system_call",  "os/token_ring_overhead", "sync/condition_signal",
      "sync/empty",         "sync/futex_pi",     "sync/lock",       "sync/lock_ring_alone",   "sync/poll",
      "thread/yield_alone", "vm/protect"};
  const std::set<std::string> on_one_cpu{"logp/issue",          "logp/one_way",       "logp/overheads",
                                         "logp/round_trip",     "os/token_ring",      "sync/handover",
                                         "sync/notify_bucket",  "sync/wakeup",        "thread/create",
                                         "thread/create_chain", "thread/create_join", "thread/yield"};
  for (const Entry& entry : all().entries()) {
    const std::string& name = entry.description.name;
    const CoreCycles expected = by_itself.contains(name)    ? CoreCycles::always
                                : on_one_cpu.contains(name) ? CoreCycles::on_one_cpu
                                                            : CoreCycles::never;
    EXPECT_EQ(entry.description.core_cycles, expected) << name;
    if (expected == CoreCycles::always) {
      EXPECT_EQ(entry.description.members.most, 1) << name;
    }
  }
}

TEST(Catalog, StandardLevelsArePermitted) {
  for (const Entry& entry : all().entries())
    for (const Factor& factor : entry.description.factors) {
      SCOPED_TRACE(entry.description.name + " " + factor.name);
      if (factor.kind == FactorKind::quantitative) {
        EXPECT_TRUE(number_of(factor.standard).has_value());
      } else if (!factor.words.empty()) {
        const std::set<std::string> words(factor.words.begin(), factor.words.end());
        EXPECT_TRUE(words.contains(std::get<std::string>(factor.standard)));
      }
    }
}

TEST(Catalog, SelectorsNameAFactorAndCoverItsLevels) {
  for (const Entry& entry : all().entries()) {
    const Description& d = entry.description;
    if (d.selector.empty()) continue;
    SCOPED_TRACE(d.name);
    if (d.selector == "start") {  // a factor of every team of ranks; the general traits hold at its other levels
      for (const auto& [level, traits] : d.selected) EXPECT_EQ(level, "window");
      continue;
    }
    const auto factor =
        std::find_if(d.factors.begin(), d.factors.end(), [&](const Factor& f) { return f.name == d.selector; });
    ASSERT_NE(factor, d.factors.end());
    if (factor->kind == FactorKind::quantitative) continue;  // the general traits hold at all other numbers
    ASSERT_EQ(factor->words.size(), d.selected.size());
    for (std::size_t i = 0; i < d.selected.size(); ++i) EXPECT_EQ(d.selected[i].first, factor->words[i]);
  }
}

TEST(Catalog, OneMeasurementDeclaresThreeQuantitiesWithDifferentClaimants) {
  const Entry* entry = all().find("synthetic/claims");
  ASSERT_NE(entry, nullptr);
  ASSERT_EQ(entry->description.quantities.size(), 3U);
  EXPECT_EQ(entry->description.quantities[0].claimant, 0);
  EXPECT_EQ(entry->description.quantities[1].claimant, 1);
  EXPECT_EQ(entry->description.quantities[2].combine, Combine::sum);
}

}  // namespace
}  // namespace assay
