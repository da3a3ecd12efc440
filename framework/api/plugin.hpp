// SPDX-License-Identifier: Apache-2.0
// The export of an out-of-tree measurement: a stamp that is compared before any code runs, and one function.
#pragma once
#include "api/measurement.hpp"

namespace assay {

/// Plain data read from a plugin before any of its functions is called. A difference in any field refuses the plugin.
struct PluginStamp {
  char magic[8];               ///< "assay-pl"
  unsigned interface_version;  ///< of the classes in api/; raised whenever a static_assert in tests/plugin would break
  unsigned library_abi;        ///< _GLIBCXX_USE_CXX11_ABI, or the libc++ ABI version + 1000
  long language;               ///< __cplusplus
  unsigned sizes[6];           ///< Description, Quantity, Factor, Member, Claims, Value
};

#if defined(_GLIBCXX_USE_CXX11_ABI)
inline constexpr unsigned library_abi = _GLIBCXX_USE_CXX11_ABI;
#elif defined(_LIBCPP_ABI_VERSION)
inline constexpr unsigned library_abi = 1000 + _LIBCPP_ABI_VERSION;
#else
inline constexpr unsigned library_abi = 0;
#endif

/// The stamp of the code that includes this header.
constexpr PluginStamp plugin_stamp() {
  return {{'a', 's', 's', 'a', 'y', '-', 'p', 'l'},
          5,
          library_abi,
          202002L,
          {sizeof(Description), sizeof(Quantity), sizeof(Factor), sizeof(Member), sizeof(Claims), sizeof(Value)}};
}

}  // namespace assay

/// The last line of a plugin: exports its stamp and its registration function `void function(assay::Registry&)`.
#define ASSAY_PLUGIN(function)                                                                       \
  extern "C" __attribute__((visibility("default"))) constinit const assay::PluginStamp assay_stamp = \
      assay::plugin_stamp();                                                                         \
  extern "C" __attribute__((visibility("default"))) void assay_register(assay::Registry& registry) { \
    function(registry);                                                                              \
  }
