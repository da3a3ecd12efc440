// SPDX-License-Identifier: Apache-2.0
// From hwloc's objects to the labelled tree of a machine.
#include "platform/topology/hwloc_tree.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace assay {
namespace {

// Positions in Topology::relations().
constexpr std::size_t core_position = 1;
constexpr std::size_t of_l2 = 2;
constexpr std::size_t of_l3 = 3;
constexpr std::size_t of_memory = 4;
constexpr std::size_t of_package = 5;
constexpr std::size_t of_machine = 6;

bool is_cache(const hwloc_obj* object) {
  return object->type == HWLOC_OBJ_L2CACHE || object->type == HWLOC_OBJ_L3CACHE;
}

/// "IntelCore" for "IntelCore", and letters that can stand in a word for others.
std::string word_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')); },
      '-');
  return text;
}

/// The kinds of CPUs by hwloc's number, from the least to the most powerful: the type that the machine names, or
/// "kind0" and so on where it names none or one twice. Empty unless there are several.
std::vector<std::string> kind_names(hwloc_topology_t topology) {
  const int count = hwloc_cpukinds_get_nr(topology, 0);
  std::vector<std::string> names;
  for (int i = 0; count > 1 && i < count; ++i) {
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    hwloc_cpukinds_get_info(topology, static_cast<unsigned>(i), nullptr, nullptr, &infos, &info, 0);
    const auto* const type =
        std::find_if(info, info + infos, [](const hwloc_info_s& one) { return std::string(one.name) == "CoreType"; });
    names.push_back(type == info + infos ? std::string() : word_of(type->value));
  }
  const std::set<std::string> different(names.begin(), names.end());
  if (different.size() == names.size() && !different.contains("")) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = "kind" + std::to_string(i);
  return names;
}

class Builder {
 public:
  Builder(hwloc_topology_t topology, const std::vector<int>& usable)
      : topology_(topology),
        usable_(usable),
        kinds_(kind_names(topology)),
        has_packages_(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE) > 0) {
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE})
      for (hwloc_obj_t one = nullptr; (one = hwloc_get_next_obj_by_type(topology, type, one)) != nullptr;)
        sizes_[type].insert(one->attr->cache.size);
    for (hwloc_obj_t one = nullptr; (one = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, one)) != nullptr;)
      memory_types_.insert(one->subtype != nullptr ? one->subtype : "");
  }

  MachineTree run() {
    const hwloc_obj_t root = hwloc_get_root_obj(topology_);
    const std::size_t top = tree_.add(0, {.relation = has_packages_ ? of_machine : of_package});
    add_memories(root, top);
    add_parts(root, top);
    add_distances();
    return pruned(tree_);
  }

 private:
  /// Nothing for an object that does not count.
  std::optional<std::size_t> relation_of(const hwloc_obj* object) const {
    if (object->type == HWLOC_OBJ_PACKAGE) return of_package;
    if (object->type == HWLOC_OBJ_L3CACHE) return of_l3;
    if (object->type == HWLOC_OBJ_L2CACHE) return of_l2;
    if (object->type == HWLOC_OBJ_CORE) return core_position;
    if (object->memory_arity > 0) return of_memory;
    return std::nullopt;
  }

  std::string label_of(const hwloc_obj* object) const {
    if (!is_cache(object) || sizes_.at(object->type).size() < 2) return {};
    return std::to_string(object->attr->cache.size);
  }

  void add_parts(const hwloc_obj* object, std::size_t at) {
    for (const hwloc_obj* part = object->first_child; part != nullptr; part = part->next_sibling) {
      if (part->type == HWLOC_OBJ_PU) {
        add_cpu(part, at);
        continue;
      }
      const auto relation = relation_of(part);
      const std::size_t below = relation ? tree_.add(at, {.relation = *relation, .label = label_of(part)}) : at;
      add_memories(part, below);
      add_parts(part, below);
    }
  }

  void add_cpu(const hwloc_obj* unit, std::size_t at) {
    const int cpu = static_cast<int>(unit->os_index);
    if (!std::binary_search(usable_.begin(), usable_.end(), cpu)) return;
    std::string kind;
    if (!kinds_.empty()) {
      const int number = hwloc_cpukinds_get_by_cpuset(topology_, unit->cpuset, 0);
      kind = number < 0 ? "unknown" : kinds_.at(static_cast<std::size_t>(number));
    }
    tree_.add(at, {.kind = kind, .cpu = cpu});
  }

  /// Memory nodes may stand behind caches of their own.
  void add_memories(const hwloc_obj* object, std::size_t at) {
    for (const hwloc_obj* part = object->memory_first_child; part != nullptr; part = part->next_sibling) {
      add_memories(part, at);
      if (part->type != HWLOC_OBJ_NUMANODE) continue;
      if (hwloc_bitmap_isset(hwloc_topology_get_allowed_nodeset(topology_), part->os_index) == 0) continue;
      const bool differ = memory_types_.size() > 1;
      const std::string type = part->subtype != nullptr ? word_of(part->subtype) : "plain";
      tree_.add(at, {.label = differ ? type : std::string(), .memory = static_cast<int>(part->os_index)});
    }
  }

  void add_distances() {
    unsigned count = 1;
    hwloc_distances_s* found = nullptr;
    if (hwloc_distances_get_by_type(topology_, HWLOC_OBJ_NUMANODE, &count, &found, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                    0) != 0 ||
        count == 0)
      return;
    unsigned most = 0;
    for (unsigned i = 0; i < found->nbobjs; ++i) most = std::max(most, found->objs[i]->os_index);
    tree_.distances.assign(most + 1, std::vector<double>(most + 1, 0));
    for (unsigned i = 0; i < found->nbobjs; ++i)
      for (unsigned j = 0; j < found->nbobjs; ++j)
        tree_.distances[found->objs[i]->os_index][found->objs[j]->os_index] =
            static_cast<double>(found->values[i * found->nbobjs + j]);
    hwloc_distances_release(topology_, found);
  }

  hwloc_topology_t topology_;
  const std::vector<int>& usable_;
  std::vector<std::string> kinds_;
  bool has_packages_;
  std::map<hwloc_obj_type_t, std::set<hwloc_uint64_t>> sizes_;
  std::set<std::string> memory_types_;
  MachineTree tree_;
};

}  // namespace

MachineTree machine_tree(hwloc_topology_t topology, const std::vector<int>& usable) {
  return Builder(topology, usable).run();
}

}  // namespace assay
