// SPDX-License-Identifier: Apache-2.0
// A reader that does not read, or is gone, stops no writer.
#include "platform/file/nonblocking_output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ostream>
#include <string>

#include "platform/file/descriptor.hpp"

namespace assay {
namespace {

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("pipe");
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
  }
  Descriptor reading;
  Descriptor writing;
};

TEST(NonblockingOutput, DeliversWhatIsTaken) {
  Pipe pipe;
  NonblockingOutput buffer(pipe.writing.value());
  std::ostream out(&buffer);
  out << "one " << 2 << ' ' << std::string(10000, 'x') << std::flush;
  std::string text(20000, ' ');
  EXPECT_EQ(::read(pipe.reading.value(), text.data(), text.size()), 10006);
  EXPECT_EQ(text.substr(0, 8), "one 2 xx");
}

TEST(NonblockingOutput, F15_a_reader_that_stalls_does_not_stop_the_writer) {
  Pipe pipe;
  NonblockingOutput buffer(pipe.writing.value());
  std::ostream out(&buffer);
  for (int i = 0; i < 1000; ++i) out << std::string(1000, 'x') << std::endl;
  EXPECT_TRUE(out.good());
}

TEST(NonblockingOutput, F15_a_reader_that_is_gone_is_no_error) {
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.reading.close();
  NonblockingOutput buffer(pipe.writing.value());
  std::ostream out(&buffer);
  out << "nobody" << std::endl;
  EXPECT_TRUE(out.good());
  std::signal(SIGPIPE, previous);
}

}  // namespace
}  // namespace assay
