// SPDX-License-Identifier: Apache-2.0
// Heat, caps and firmware, read from files made for the test.
#include "platform/machine/power.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

class Power : public test::FakeRoot {};

TEST_F(Power, HeatIsThatOfTheCpuThatItSlowedDownMostOften) {
  put("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
  put("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "1523\n");
  put("/sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "9999\n");
  EXPECT_EQ(heat_throttles({0, 1}, root()), "1523");
  EXPECT_THROW(heat_throttles({0, 7}, root()), PlatformError);
}

TEST_F(Power, CapsAreThoseOfPackagesInWatts) {
  put("/sys/class/powercap/intel-rapl:1/name", "package-1\n");
  put("/sys/class/powercap/intel-rapl:1/constraint_0_power_limit_uw", "120500000\n");
  put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
  put("/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw", "205000000\n");
  put("/sys/class/powercap/intel-rapl:0:0/name", "dram\n");
  put("/sys/class/powercap/intel-rapl:0:0/constraint_0_power_limit_uw", "1\n");
  EXPECT_EQ(power_caps(root()), "package-0 205, package-1 120.5");
}

TEST_F(Power, WhatIsNotThereIsSaid) {
  EXPECT_THROW(power_caps(root()), PlatformError);
  EXPECT_THROW(firmware_version(root()), PlatformError);
  put("/sys/class/dmi/id/bios_vendor", "Maker\n");
  put("/sys/class/dmi/id/bios_version", "2.19.1\n");
  EXPECT_EQ(firmware_version(root()), "Maker 2.19.1");
}

}  // namespace
}  // namespace assay
