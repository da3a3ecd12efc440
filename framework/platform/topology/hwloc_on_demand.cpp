// SPDX-License-Identifier: Apache-2.0
// hwloc's functions for a program that is not linked with it: the first that is called loads the library. A worker
// reads no topology, and to load hwloc with what it needs itself would be a tenth of its start.
#include <dlfcn.h>
#include <hwloc.h>

#include <string>

#include "base/error.hpp"

namespace assay {
namespace {

/// Throws PlatformError when it is not installed.
void* hwloc_library() {
  // Visible to everything: hwloc's own plugins look for its functions.
  static void* const library = [] {
    void* const loaded = ::dlopen(ASSAY_HWLOC, RTLD_NOW | RTLD_GLOBAL);
    if (loaded == nullptr)
      throw PlatformError(std::string("loading hwloc: ") + ::dlerror(), 0,
                          "install the package with " ASSAY_HWLOC ", which knows the machine's topology");
    return loaded;
  }();
  return library;
}

/// The library's function of that name; `ours` only tells its type.
template <class Function>
Function* in_library(Function* ours, const char* name) {
  auto* const theirs = reinterpret_cast<Function*>(::dlsym(hwloc_library(), name));
  if (theirs == nullptr || theirs == ours)
    throw PlatformError(std::string("looking up ") + name + " in " ASSAY_HWLOC, 0,
                        "install hwloc of the version that this program was built with, or a later one");
  return theirs;
}

/// Calls the library's function of that name.
template <auto ours, class... Arguments>
auto forwarded(const char* name, Arguments... arguments) {
  static auto* const theirs = in_library(ours, name);
  return theirs(arguments...);
}

}  // namespace
}  // namespace assay

using assay::forwarded;

int hwloc_bitmap_isset(hwloc_const_bitmap_t bitmap, unsigned id) {
  return forwarded<&hwloc_bitmap_isset>("hwloc_bitmap_isset", bitmap, id);
}

int hwloc_cpukinds_get_by_cpuset(hwloc_topology_t topology, hwloc_const_bitmap_t cpuset, unsigned long flags) {
  return forwarded<&hwloc_cpukinds_get_by_cpuset>("hwloc_cpukinds_get_by_cpuset", topology, cpuset, flags);
}

int hwloc_cpukinds_get_info(hwloc_topology_t topology, unsigned kind_index, hwloc_bitmap_t cpuset, int* efficiency,
                            unsigned* nr_infos, hwloc_info_s** infos, unsigned long flags) {
  return forwarded<&hwloc_cpukinds_get_info>("hwloc_cpukinds_get_info", topology, kind_index, cpuset, efficiency,
                                             nr_infos, infos, flags);
}

int hwloc_cpukinds_get_nr(hwloc_topology_t topology, unsigned long flags) {
  return forwarded<&hwloc_cpukinds_get_nr>("hwloc_cpukinds_get_nr", topology, flags);
}

int hwloc_distances_get_by_type(hwloc_topology_t topology, hwloc_obj_type_t type, unsigned* nr,
                                hwloc_distances_s** distances, unsigned long kind, unsigned long flags) {
  return forwarded<&hwloc_distances_get_by_type>("hwloc_distances_get_by_type", topology, type, nr, distances, kind,
                                                 flags);
}

void hwloc_distances_release(hwloc_topology_t topology, hwloc_distances_s* distances) {
  return forwarded<&hwloc_distances_release>("hwloc_distances_release", topology, distances);
}

void hwloc_free_xmlbuffer(hwloc_topology_t topology, char* xmlbuffer) {
  return forwarded<&hwloc_free_xmlbuffer>("hwloc_free_xmlbuffer", topology, xmlbuffer);
}

unsigned hwloc_get_nbobjs_by_depth(hwloc_topology_t topology, int depth) {
  return forwarded<&hwloc_get_nbobjs_by_depth>("hwloc_get_nbobjs_by_depth", topology, depth);
}

hwloc_obj_t hwloc_get_obj_by_depth(hwloc_topology_t topology, int depth, unsigned idx) {
  return forwarded<&hwloc_get_obj_by_depth>("hwloc_get_obj_by_depth", topology, depth, idx);
}

int hwloc_get_type_depth(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return forwarded<&hwloc_get_type_depth>("hwloc_get_type_depth", topology, type);
}

int hwloc_obj_type_is_dcache(hwloc_obj_type_t type) {
  return forwarded<&hwloc_obj_type_is_dcache>("hwloc_obj_type_is_dcache", type);
}

void hwloc_topology_destroy(hwloc_topology_t topology) {
  return forwarded<&hwloc_topology_destroy>("hwloc_topology_destroy", topology);
}

int hwloc_topology_export_xmlbuffer(hwloc_topology_t topology, char** xmlbuffer, int* buflen, unsigned long flags) {
  return forwarded<&hwloc_topology_export_xmlbuffer>("hwloc_topology_export_xmlbuffer", topology, xmlbuffer, buflen,
                                                     flags);
}

hwloc_const_cpuset_t hwloc_topology_get_allowed_cpuset(hwloc_topology_t topology) {
  return forwarded<&hwloc_topology_get_allowed_cpuset>("hwloc_topology_get_allowed_cpuset", topology);
}

hwloc_const_nodeset_t hwloc_topology_get_allowed_nodeset(hwloc_topology_t topology) {
  return forwarded<&hwloc_topology_get_allowed_nodeset>("hwloc_topology_get_allowed_nodeset", topology);
}

int hwloc_topology_init(hwloc_topology_t* topologyp) {
  return forwarded<&hwloc_topology_init>("hwloc_topology_init", topologyp);
}

int hwloc_topology_is_thissystem(hwloc_topology_t topology) {
  return forwarded<&hwloc_topology_is_thissystem>("hwloc_topology_is_thissystem", topology);
}

int hwloc_topology_load(hwloc_topology_t topology) {
  return forwarded<&hwloc_topology_load>("hwloc_topology_load", topology);
}

int hwloc_topology_set_flags(hwloc_topology_t topology, unsigned long flags) {
  return forwarded<&hwloc_topology_set_flags>("hwloc_topology_set_flags", topology, flags);
}

int hwloc_topology_set_synthetic(hwloc_topology_t topology, const char* description) {
  return forwarded<&hwloc_topology_set_synthetic>("hwloc_topology_set_synthetic", topology, description);
}

int hwloc_topology_set_xml(hwloc_topology_t topology, const char* xmlpath) {
  return forwarded<&hwloc_topology_set_xml>("hwloc_topology_set_xml", topology, xmlpath);
}
