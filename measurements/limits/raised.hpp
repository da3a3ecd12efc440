// SPDX-License-Identifier: Apache-2.0
// A limit of this process, raised for as long as it is needed.
#pragma once
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>

#include "limits/usage.hpp"

namespace assay {

/// While it lives, this process may have `needed` more descriptors, or as many as it may give itself where those are
/// fewer: whether they suffice is for require_descriptors to say.
class RaisedDescriptorLimit {
 public:
  explicit RaisedDescriptorLimit(std::size_t needed) {
    const Usage usage = descriptor_usage();
    if (::getrlimit(RLIMIT_NOFILE, &former_) != 0 || needed <= usage.left()) return;
    const rlimit raised{std::min<rlim_t>(former_.rlim_max, usage.used + needed), former_.rlim_max};
    is_raised_ = ::setrlimit(RLIMIT_NOFILE, &raised) == 0;
  }
  RaisedDescriptorLimit(const RaisedDescriptorLimit&) = delete;
  RaisedDescriptorLimit& operator=(const RaisedDescriptorLimit&) = delete;
  ~RaisedDescriptorLimit() {
    if (is_raised_) ::setrlimit(RLIMIT_NOFILE, &former_);
  }

 private:
  rlimit former_{};
  bool is_raised_ = false;
};

}  // namespace assay
