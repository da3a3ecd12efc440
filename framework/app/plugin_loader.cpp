// SPDX-License-Identifier: Apache-2.0
// dlopen, the stamp, the registration function: nothing of the plugin but its static constructors runs before the stamp
// was compared.
#include "app/plugin_loader.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/config/description_check.hpp"
#include "base/error.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* size_names[] = {"Description", "Quantity", "Factor", "Member", "Claims", "Value"};

// "interface version 2, needed is 1"; nothing when they are equal.
std::string difference(const std::string& what, long found, long needed) {
  if (found == needed) return {};
  return what + " " + std::to_string(found) + ", needed is " + std::to_string(needed);
}

void* symbol(void* object, const char* name) {
  void* found = dlsym(object, name);
  if (found == nullptr) throw PluginError(std::string("it is not a plugin: it does not export ") + name);
  return found;
}

// Of the entries from the first new one on.
void check_descriptions(const Registry& registry, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < registry.entries().size(); ++i)
    for (const std::string& fault : faults_of(registry.entries()[i].description))
      text += (text.empty() ? "" : "; ") + fault;
  if (!text.empty()) throw PluginError(text);
}

}  // namespace

std::string stamp_difference(const PluginStamp& found) {
  constexpr PluginStamp needed = plugin_stamp();
  if (!std::equal(std::begin(found.magic), std::end(found.magic), std::begin(needed.magic)))
    return "its stamp does not begin with assay-pl";
  std::vector<std::string> all = {difference("interface version", found.interface_version, needed.interface_version),
                                  difference("library ABI", found.library_abi, needed.library_abi),
                                  difference("language version", found.language, needed.language)};
  for (std::size_t i = 0; i < std::size(size_names); ++i)
    all.push_back(difference(std::string("size of ") + size_names[i], found.sizes[i], needed.sizes[i]));
  std::string text;
  for (const std::string& one : all)
    if (!one.empty()) text += (text.empty() ? "" : "; ") + one;
  return text;
}

void load_plugin(Registry& registry, const std::string& path) {
  if (path.find('/') == path.npos) throw PluginError(shown_path(path) + " has no folder in its path");
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) throw PluginError(std::string("it cannot be loaded: ") + dlerror());
  const auto why = stamp_difference(*static_cast<const PluginStamp*>(symbol(object, "assay_stamp")));
  if (!why.empty()) throw PluginError("it was built for another version of assay: " + why);
  const auto fill = reinterpret_cast<void (*)(Registry&)>(symbol(object, "assay_register"));
  const std::size_t known = registry.entries().size();
  try {
    fill(registry);
  } catch (const std::exception& error) {
    throw PluginError(std::string("it failed to register: ") + error.what());
  }
  check_descriptions(registry, known);
}

}  // namespace assay
