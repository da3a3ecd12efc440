// SPDX-License-Identifier: Apache-2.0
// Relations on synthetic machines, the cut to usable CPUs on this one, and machines from files.
#include "platform/topology/topology.hpp"

#include <gmock/gmock-matchers.h>
#include <sched.h>

#include <cstdlib>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/thread/guard.hpp"
#include "text/words.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(CpuRanges, JoinsNeighbours) {
  EXPECT_EQ(cpu_ranges({}), "none");
  EXPECT_EQ(cpu_ranges({3}), "3");
  EXPECT_EQ(cpu_ranges({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(cpu_ranges({0, 2, 3, 5, 7, 8}), "0,2-3,5,7-8");
}

TEST(Relation, FollowsTheNearestSharedObject) {
  const Topology machine = Topology::synthetic("pack:2 numa:2 l3:2 l2:2 core:2 pu:2");
  EXPECT_EQ(machine.relation(5, 5), "same-pu");
  EXPECT_EQ(machine.relation(0, 1), "smt");
  EXPECT_EQ(machine.relation(0, 2), "same-l2");
  EXPECT_EQ(machine.relation(0, 4), "same-l3");
  EXPECT_EQ(machine.relation(0, 8), "same-numa");
  EXPECT_EQ(machine.relation(0, 16), "same-package");
  EXPECT_EQ(machine.relation(0, 32), "cross-package");
  EXPECT_EQ(machine.relation(63, 31), "cross-package");
  EXPECT_EQ(machine.relation(33, 32), "smt");
}

TEST(Caches, AreThoseOfOneCpuFromNearToFar) {
  const auto caches = Topology::synthetic(
                          "pack:2 l3:1(size=33554432) l2:2(size=1048576) l1d:1(size=32768) "
                          "l1i:1(size=65536) core:1 pu:2")
                          .caches();
  ASSERT_EQ(caches.size(), 3U);
  EXPECT_EQ(caches[0].name, "L1");
  EXPECT_EQ(caches[0].bytes, 32768U);
  EXPECT_EQ(caches[1].name, "L2");
  EXPECT_EQ(caches[1].bytes, 1048576U);
  EXPECT_EQ(caches[2].name, "L3");
  EXPECT_EQ(caches[2].bytes, 33554432U);
  EXPECT_TRUE(Topology::synthetic("core:2 pu:1").caches().empty());
}

TEST(Relation, PrivateL2OfACoreIsSmt) {
  const Topology machine = Topology::synthetic("pack:1 l3:1 l2:2 core:1 pu:2");
  EXPECT_EQ(machine.relation(0, 1), "smt");
  EXPECT_EQ(machine.relation(1, 2), "same-l3");
}

TEST(Relation, MemoryNodeOfAWholePackageIsThePackage) {
  EXPECT_EQ(Topology::synthetic("pack:2 [numa] core:2 pu:1").relation(0, 1), "same-package");
  EXPECT_EQ(Topology::synthetic("[numa] pack:2 core:2 pu:1").relation(0, 2), "cross-package");
}

TEST(Relation, MachineWithoutPackagesCountsAsOne) {
  EXPECT_EQ(Topology::synthetic("core:2 pu:1").relation(0, 1), "same-package");
  EXPECT_EQ(Topology::synthetic("numa:2 core:2 pu:1").relation(0, 1), "same-numa");
}

TEST(Relation, OnlyUsableCpusHaveOne) {
  const Topology machine = Topology::synthetic("pack:1 core:2 pu:1");
  EXPECT_THROW(machine.relation(0, 2), std::out_of_range);
  EXPECT_THROW(machine.relation(-1, 0), std::out_of_range);
}

TEST(Relation, WordsGoFromNearToFar) {
  EXPECT_THAT(Topology::relations(),
              ElementsAre("same-pu", "smt", "same-l2", "same-l3", "same-numa", "same-package", "cross-package"));
}

TEST(Topology, UsableIsByIndexAndNearnessByTree) {
  // Interleaved numbering, as firmware often gives it: core 0 has CPUs 0 and 2.
  const Topology machine = Topology::synthetic("pack:1 core:2 pu:2(indexes=0,2,1,3)");
  EXPECT_THAT(machine.usable(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(machine.by_nearness(), ElementsAre(0, 2, 1, 3));
  EXPECT_EQ(machine.relation(0, 2), "smt");
  EXPECT_EQ(machine.relation(0, 1), "same-package");
}

TEST(Topology, SummaryCountsWhatThereIs) {
  EXPECT_EQ(Topology::synthetic("pack:1 l3:1 core:2 pu:1").summary(), "1 package, 1 L3, 2 cores, 2 PUs; 2 usable");
  EXPECT_EQ(Topology::synthetic("pack:2 numa:2 core:2 pu:2").summary(),
            "2 packages, 4 memory nodes, 8 cores, 16 PUs; 16 usable");
}

TEST(Topology, SyntheticMachineIsUnrestricted) {
  const Topology machine = Topology::synthetic("pack:2 l3:8 core:8 pu:2");
  EXPECT_EQ(machine.total(), 256);
  EXPECT_EQ(machine.usable().size(), 256U);
  EXPECT_EQ(machine.restriction(), "");
}

TEST(Topology, BadSyntheticTextIsAConfigError) {
  EXPECT_THROW(Topology::synthetic("socks:2 shoes:1"), ConfigError);
  EXPECT_THROW(Topology::synthetic(""), ConfigError);
}

TEST(Topology, MoreCpusThanAFixedSetHolds) {
  const Topology machine = Topology::synthetic("pack:8 core:512 pu:2");
  EXPECT_EQ(machine.usable().size(), 8192U);
  EXPECT_EQ(machine.relation(0, 8191), "cross-package");
}

TEST(Faults, F23_machines_of_8192_cpus_are_no_limit) {
  const Topology machine = Topology::synthetic("pack:32 core:128 pu:2");
  EXPECT_EQ(machine.usable().size(), 8192U);
  EXPECT_EQ(machine.usable().back(), 8191);
  EXPECT_EQ(machine.relation(0, 1), "smt");
  EXPECT_EQ(machine.relation(0, 8191), "cross-package");
}

TEST(Topology, XmlRoundTripKeepsRelations) {
  const test::Scratch scratch;
  const Topology machine = Topology::synthetic("pack:2 l3:2 core:2 pu:2");
  write_file(scratch / "machine.xml", machine.xml());
  const Topology again = Topology::from_xml(scratch / "machine.xml");
  EXPECT_EQ(again.summary(), machine.summary());
  for (const int a : machine.usable())
    for (const int b : machine.usable()) EXPECT_EQ(again.relation(a, b), machine.relation(a, b)) << a << " " << b;
}

TEST(Topology, XmlNamesNoPieceOfHardware) {
  const test::Scratch scratch;
  std::string xml = Topology::synthetic("pack:1 core:2 pu:1").xml();
  const std::string secret =
      "<info name=\"DMIProductSerial\" value=\"S3CRET\"/>\n<info name=\"DMIProductUUID\" value=\"S3CRET\"/>\n"
      "<info name=\"DMIChassisAssetTag\" value=\"S3CRET\"/>\n<info name=\"DMIProductName\" value=\"Rack 7\"/>\n";
  xml.insert(xml.find("<info"), secret);
  write_file(scratch / "machine.xml", xml);
  const std::string again = Topology::from_xml(scratch / "machine.xml").xml();
  EXPECT_THAT(again, Not(HasSubstr("S3CRET")));
  EXPECT_THAT(again, HasSubstr("Rack 7"));
  EXPECT_THAT(again, HasSubstr("</topology>"));
}

TEST(Topology, XmlThatCannotBeReadIsAConfigError) {
  const test::Scratch scratch;
  EXPECT_THROW(Topology::from_xml(scratch / "missing.xml"), ConfigError);
  write_file(scratch / "text.xml", "not a machine");
  EXPECT_THROW(Topology::from_xml(scratch / "text.xml"), ConfigError);
  const std::string xml = Topology::synthetic("pack:1 core:2 pu:1").xml();
  write_file(scratch / "torn.xml", xml.substr(0, xml.size() / 2));
  EXPECT_THROW(Topology::from_xml(scratch / "torn.xml"), ConfigError);
}

TEST(Topology, DisallowedCpusOfAFileAreNotUsable) {
  const test::Scratch scratch;
  std::string xml = Topology::synthetic("pack:1 core:4 pu:1").xml();
  const std::string all = "allowed_cpuset=\"0x0000000f\"";
  ASSERT_NE(xml.find(all), std::string::npos);
  xml.replace(xml.find(all), all.size(), "allowed_cpuset=\"0x00000006\"");
  write_file(scratch / "machine.xml", xml);
  const Topology machine = Topology::from_xml(scratch / "machine.xml");
  EXPECT_THAT(machine.usable(), ElementsAre(1, 2));
  EXPECT_EQ(machine.total(), 4);
  EXPECT_EQ(machine.restriction(), "2 of 4 CPUs usable: the control group leaves out 2");
}

TEST(ThisMachine, OffersWhatTheThreadMayUse) {
  const Topology machine = Topology::this_machine();
  ASSERT_FALSE(machine.usable().empty());
  EXPECT_EQ(machine.usable(), binding_of_self());
  EXPECT_GE(machine.total(), static_cast<int>(machine.usable().size()));
  EXPECT_THAT(machine.xml(), HasSubstr("<topology"));
}

TEST(ThisMachine, DiscoveryLeavesTheBindingAlone) {
  const auto before = binding_of_self();
  Topology::this_machine();
  EXPECT_EQ(binding_of_self(), before);
}

TEST(ThisMachine, IsCutToTheInheritedMask) {
  const int last = Topology::this_machine().usable().back();
  const int total = Topology::this_machine().total();
  EXPECT_EQ(test::exit_of_child([&] {
              bind_self({last});
              const Topology cut = Topology::this_machine();
              if (cut.usable() != std::vector<int>{last}) return 1;
              if (cut.total() != total) return 2;
              const bool said = cut.restriction().find("inherited affinity mask") != std::string::npos;
              return total == 1 || said ? 0 : 3;
            }),
            0);
}

TEST(ThisMachine, AnotherOneInItsPlaceIsRefused) {
  EXPECT_EQ(test::exit_of_child([] {
              ::setenv("HWLOC_SYNTHETIC", "pack:2 core:64 pu:2", 1);
              try {
                Topology::this_machine();
              } catch (const PlatformError&) {
                return 0;
              }
              return 1;
            }),
            0);
}

}  // namespace
}  // namespace assay
