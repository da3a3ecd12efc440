// SPDX-License-Identifier: Apache-2.0
// Records of tracepoints made by hand, in the form that the kernel describes.
#include <gtest/gtest.h>

#include <cstring>

#include "ledger/cpu_trace.hpp"

namespace assay {
namespace {

constexpr const char* switch_format = R"(name: sched_switch
ID: 372
format:
  field:unsigned short common_type; offset:0; size:2; signed:0;
  field:int common_pid; offset:4; size:4; signed:1;

  field:char prev_comm[16]; offset:8; size:16; signed:0;
  field:pid_t prev_pid; offset:24; size:4; signed:1;
  field:int prev_prio; offset:28; size:4; signed:1;
  field:long prev_state; offset:32; size:8; signed:1;
  field:char next_comm[16]; offset:40; size:16; signed:0;
  field:pid_t next_pid; offset:56; size:4; signed:1;
  field:int next_prio; offset:60; size:4; signed:1;

print fmt: "prev_comm=%s"
)";
constexpr const char* irq_format = R"(name: irq_handler_entry
ID: 225
format:
  field:unsigned short common_type; offset:0; size:2; signed:0;

  field:int irq; offset:8; size:4; signed:1;
  field:__data_loc char[] name; offset:12; size:4; signed:0;
)";
constexpr const char* softirq_format = "ID: 223\n\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n";

/// A record of 64 bytes whose fields are put in by hand.
struct Made {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(64);
  template <class T>
  Made& put(std::size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return *this;
  }
  Made& put(std::size_t offset, const char* text) {
    std::memcpy(bytes.data() + offset, text, std::strlen(text) + 1);
    return *this;
  }
};

Made switched(int from, std::int64_t state, const char* name, int to, int priority) {
  return Made().put(0, std::uint16_t{372}).put(24, from).put(32, state).put(40, name).put(56, to).put(60, priority);
}

EventReader reader_of(int observed) {
  return {{{*TracepointFormat::parse(switch_format), CpuEvent::Kind::thread, {}},
           {*TracepointFormat::parse(irq_format), CpuEvent::Kind::interrupt_entry, {}},
           {*TracepointFormat::parse(softirq_format), CpuEvent::Kind::softirq_entry, {}}},
          observed};
}

TEST(TracepointFormat, FindsFieldsWhereTheTextSays) {
  const auto format = TracepointFormat::parse(switch_format);
  ASSERT_TRUE(format.has_value());
  EXPECT_EQ(format->id(), 372);
  const Made made = switched(-5, 256, "kworker/0:1", 17, 120);
  EXPECT_EQ(format->number(made.bytes, "prev_pid"), -5) << "signed";
  EXPECT_EQ(format->number(made.bytes, "prev_state"), 256);
  EXPECT_EQ(format->text(made.bytes, "next_comm"), "kworker/0:1");
  EXPECT_EQ(format->number(made.bytes, "no_such"), 0);
  EXPECT_EQ(format->number(std::span(made.bytes).first(20), "prev_pid"), 0) << "a short record";
  EXPECT_FALSE(TracepointFormat::parse("name: x\n").has_value());
}

TEST(TracepointFormat, FollowsTextsToTheirPlace) {
  const auto format = TracepointFormat::parse(irq_format);
  const Made made = Made().put(8, 26).put(12, std::uint32_t{(6U << 16U) | 20U}).put(20, "ttyS0");
  EXPECT_EQ(format->text(made.bytes, "name"), "ttyS0");
  EXPECT_EQ(format->text(Made().put(12, std::uint32_t{0xFFFFFFFF}).bytes, "name"), "") << "beyond the record";
}

TEST(EventReader, KnowsTheObservedThreadByItsNumberInTheKernel) {
  // In this process's namespace the observed thread is 7, in the kernel's 4007.
  EventReader reader = reader_of(7);
  const auto events = reader.read({{2000, 7, switched(4007, 0, "swapper/0", 0, 120).bytes},
                                   {3000, 0, switched(0, 0, "observed", 4007, 120).bytes},
                                   {4000, 7, switched(4007, 256, "plant", 50, 89).bytes},
                                   {5000, 0, switched(50, 1, "observed", 4007, 120).bytes}});
  ASSERT_EQ(events.size(), 4U);
  EXPECT_TRUE(events[0].to_idle && events[0].from_runnable);
  EXPECT_TRUE(events[1].to_observed);
  EXPECT_TRUE(events[2].from_runnable) << "256 says that it was preempted";
  EXPECT_TRUE(events[2].to_real_time && !events[2].to_kernel);
  EXPECT_EQ(events[2].name, "plant");
  EXPECT_FALSE(events[3].from_runnable);
}

TEST(EventReader, NamesInterruptsAndSoftirqs) {
  EventReader reader = reader_of(7);
  const Made irq =
      Made().put(0, std::uint16_t{225}).put(8, 26).put(12, std::uint32_t{(6U << 16U) | 20U}).put(20, "ttyS0");
  const Made softirq = Made().put(0, std::uint16_t{223}).put(8, std::uint32_t{3});
  const auto events = reader.read({{20, 7, softirq.bytes}, {10, 7, irq.bytes}, {30, 7, {1, 2}}, {40, 7, {}}});
  ASSERT_EQ(events.size(), 2U) << "what is no known tracepoint is left out";
  EXPECT_EQ(events[0].name, "26 ttyS0") << "in the order of time";
  EXPECT_EQ(events[1].name, "NET_RX");
}

TEST(EventReader, KnowsThreadsOfTheKernelByTheirNames) {
  EventReader reader = reader_of(7);
  const auto events = reader.read({{1, 7, switched(7, 0, "ksoftirqd/0", 2'000'000'000, 120).bytes},
                                   {2, 0, switched(2'000'000'000, 1, "my-program", 2'000'000'001, 120).bytes}});
  EXPECT_TRUE(events[0].to_kernel) << "no such thread is alive, but nobody else is called that";
  EXPECT_FALSE(events[1].to_kernel);
}

}  // namespace
}  // namespace assay
