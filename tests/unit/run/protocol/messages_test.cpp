// SPDX-License-Identifier: Apache-2.0
// Messages survive the way there and back exactly.
#include "run/protocol/messages.hpp"

#include <gtest/gtest.h>

#include "support/records/random_messages.hpp"

namespace assay {
namespace {

using namespace testing_support;

std::string again(const NumberedRequest& request) { return encode(request.request, request.number); }
std::string again(const NumberedReply& reply) { return encode(reply.reply, reply.answers); }

TEST(MessagesTest, EveryMessageReadsBackExactly) {
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    for (const std::string& line : random_requests(rng)) EXPECT_EQ(again(decode_request(line)), line);
    for (const std::string& line : random_replies(rng)) EXPECT_EQ(again(decode_reply(line)), line);
  }
}

TEST(MessagesTest, MessagesAreSingleLines) {
  Rng rng(2);
  for (int i = 0; i < 100; ++i)
    for (const std::string& line : random_replies(rng)) EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(MessagesTest, OpenKeepsEveryField) {
  OpenMessage open{"a/b",           {}, "process", 2, {"smt", {3, 1}, 1}, "fifo", true, true, 0xfedcba9876543210U,
                   milliseconds(5), 3};
  open.point.set("size", std::int64_t{4096});
  open.point.set("share", 1.0);
  const NumberedRequest back = decode_request(encode(Request(open), 7));
  EXPECT_EQ(back.number, 7);
  const auto& same = std::get<OpenMessage>(back.request);
  EXPECT_EQ(same.measurement, "a/b");
  EXPECT_EQ(same.point, open.point);
  EXPECT_EQ(same.vehicle, "process");
  EXPECT_EQ(same.members, 2);
  EXPECT_EQ(same.placement, open.placement);
  EXPECT_EQ(same.policy, "fifo");
  EXPECT_TRUE(same.bystander);
  EXPECT_TRUE(same.counter_clock);
  EXPECT_EQ(same.seed, open.seed);
  EXPECT_EQ(same.warm_up, milliseconds(5));
  EXPECT_EQ(same.loop_copy, 3);
}

TEST(MessagesTest, VisitOrderKeepsEveryField) {
  const auto request = decode_request(encode(Request(VisitOrder{Reps{460}, 2, 5, 9, true, seconds(3)}), 1)).request;
  const auto& order = std::get<VisitOrder>(request);
  EXPECT_EQ(order.reps.count, 460);
  EXPECT_EQ(order.discard, 2);
  EXPECT_EQ(order.most_discard, 5);
  EXPECT_EQ(order.batches, 9);
  EXPECT_TRUE(order.reference);
  EXPECT_EQ(order.deadline, seconds(3));
}

TEST(MessagesTest, OpenedKeepsEveryField) {
  const Opened opened{42,    {4, 2},          microseconds(6),         99, 4096, {10}, {20},
                      {0.5}, microseconds(7), "glibc 2.36, NPTL 2.36", 2};
  const NumberedReply back = decode_reply(encode(Reply(opened), 3));
  EXPECT_EQ(back.answers, 3);
  const auto& same = std::get<Opened>(back.reply);
  EXPECT_EQ(same.process, 42);
  EXPECT_EQ(same.cpus, opened.cpus);
  EXPECT_EQ(same.warm_up, microseconds(6));
  EXPECT_EQ(same.warm_up_reps, 99);
  EXPECT_EQ(same.stack_padding, 4096);
  EXPECT_EQ(same.clock_step.count, 10);
  EXPECT_EQ(same.clock_cost.count, 20);
  EXPECT_EQ(same.clock_spread.count, 0.5);
  EXPECT_EQ(same.warm_up_took, microseconds(7));
  EXPECT_EQ(same.library, "glibc 2.36, NPTL 2.36");
  EXPECT_EQ(same.loop_copy, 2);
}

TEST(MessagesTest, YieldKeepsReferenceAndBatches) {
  VisitYield yield;
  yield.discarded = 1;
  yield.batches = {{Reps{5}, {MemberReport{}}}, {Reps{6}, {MemberReport{}}}};
  yield.batches[1].members[0].claims.set(2, -0.25);
  auto same = std::get<VisitYield>(decode_reply(encode(Reply(yield), 1)).reply);
  EXPECT_EQ(same.discarded, 1);
  EXPECT_FALSE(same.reference);
  ASSERT_EQ(same.batches.size(), 2U);
  EXPECT_EQ(same.batches[1].reps.count, 6);
  EXPECT_TRUE(same.batches[1].members.at(0).claims.has(2));
  EXPECT_FALSE(same.batches[1].members.at(0).claims.has(0));
  EXPECT_EQ(same.batches[1].members.at(0).claims[2], -0.25);
  EXPECT_TRUE(same.found_parts.empty());
  yield.found_parts = {{"interrupt local_timer", 0.25, 7}, {"user thread \"x\" (5)", 1e-9, 0}};
  yield.reference = Nanoseconds{0};
  same = std::get<VisitYield>(decode_reply(encode(Reply(yield), 1)).reply);
  EXPECT_EQ(same.reference, Nanoseconds{0});
  EXPECT_EQ(same.found_parts, yield.found_parts);
}

TEST(MessagesTest, WhereMembersWereLookedAtIsToldWhereNothingBindsThem) {
  VisitYield yield;
  yield.apart = {{{0.07}, {0.9}}, {{0.08}, {0.9}}};
  const std::string bound = encode(Reply(yield), 1);
  EXPECT_EQ(bound.find("apart_cpus"), std::string::npos) << "as workers of builds that know of none have it";
  EXPECT_TRUE(std::get<VisitYield>(decode_reply(bound).reply).apart_cpus.empty());
  yield.apart_cpus = {3, -1};  // the second was moved meanwhile
  EXPECT_EQ(std::get<VisitYield>(decode_reply(encode(Reply(yield), 1)).reply).apart_cpus, yield.apart_cpus);
  yield.apart_cpus = {3};
  EXPECT_THROW(decode_reply(encode(Reply(yield), 1)), JsonError);
  yield.apart_cpus = {3, -2};
  EXPECT_THROW(decode_reply(encode(Reply(yield), 1)), JsonError);
}

TEST(MessagesTest, SystemCallsAreToldWhereTheyWereTimed) {
  VisitYield yield;
  yield.apart = {{{0.07}, {0.9}}, {{0.08}, {0.9}}};
  const std::string without = encode(Reply(yield), 1);
  EXPECT_EQ(without.find("apart_calls"), std::string::npos) << "as workers of builds that time none have it";
  yield.apart[1].call = Nanoseconds{190.25};
  const std::string with = encode(Reply(yield), 1);
  EXPECT_EQ(std::get<VisitYield>(decode_reply(with).reply).apart, yield.apart);
  std::string fewer = with;
  fewer.replace(fewer.find("\"apart_calls\":["), 15, "\"apart_calls\":[1.0,");
  EXPECT_THROW(decode_reply(fewer), JsonError);
}

TEST(MessagesTest, FailureKeepsOutcomeReasonAndCode) {
  const auto reply = decode_reply(encode(Reply(FailedMessage{Outcome::unsupported, "no futex", "N4"}), 1)).reply;
  const auto& failed = std::get<FailedMessage>(reply);
  EXPECT_EQ(failed.outcome, Outcome::unsupported);
  EXPECT_EQ(failed.why, "no futex");
  EXPECT_EQ(failed.code, "N4");
}

TEST(MessagesTest, DescriptionKeepsEveryField) {
  Description description{"os/pipe", "one byte through a pipe"};
  description.quantities = {{"rate", Unit::per_second, Combine::sum, 1, Per::batch, true, "bytes"}};
  description.factors = {{"size", FactorKind::quantitative, Unit::bytes, std::int64_t{64}, {}, "of a message"},
                         {"way", FactorKind::categorical, Unit::count, std::string("a"), {"a", "b"}, "direction"}};
  description.members = at_least(2);
  description.traits = {{"thread", "process"}, Waiting::either, 2.0, {Reps{2}, Reps{20}}, true};
  description.selector = "way";
  description.core_cycles = CoreCycles::on_one_cpu;
  description.selected = {{"b", {{"process"}, Waiting::blocks, 1.0, {Reps{3}, Reps{4}}, false}}};
  const auto reply = decode_reply(encode(Reply(Described{{description}}), 1)).reply;
  const Description& same = std::get<Described>(reply).measurements.at(0);
  EXPECT_EQ(same.name, "os/pipe");
  EXPECT_EQ(same.summary, description.summary);
  EXPECT_EQ(same.core_cycles, description.core_cycles);
  ASSERT_EQ(same.quantities.size(), 1U);
  EXPECT_EQ(same.quantities[0].name, "rate");
  EXPECT_EQ(same.quantities[0].unit, Unit::per_second);
  EXPECT_EQ(same.quantities[0].combine, Combine::sum);
  EXPECT_EQ(same.quantities[0].claimant, 1);
  EXPECT_EQ(same.quantities[0].per, Per::batch);
  EXPECT_TRUE(same.quantities[0].is_signed);
  EXPECT_EQ(same.quantities[0].summary, "bytes");
  ASSERT_EQ(same.factors.size(), 2U);
  EXPECT_EQ(same.factors[0].name, "size");
  EXPECT_EQ(same.factors[0].kind, FactorKind::quantitative);
  EXPECT_EQ(same.factors[0].unit, Unit::bytes);
  EXPECT_EQ(same.factors[0].standard, Value(std::int64_t{64}));
  EXPECT_EQ(same.factors[1].words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(same.factors[1].summary, "direction");
  EXPECT_EQ(same.members.least, 2);
  EXPECT_EQ(same.members.most, at_least(2).most);
  EXPECT_EQ(same.traits.vehicles, description.traits.vehicles);
  EXPECT_EQ(same.traits.waiting, Waiting::either);
  EXPECT_EQ(same.traits.events_per_rep, 2.0);
  EXPECT_EQ(same.traits.reps.least.count, 2);
  EXPECT_EQ(same.traits.reps.most.count, 20);
  EXPECT_TRUE(same.traits.simulated);
  EXPECT_EQ(same.selector, "way");
  ASSERT_EQ(same.selected.size(), 1U);
  EXPECT_EQ(same.selected[0].first, "b");
  EXPECT_EQ(same.selected[0].second.waiting, Waiting::blocks);
  EXPECT_EQ(same.selected[0].second.reps.most.count, 4);
}

}  // namespace
}  // namespace assay
