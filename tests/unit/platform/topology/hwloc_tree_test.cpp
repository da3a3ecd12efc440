// SPDX-License-Identifier: Apache-2.0
// The labelled tree of a machine as hwloc describes it: levels, kinds, memory, cuts.
#include <gmock/gmock-matchers.h>

#include "platform/file/append_file.hpp"
#include "platform/placement/placement_classes.hpp"
#include "platform/topology/topology.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::ElementsAre;

void replace_once(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

/// A synthetic machine whose XML was changed.
Topology changed(const std::string& machine, const std::function<void(std::string&)>& change) {
  const test::Scratch scratch;
  std::string xml = Topology::synthetic(machine).xml();
  change(xml);
  write_file(scratch / "machine.xml", xml);
  return Topology::from_xml(scratch / "machine.xml");
}

/// Twelve clusters of four cores with two CPUs: of the first eight one core is left, of the others one CPU a core.
Topology hybrid() {
  return changed("pack:1 l3:1 l2:12 core:4 pu:2", [](std::string& xml) {
    const std::string all = "0xffffffff,0xffffffff,0xffffffff";
    replace_once(xml, "allowed_cpuset=\"" + all, "allowed_cpuset=\"0x55555555,0x03030303,0x03030303");
    replace_once(xml, "</topology>",
                 "<cpukind cpuset=\"0xffffffff,0xffffffff\" forced_efficiency=\"1\">"
                 "<info name=\"CoreType\" value=\"IntelCore\"/></cpukind>"
                 "<cpukind cpuset=\"0xffffffff,0x0,0x0\" forced_efficiency=\"0\">"
                 "<info name=\"CoreType\" value=\"IntelAtom\"/></cpukind></topology>");
  });
}

std::size_t count(const Topology& machine, int members, const std::string& roles) {
  return PlacementClasses(machine.tree(), {.roles = parse_roles(roles, members)}).all().size();
}

std::vector<std::string> names(const Topology& machine, int members, bool memory = false) {
  const PlacementClasses found(machine.tree(), {.roles = parse_roles("ordered", members), .memory = memory});
  std::vector<std::string> names;
  for (const PlacementClass& one : found.all()) names.push_back(one.name);
  return names;
}

TEST(MachineTree, HybridMachineHasItsKindsAndItsKnownCounts) {
  const Topology machine = hybrid();
  EXPECT_EQ(machine.usable().size(), 32U);
  EXPECT_THAT(names(machine, 1), ElementsAre("bound:IntelCore", "bound:IntelAtom"));
  EXPECT_EQ(count(machine, 2, "ordered"), 8U);
  EXPECT_EQ(count(machine, 3, "main+equal"), 29U);
  EXPECT_EQ(count(machine, 4, "equal"), 45U);
}

TEST(MachineTree, RestrictedMachineHasItsKnownCounts) {
  const Topology machine = changed("pack:1 l3:8 core:8 pu:2", [](std::string& xml) {
    const std::string all = "0xffffffff,0xffffffff,0xffffffff,0xffffffff";
    replace_once(xml, "allowed_cpuset=\"" + all, "allowed_cpuset=\"0x0,0x003fffff,0xffffffff,0xffffffff");
  });
  EXPECT_EQ(machine.usable().size(), 86U);
  EXPECT_EQ(count(machine, 2, "ordered"), 9U);
  EXPECT_EQ(count(machine, 4, "ordered"), 387U);
}

TEST(MachineTree, KindsWithoutNamesAreNumbered) {
  const Topology machine = changed("pack:1 core:4 pu:1", [](std::string& xml) {
    replace_once(xml, "</topology>",
                 "<cpukind cpuset=\"0x3\" forced_efficiency=\"0\"/><cpukind cpuset=\"0xc\" forced_efficiency=\"1\"/>"
                 "</topology>");
  });
  EXPECT_THAT(names(machine, 1), ElementsAre("bound:kind0", "bound:kind1"));
}

TEST(MachineTree, OneKindIsNoDifference) {
  const Topology machine = changed("pack:1 core:4 pu:1", [](std::string& xml) {
    replace_once(xml, "</topology>", "<cpukind cpuset=\"0xf\" forced_efficiency=\"0\"/></topology>");
  });
  EXPECT_THAT(names(machine, 2), ElementsAre("same-pu", "same-package"));
}

TEST(MachineTree, CachesOfDifferentSizesAreDifferent) {
  EXPECT_EQ(count(Topology::synthetic("pack:1 l3:2(size=1000) core:2 pu:1"), 1, "equal"), 1U);
  const Topology machine = changed("pack:1 l3:2(size=1000) core:2 pu:1",
                                   [](std::string& xml) { replace_once(xml, "\"1000\"", "\"4000\""); });
  EXPECT_THAT(names(machine, 1), ElementsAre("bound", "bound~2"));
}

TEST(MachineTree, MemoryNodesStandBesideWhatTheyAreLocalTo) {
  const MachineTree tree = Topology::synthetic("pack:2 group:2 [numa] core:2 pu:1").tree();
  const TreePaths paths(tree);
  EXPECT_EQ(paths.memories().size(), 4U);
  EXPECT_EQ(paths.local_memory(0), paths.local_memory(1));
  EXPECT_NE(paths.local_memory(0), paths.local_memory(2));
  EXPECT_THAT(names(Topology::synthetic("pack:2 [numa] core:1 pu:1"), 1, true),
              ElementsAre("bound@memory=local", "bound@memory=cross-package"));
}

TEST(MachineTree, RelationsAreThoseOfTheTopology) {
  for (const char* text : {"pack:2 numa:2 l3:2 l2:2 core:2 pu:2", "pack:1 l3:1 l2:2 core:1 pu:2", "numa:2 core:2 pu:1",
                           "[numa] pack:2 core:2 pu:1", "pack:1 l3:2 numa:2 core:2 pu:1", "core:3 pu:1"}) {
    const Topology machine = Topology::synthetic(text);
    const MachineTree tree = machine.tree();
    const TreePaths paths(tree);
    for (const int a : machine.usable())
      for (const int b : machine.usable())
        EXPECT_EQ(Topology::relations()[paths.relation(a, b)], machine.relation(a, b)) << text << a << " " << b;
  }
}

TEST(MachineTree, DistancesComeWithTheMemoryNodes) {
  const Topology machine = changed("pack:4 [numa] core:1 pu:1", [](std::string& xml) {
    replace_once(xml, "</topology>",
                 "<distances2 type=\"NUMANode\" nbobjs=\"4\" kind=\"5\" name=\"NUMALatency\" indexing=\"os\">"
                 "<indexes length=\"8\">0 1 2 3 </indexes><u64values length=\"48\">10 20 30 20 20 10 20 30 30 20 10 20 "
                 "20 30 20 10 "
                 "</u64values></distances2></topology>");
  });
  EXPECT_THAT(names(machine, 2), ElementsAre("same-pu", "cross-package~d20", "cross-package~d30"));
}

TEST(MachineTree, ThisMachineHasItsUsableCpus) {
  const Topology machine = Topology::this_machine();
  const MachineTree tree = machine.tree();
  auto cpus = TreePaths(tree).cpus();
  EXPECT_EQ(cpus, machine.by_nearness());
}

}  // namespace
}  // namespace assay
