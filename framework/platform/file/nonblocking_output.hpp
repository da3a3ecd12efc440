// SPDX-License-Identifier: Apache-2.0
// Output that need not be read: what a reader does not take at once is dropped, so that no reader can stop a
// campaign.
#pragma once
#include <streambuf>
#include <string>

namespace assay {

/// A stream buffer over a descriptor, which is borrowed. Whole flushes are written while the descriptor takes them
/// without waiting, and dropped otherwise; a reader that is gone is no error. SIGPIPE must be ignored by the caller.
class NonblockingOutput final : public std::streambuf {
 public:
  explicit NonblockingOutput(int descriptor) : descriptor_(descriptor) {}
  ~NonblockingOutput() override;

 protected:
  int_type overflow(int_type letter) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  int descriptor_;
  std::string waiting_;
};

}  // namespace assay
