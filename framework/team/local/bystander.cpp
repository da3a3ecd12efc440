// SPDX-License-Identifier: Apache-2.0
// The thread that sleeps.
#include "team/local/bystander.hpp"

#include <system_error>

#include "base/error.hpp"
#include "platform/process/forked_children.hpp"
#include "platform/thread/futex.hpp"

namespace assay {

Bystander::Bystander() {
  const SignalShield shield;
  try {
    thread_ = std::thread([this] { wait_while_equal(dismissed_, 0); });
  } catch (const std::system_error& error) {
    throw PlatformError("starting the bystander", error.code().value());
  }
}

Bystander::~Bystander() {
  dismissed_ = 1;
  wake_all(dismissed_);
  thread_.join();
}

}  // namespace assay
