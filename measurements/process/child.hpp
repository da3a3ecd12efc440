// SPDX-License-Identifier: Apache-2.0
// The small program beside this one, started and talked to.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace assay {

/// The path of `assay-child`: in the folder for such programs that belongs to the one of the running program. Throws
/// Unsupported where it is not there.
std::string child_program();

/// Whose group it is in.
enum class ChildSession : unsigned char {
  shared,  ///< the starter's: what ends the group ends it
  own      ///< a session of its own, where no signal to the starter's group or terminal reaches it
};

/// One run of it. It sees the connection as its descriptor `child_descriptor`, and ends when that is closed: by the
/// destructor, which waits for that, or because this process is gone.
class Child {
 public:
  /// Starts it with these arguments. Throws Unsupported where it is missing or the system refuses another process.
  explicit Child(std::vector<std::string> arguments, ChildSession session);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Sends and receives whole messages. Throws std::system_error, and std::logic_error where the program is gone.
  template <class Report, class Order>
  Report ask(const Order& order) {
    Report report;
    exchange(&order, sizeof order, &report, sizeof report);
    return report;
  }
  pid_t process() const { return process_; }

 private:
  void exchange(const void* order, std::size_t order_size, void* report, std::size_t report_size);
  int descriptor_ = -1;
  pid_t process_ = -1;
};

}  // namespace assay
