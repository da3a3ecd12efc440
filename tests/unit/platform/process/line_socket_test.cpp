// SPDX-License-Identifier: Apache-2.0
// Lines in pieces, lines too long, peers that go, stall or never stop.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "platform/process/process.hpp"

namespace assay {
namespace {

using Status = LineSocket::Status;

class Lines : public testing::Test {
 protected:
  Lines() {
    int pair[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) ADD_FAILURE();
    here_ = LineSocket(pair[0]);
    there_ = pair[1];
  }
  ~Lines() override { hang_up(); }
  void put(const std::string& text) {
    ASSERT_EQ(::send(there_, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    if (there_ >= 0) ::close(there_);
    there_ = -1;
  }
  Status receive(std::optional<Nanoseconds> patience = std::nullopt) { return here_.receive(line_, patience); }
  LineSocket here_{-1};
  int there_ = -1;
  std::string line_;
};

TEST_F(Lines, ArriveOneByOne) {
  put("one\n\ntwo\n");
  EXPECT_EQ(receive(), Status::line);
  EXPECT_EQ(line_, "one");
  EXPECT_EQ(receive(), Status::line);
  EXPECT_EQ(line_, "");
  EXPECT_EQ(receive(), Status::line);
  EXPECT_EQ(line_, "two");
}

TEST_F(Lines, AreJoinedFromPiecesAcrossTimeouts) {
  put("begin");
  EXPECT_EQ(receive(Nanoseconds{0}), Status::timeout);
  put(" and ");
  EXPECT_EQ(receive(Nanoseconds{0}), Status::timeout);
  put("end\nnext");
  EXPECT_EQ(receive(Nanoseconds{0}), Status::line);
  EXPECT_EQ(line_, "begin and end");
  EXPECT_EQ(receive(Nanoseconds{0}), Status::timeout);
}

TEST_F(Lines, KeepNulBytes) {
  put(std::string("a\0b\n", 4));
  EXPECT_EQ(receive(), Status::line);
  EXPECT_EQ(line_, std::string("a\0b", 3));
}

TEST_F(Lines, NothingInTimeIsATimeout) {
  EXPECT_EQ(receive(Nanoseconds{0}), Status::timeout);
  EXPECT_EQ(receive(Nanoseconds{-5}), Status::timeout);
  EXPECT_EQ(receive(microseconds(10)), Status::timeout);
}

TEST_F(Lines, PatienceMayBeBoundless) {
  put("here\n");
  EXPECT_EQ(receive(Nanoseconds{1e300}), Status::line);
}

TEST_F(Lines, WholeLinesOutliveThePeer) {
  put("last words\nunfinished");
  hang_up();
  EXPECT_EQ(receive(), Status::line);
  EXPECT_EQ(line_, "last words");
  EXPECT_EQ(receive(), Status::closed);
  EXPECT_EQ(receive(), Status::closed);
}

TEST_F(Lines, SendingToNobodyIsFalseAndNoSignal) {
  hang_up();
  EXPECT_FALSE(here_.send("anyone?"));
}

TEST_F(Lines, AreSentWithANewline) {
  LineSocket other(::dup(there_));
  EXPECT_TRUE(here_.send("question"));
  EXPECT_TRUE(here_.send(""));
  EXPECT_EQ(other.receive(line_, std::nullopt), Status::line);
  EXPECT_EQ(line_, "question");
  EXPECT_EQ(other.receive(line_, std::nullopt), Status::line);
  EXPECT_EQ(line_, "");
}

TEST_F(Lines, LongOnesPassAndTooLongOnesDoNot) {
  const std::string longest(std::size_t{16} << 20, 'x');
  std::thread writer([&] {
    LineSocket other(::dup(there_));
    other.send(longest);
    other.send(longest + longest);
  });
  EXPECT_EQ(receive(), Status::line);
  EXPECT_EQ(line_, longest);
  EXPECT_EQ(receive(), Status::too_long);
  EXPECT_EQ(receive(), Status::too_long);
  ::shutdown(there_, SHUT_RDWR);
  writer.join();
}

TEST_F(Lines, DeadlineHoldsAgainstAPeerThatNeverStops) {
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    const char byte = 'x';
    while (!stop && ::send(there_, &byte, 1, MSG_NOSIGNAL) == 1) continue;
  });
  EXPECT_EQ(receive(microseconds(100)), Status::timeout);
  stop = true;
  ::shutdown(there_, SHUT_RDWR);
  writer.join();
}

TEST_F(Lines, MoveWithWhatHasArrived) {
  put("one\ntwo\n");
  EXPECT_EQ(receive(), Status::line);
  LineSocket moved(std::move(here_));
  EXPECT_EQ(moved.receive(line_, Nanoseconds{0}), Status::line);
  EXPECT_EQ(line_, "two");
}

class Tail : public testing::Test {
 protected:
  Tail() {
    int pair[2] = {-1, -1};
    if (::pipe2(pair, O_NONBLOCK) != 0) ADD_FAILURE();
    reader_ = pair[0];
    writer_ = pair[1];
  }
  ~Tail() override { ::close(writer_); }
  void put(const std::string& text) {
    ASSERT_EQ(::write(writer_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int reader_ = -1;
  int writer_ = -1;
};

TEST_F(Tail, KeepsTheEndAndSaysWhatIsMissing) {
  OutputTail tail(reader_);
  tail.drain();
  EXPECT_EQ(tail.text(), "");
  put(std::string(40000, 'a'));
  tail.drain();
  EXPECT_EQ(tail.text(), std::string(40000, 'a'));
  put(std::string(40000, 'b'));
  tail.drain();
  const std::string text = tail.text();
  EXPECT_LE(text.size(), OutputTail::most);
  EXPECT_TRUE(text.starts_with("[14528 bytes before this were left out]\na")) << text.substr(0, 60);
  EXPECT_TRUE(text.ends_with("a" + std::string(40000, 'b')));
}

TEST_F(Tail, EndsWithTheLastWriter) {
  OutputTail tail(reader_);
  put("bye");
  ::close(std::exchange(writer_, -1));
  tail.drain();
  EXPECT_EQ(tail.text(), "bye");
  EXPECT_EQ(tail.descriptor(), -1);
  tail.drain();
}

TEST_F(Tail, IsDrainedWhileASocketWaits) {
  OutputTail tail(reader_);
  int pair[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  LineSocket here(pair[0], &tail);
  std::string line;
  // Far more than a pipe holds: the writer only gets to its line if the reader drains.
  std::thread writer([&] {
    ::fcntl(writer_, F_SETFL, 0);
    const std::string noise(1 << 20, 'n');
    ssize_t done = 0;
    while (done < (1 << 20)) done += ::write(writer_, noise.data(), noise.size() - static_cast<std::size_t>(done));
    ::send(pair[1], "done\n", 5, MSG_NOSIGNAL);
  });
  EXPECT_EQ(here.receive(line, std::nullopt), Status::line);
  EXPECT_EQ(line, "done");
  writer.join();
  tail.drain();
  EXPECT_LE(tail.text().size(), OutputTail::most);
  EXPECT_TRUE(tail.text().ends_with("nnnn"));
  ::close(pair[1]);
}

}  // namespace
}  // namespace assay
