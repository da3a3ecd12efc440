// SPDX-License-Identifier: Apache-2.0
// The machine's CPUs and how they are related, read by hwloc.
#include "platform/topology/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <stdexcept>

#include "base/error.hpp"
#include "platform/thread/guard.hpp"
#include "platform/topology/hwloc_tree.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

/// The objects that a CPU belongs to, from near to far: core, L2, L3, memory node, package. nullptr where the machine
/// does not show one.
using Objects = std::array<const hwloc_obj*, 5>;

struct Cpu {
  int index = 0;
  unsigned position = 0;  ///< in the order of the hardware tree
  Objects objects{};
};

/// Owns an hwloc topology.
class Handle {
 public:
  Handle() {
    if (hwloc_topology_init(&topology_) != 0) throw PlatformError("hwloc_topology_init", errno);
    // Disallowed CPUs are kept so that they can be counted. Discovery must not move the calling thread.
    unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020500
    flags |= HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
#endif
    hwloc_topology_set_flags(topology_, flags);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { hwloc_topology_destroy(topology_); }
  hwloc_topology_t value() const { return topology_; }

 private:
  hwloc_topology_t topology_ = nullptr;
};

const hwloc_obj* ancestor(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu) {
  return hwloc_get_ancestor_obj_by_type(topology, type, pu);
}

/// The nearest object below the package that has memory of its own.
const hwloc_obj* memory_part(const hwloc_obj* pu) {
  for (const hwloc_obj* object = pu->parent; object != nullptr; object = object->parent) {
    if (object->type == HWLOC_OBJ_PACKAGE || object->type == HWLOC_OBJ_MACHINE) return nullptr;
    if (object->memory_arity > 0) return object;
  }
  return nullptr;
}

const hwloc_obj* package_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE) == 0) return hwloc_get_root_obj(topology);
  return ancestor(topology, HWLOC_OBJ_PACKAGE, pu);
}

Cpu described(hwloc_topology_t topology, hwloc_obj_t pu) {
  return {static_cast<int>(pu->os_index), pu->logical_index,
          Objects{ancestor(topology, HWLOC_OBJ_CORE, pu), ancestor(topology, HWLOC_OBJ_L2CACHE, pu),
                  ancestor(topology, HWLOC_OBJ_L3CACHE, pu), memory_part(pu), package_of(topology, pu)}};
}

/// The allowed CPUs, by index.
std::vector<Cpu> allowed_cpus(hwloc_topology_t topology) {
  std::vector<Cpu> cpus;
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology);
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr;)
    if (hwloc_bitmap_isset(allowed, pu->os_index) != 0) cpus.push_back(described(topology, pu));
  std::sort(cpus.begin(), cpus.end(), [](const Cpu& a, const Cpu& b) { return a.index < b.index; });
  return cpus;
}

std::vector<int> indexes(const std::vector<Cpu>& cpus) {
  std::vector<int> list;
  for (const Cpu& cpu : cpus) list.push_back(cpu.index);
  return list;
}

int count_of(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return std::max(0, hwloc_get_nbobjs_by_type(topology, type));
}

/// Leaves the CPUs that the calling thread may run on.
std::vector<Cpu> permitted(std::vector<Cpu> cpus) {
  const std::vector<int> mask = binding_of_self();
  std::erase_if(cpus, [&](const Cpu& cpu) { return !std::binary_search(mask.begin(), mask.end(), cpu.index); });
  return cpus;
}

std::string left_out(int count, const char* by_whom) {
  return count == 0 ? std::string() : std::string(by_whom) + " leaves out " + std::to_string(count);
}

std::string restriction_text(int total, int allowed, int usable) {
  if (usable == total) return {};
  const std::string group = left_out(total - allowed, "the control group");
  const std::string mask = left_out(allowed - usable, "the inherited affinity mask");
  return std::to_string(usable) + " of " + std::to_string(total) + " CPUs usable: " + group +
         (group.empty() || mask.empty() ? "" : ", ") + mask;
}

ConfigError bad_machine(const std::string& what, const std::string& why, const std::string& remedy) {
  Problem problem;
  problem.what = what;
  problem.why = why;
  problem.remedy = remedy;
  return ConfigError(std::move(problem));
}

std::string counted(int count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// A result is shown to others: what identifies one piece of hardware stays out.
bool identifies_hardware(std::string_view line) {
  if (line.find("<info name=\"DMI") == std::string_view::npos) return false;
  return line.find("Serial\"") != std::string_view::npos || line.find("UUID\"") != std::string_view::npos ||
         line.find("AssetTag\"") != std::string_view::npos;
}

std::string without_identities(std::string_view xml) {
  std::string kept;
  while (!xml.empty()) {
    const std::string_view line = xml.substr(0, xml.find('\n') + 1);
    const std::string_view taken = line.empty() ? xml : line;
    if (!identifies_hardware(taken)) kept += taken;
    xml.remove_prefix(taken.size());
  }
  return kept;
}

}  // namespace

struct Topology::Machine {
  /// Takes the CPUs that may be used; `allowed` is their number before the affinity mask.
  Machine(std::unique_ptr<const Handle> loaded, std::vector<Cpu> list, int allowed)
      : handle(std::move(loaded)), cpus(std::move(list)), usable(indexes(cpus)), by_nearness(usable) {
    const auto position = [this](int cpu) { return find(cpu).position; };
    std::sort(by_nearness.begin(), by_nearness.end(), [&](int a, int b) { return position(a) < position(b); });
    restriction = restriction_text(count(HWLOC_OBJ_PU), allowed, static_cast<int>(usable.size()));
  }

  const Cpu& find(int index) const {
    const auto cpu = std::lower_bound(usable.begin(), usable.end(), index);
    if (cpu == usable.end() || *cpu != index)
      throw std::out_of_range("CPU " + std::to_string(index) + " is not usable; usable are " + cpu_ranges(usable));
    return cpus[static_cast<std::size_t>(cpu - usable.begin())];
  }
  int count(hwloc_obj_type_t type) const { return count_of(handle->value(), type); }

  std::unique_ptr<const Handle> handle;
  std::vector<Cpu> cpus;
  std::vector<int> usable;
  std::vector<int> by_nearness;
  std::string restriction;
};

Topology Topology::this_machine() {
  auto handle = std::make_unique<Handle>();
  const hwloc_topology_t topology = handle->value();
  if (hwloc_topology_load(topology) != 0) throw PlatformError("hwloc_topology_load", errno);
  if (hwloc_topology_is_thissystem(topology) == 0)
    throw PlatformError("hwloc describes another machine than this one (HWLOC_XMLFILE or HWLOC_SYNTHETIC is set)", 0);
  const std::vector<Cpu> allowed = allowed_cpus(topology);
  std::vector<Cpu> cpus = permitted(allowed);
  if (cpus.empty()) throw PlatformError("no CPU is both allowed and in the inherited affinity mask", 0);
  return Topology(
      std::make_shared<const Machine>(std::move(handle), std::move(cpus), static_cast<int>(allowed.size())));
}

Topology Topology::synthetic(const std::string& description) {
  auto handle = std::make_unique<Handle>();
  const hwloc_topology_t topology = handle->value();
  if (hwloc_topology_set_synthetic(topology, description.c_str()) != 0 || hwloc_topology_load(topology) != 0)
    throw bad_machine("synthetic machine '" + description + "' cannot be read", "hwloc refuses it",
                      "write levels from the package down to the CPUs, such as \"pack:2 l3:8 core:8 pu:2\"");
  std::vector<Cpu> cpus = allowed_cpus(topology);
  const int allowed = static_cast<int>(cpus.size());
  return Topology(std::make_shared<const Machine>(std::move(handle), std::move(cpus), allowed));
}

Topology Topology::from_xml(const std::string& file) {
  auto handle = std::make_unique<Handle>();
  const hwloc_topology_t topology = handle->value();
  // Setting a file can succeed where loading it fails, and a topology that is not loaded must not be used.
  if (hwloc_topology_set_xml(topology, file.c_str()) != 0 || hwloc_topology_load(topology) != 0)
    throw bad_machine("machine file '" + file + "' cannot be read", "it is missing or not a topology that hwloc knows",
                      "write one with 'lstopo --of xml FILE'");
  std::vector<Cpu> cpus = allowed_cpus(topology);
  if (cpus.empty()) throw bad_machine("machine file '" + file + "' allows no CPU", "", "name another file");
  const int allowed = static_cast<int>(cpus.size());
  return Topology(std::make_shared<const Machine>(std::move(handle), std::move(cpus), allowed));
}

const std::vector<int>& Topology::usable() const { return machine_->usable; }
const std::vector<int>& Topology::by_nearness() const { return machine_->by_nearness; }
const std::string& Topology::restriction() const { return machine_->restriction; }
std::string Topology::usable_text() const {
  return "usable are " + cpu_ranges(usable()) + (restriction().empty() ? "" : " (" + restriction() + ")");
}
int Topology::total() const { return machine_->count(HWLOC_OBJ_PU); }

const std::vector<Relation>& Topology::relations() {
  static const std::vector<Relation> words{"same-pu",   "smt",          "same-l2",      "same-l3",
                                           "same-numa", "same-package", "cross-package"};
  return words;
}

Relation Topology::relation(int a, int b) const {
  const Objects& left = machine_->find(a).objects;
  const Objects& right = machine_->find(b).objects;
  if (a == b) return relations().front();
  for (std::size_t level = 0; level < left.size(); ++level)
    if (left[level] != nullptr && left[level] == right[level]) return relations()[level + 1];
  return relations().back();
}

MachineTree Topology::tree() const { return machine_tree(machine_->handle->value(), usable()); }

std::vector<Cache> Topology::caches() const {
  const hwloc_obj* object =
      hwloc_get_pu_obj_by_os_index(machine_->handle->value(), static_cast<unsigned>(usable().front()));
  std::vector<Cache> caches;
  for (; object != nullptr; object = object->parent)
    if (hwloc_obj_type_is_dcache(object->type) != 0 && object->attr->cache.size > 0)
      caches.push_back({"L" + std::to_string(object->attr->cache.depth), object->attr->cache.size});
  return caches;
}

std::string Topology::summary() const {
  struct Kind {
    hwloc_obj_type_t type;
    const char* one;
    const char* many;
  };
  static constexpr Kind kinds[] = {{HWLOC_OBJ_PACKAGE, "package", "packages"},
                                   {HWLOC_OBJ_NUMANODE, "memory node", "memory nodes"},
                                   {HWLOC_OBJ_L3CACHE, "L3", "L3"},
                                   {HWLOC_OBJ_CORE, "core", "cores"},
                                   {HWLOC_OBJ_PU, "PU", "PUs"}};
  std::string text;
  for (const Kind& kind : kinds) {
    const int count = machine_->count(kind.type);
    // Every machine has a memory node; one alone says nothing.
    if (count > (kind.type == HWLOC_OBJ_NUMANODE ? 1 : 0))
      text += (text.empty() ? "" : ", ") + counted(count, kind.one, kind.many);
  }
  return text + "; " + std::to_string(usable().size()) + " usable";
}

std::string Topology::xml() const {
  char* buffer = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(machine_->handle->value(), &buffer, &length, 0) != 0)
    throw PlatformError("hwloc_topology_export_xmlbuffer", errno);
  const std::string text = without_identities(std::string_view(buffer));
  hwloc_free_xmlbuffer(machine_->handle->value(), buffer);
  return text;
}

}  // namespace assay
