// SPDX-License-Identifier: Apache-2.0
// Streams, connections and the web server: what they move is counted and compared, and nothing is left behind.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "limits/limits.hpp"
#include "net/bandwidth.hpp"
#include "net/connect.hpp"
#include "net/http.hpp"
#include "os/io_uring.hpp"
#include "support/measurements/channel_pair.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "support/programs/own_process.hpp"

namespace assay::test {
namespace {

class Net : public Watched {
  void SetUp() override { ::alarm(60); }
};

Value word(const std::string& text) { return text; }

TEST_F(Net, StreamsYieldWhatWasWrittenAtTheRateThatTheirTimeSays) {
  for (const std::string vehicle : {"thread", "process"})
    for (const std::string channel : {"pipe", "unix-stream", "unix-seqpacket", "tcp"})
      for (const std::int64_t block : {777, 65536}) {
        SCOPED_TRACE(vehicle + " " + channel + " " + std::to_string(block));
        const OneBatch batch =
            run_named("net/bandwidth", {.vehicle = vehicle},
                      {{"channel", word(channel)}, {"block", block}, {"amount", std::int64_t{300'001}}}, Reps{3});
        EXPECT_NEAR(batch.value("bandwidth") * batch.value("time") / 1e9, 300'001, 1);
        EXPECT_GE(batch.value("reads"), 300'001.0 / static_cast<double>(block));
      }
}

// Another process puts a byte into the stream.
TEST_F(Net, AByteThatWasNotWrittenIsTold) {
  Point point;
  point.set("channel", std::string("pipe"));
  point.set("block", std::int64_t{1000});
  point.set("amount",
            std::int64_t{30'000});  // fits into a pipe, so that the writer does not wait for the reader in vain
  PointSetup setup(point, 2);
  Bandwidth bandwidth(setup);
  std::atomic<std::int64_t> beats{0};
  Member reader(0, 2, Stopwatch(), beats);
  Member writer(1, 2, Stopwatch(), beats);
  bandwidth.enter(reader);
  bandwidth.enter(writer);
  std::thread undisturbed([&] { bandwidth.run(writer, Reps{1}); });
  bandwidth.run(reader, Reps{1});
  undisturbed.join();
  const char byte = 0;
  ASSERT_EQ(::write(bandwidth.writing_end(), &byte, 1), 1);
  std::thread disturbed([&] { bandwidth.run(writer, Reps{0}); });  // a first and a last amount
  EXPECT_THROW(bandwidth.run(reader, Reps{0}), std::logic_error);
  bandwidth.ask();
  disturbed.join();
}

TEST_F(Net, AsManyConnectionsAreAcceptedAsAreMade) {
  const std::size_t before = descriptor_usage().used;
  for (const std::string vehicle : {"thread", "process"})
    for (const std::string ending : {"reset", "orderly"}) {
      SCOPED_TRACE(vehicle + " " + ending);
      const OneBatch batch = run_named("net/connect", {.vehicle = vehicle}, {{"ending", word(ending)}}, Reps{150});
      EXPECT_EQ(batch.value("accepted"), 1);
      if (batch.value("faults") == 0) {
        EXPECT_GT(batch.value("time"), 0);
      }
    }
  EXPECT_EQ(descriptor_usage().used, before);
}

TEST(ConnectFaults, AreFoundByName) {
  std::istringstream text(
      "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPSynRetrans\n"
      "TcpExt: 1 20 300 4000\n"
      "IpExt: InNoRoutes ListenOverflowsOfAnother\n"
      "IpExt: 5 6\n");
  const ConnectFaults faults = ConnectFaults::read(text);
  EXPECT_EQ(faults.overflows, 20);
  EXPECT_EQ(faults.repeated, 4000);
  std::istringstream nothing("");
  EXPECT_EQ(ConnectFaults::read(nothing).all(), 0);
}

// Counted by hand: content, and a header of 80 bytes besides the digits of the size.
TEST_F(Net, APassBringsAllObjectsWithTheirHeaders) {
  const std::size_t before = descriptor_usage().used;
  const std::size_t header = std::string(
                                 "HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: "
                                 "\r\n\r\n")
                                 .size();
  const std::size_t digits = 6 * 3 + 7 * 4 + 5;
  const std::size_t all = 40'650 + 14 * header + digits;
  EXPECT_NEAR(static_cast<double>(all), 41'800, 200) << "the document's list";
  for (const std::string vehicle : {"thread", "process"}) {
    const OneBatch batch = run_named("net/http", {.vehicle = vehicle}, {}, Reps{5});
    EXPECT_EQ(batch.value("bytes"), static_cast<double>(all));
    EXPECT_NEAR(batch.value("bandwidth") * batch.value("time") / 1e9, static_cast<double>(all), 1);
  }
  EXPECT_EQ(descriptor_usage().used, before);
}

TEST(WebServer, KnowsItsObjectsAndRefusesTheRest) {
  std::deque<WebObject> objects;
  objects.emplace_back(0, 10);
  objects.emplace_back(1, 5000);
  const WebServer server(objects);
  EXPECT_EQ(server.requested("GET /1 HTTP/1.0\r\n\r\n"), 1);
  EXPECT_EQ(server.requested("GET /2 HTTP/1.0\r\n\r\n"), -1);
  EXPECT_EQ(server.requested("GET /index.html HTTP/1.0\r\n\r\n"), -1);
  EXPECT_EQ(server.requested("PUT /1 HTTP/1.0\r\n\r\n"), -2);
  EXPECT_EQ(server.requested("GET /1"), -2);
  EXPECT_EQ(server.requested(""), -2);
}

TEST_F(Net, TooFewDescriptorsAreSaid) {
  const int status = in_own_process([] {
    limit(RLIMIT_NOFILE, descriptor_usage().used + 2);  // a sanitizer looks at objects through a pipe
    int said = 0;
    for (const std::string name : {"net/bandwidth", "net/connect", "net/http"}) try {
        run_named(name, {}, {}, Reps{1});
      } catch (const Unsupported& reason) {
        said += std::string(reason.what()).find("ulimit -n") != std::string::npos;
      }
    return said == 3;
  });
  EXPECT_EQ(status, 0);
}

// What a read brings the measurement itself looks at after each batch.
TEST_F(Net, OperationsByIoUringAreDoneOrTheReasonIsSaid) {
  for (const std::string operation : {"nop", "read-zero", "read-file"})
    for (const std::int64_t depth : {1, 32}) try {
        const Levels levels{{"operation", word(operation)}, {"depth", depth}, {"bytes", std::int64_t{100}}};
        EXPECT_GT(run_named("os/io_uring", {}, levels, Reps{100}).value("time"), 0);
      } catch (const Unsupported& reason) {
        EXPECT_NE(std::string(reason.what()).find("io_uring"), std::string::npos);
      }
}

TEST_F(Net, ARingThatCannotBeHadIsToldWithItsReason) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer needs descriptors of its own to look at objects";
  const int status = in_own_process([] {
    limit(RLIMIT_NOFILE, 3);
    try {
      const IoRing ring(1);
    } catch (const Unsupported& reason) {
      return std::string(reason.what()).find("io_uring") != std::string::npos;
    }
    return false;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace assay::test
