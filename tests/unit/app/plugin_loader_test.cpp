// SPDX-License-Identifier: Apache-2.0
// Plugins that cannot be used, and why.
#include "app/plugin_loader.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace assay {
namespace {

std::string refusal(const std::string& path) {
  Registry registry;
  try {
    load_plugin(registry, path);
  } catch (const PluginError& error) {
    return error.what();
  }
  return "loaded";
}

TEST(PluginStampTest, OurOwnIsAccepted) { EXPECT_EQ(stamp_difference(plugin_stamp()), ""); }

TEST(PluginStampTest, SaysBothValuesOfEachDifference) {
  auto stamp = plugin_stamp();
  stamp.interface_version = 9;
  stamp.language = 201703;
  stamp.sizes[5] += 8;
  const auto value = std::to_string(sizeof(Value));
  const auto needed = std::to_string(plugin_stamp().interface_version);
  EXPECT_EQ(stamp_difference(stamp), "interface version 9, needed is " + needed +
                                         "; language version 201703, needed is 202002; size of "
                                         "Value " +
                                         std::to_string(sizeof(Value) + 8) + ", needed is " + value);
}

TEST(PluginStampTest, EveryFieldCounts) {
  for (std::size_t i = 0; i < 6; ++i) {
    auto stamp = plugin_stamp();
    --stamp.sizes[i];
    EXPECT_NE(stamp_difference(stamp), "") << i;
  }
  auto stamp = plugin_stamp();
  ++stamp.library_abi;
  EXPECT_TRUE(stamp_difference(stamp).starts_with("library ABI "));
}

TEST(PluginStampTest, OtherDataIsNoStamp) {
  auto stamp = plugin_stamp();
  stamp.magic[7] = 'X';
  stamp.interface_version = 9;
  EXPECT_EQ(stamp_difference(stamp), "its stamp does not begin with assay-pl");
}

TEST(PluginLoader, NeedsAFolderInThePath) { EXPECT_EQ(refusal("libm.so.6"), "'libm.so.6' has no folder in its path"); }

TEST(PluginLoader, SaysWhyNothingCanBeLoaded) {
  EXPECT_TRUE(refusal("/nowhere/x.so").starts_with("it cannot be loaded: /nowhere/x.so: "));
}

TEST(PluginLoader, RefusesOtherSharedObjects) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&std::exit), &info), 0);
  EXPECT_EQ(refusal(info.dli_fname), "it is not a plugin: it does not export assay_stamp");
}

}  // namespace
}  // namespace assay
