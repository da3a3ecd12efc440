// SPDX-License-Identifier: Apache-2.0
// Nothing malformed gets through as a message.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <type_traits>

#include "support/records/random_messages.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

using namespace testing_support;

/// Calls `decode`, which may only succeed or throw JsonError; true when it succeeded.
template <class Decode>
bool understood(Decode decode, const std::string& line) {
  try {
    decode(line);
    return true;
  } catch (const JsonError&) {
    return false;
  }
}

TEST(HostileMessagesTest, NoPrefixIsAMessage) {
  Rng rng(3);
  for (const std::string& line : random_requests(rng))
    for (std::size_t n = 0; n < line.size(); ++n) EXPECT_THROW(decode_request(line.substr(0, n)), JsonError);
  for (const std::string& line : random_replies(rng))
    for (std::size_t n = 0; n < line.size(); ++n) EXPECT_THROW(decode_reply(line.substr(0, n)), JsonError);
}

TEST(HostileMessagesTest, DamagedLinesAreRefusedOrUnderstoodNeverWorse) {
  Rng rng(4);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    auto lines = random_requests(rng);
    for (std::string& line : lines) {
      line[rng.below(line.size())] = static_cast<char>(rng.below(256));
      refused += understood(decode_request, line) ? 0 : 1;
    }
    lines = random_replies(rng);
    for (std::string& line : lines) {
      line[rng.below(line.size())] = static_cast<char>(rng.below(256));
      refused += understood(decode_reply, line) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000);
}

using Change = std::function<void(Json::Object&)>;

/// The tree with the object number `n` (counted down to 0 on the way) changed.
Json with_changed_object(const Json& json, int& n, const Change& change) {
  return json.visit([&](const auto& value) -> Json {
    using T = std::decay_t<decltype(value)>;
    T copy = value;
    if constexpr (std::is_same_v<T, Json::Array>) {
      for (Json& item : copy) item = with_changed_object(item, n, change);
    } else if constexpr (std::is_same_v<T, Json::Object>) {
      for (auto& member : copy) member.second = with_changed_object(member.second, n, change);
      if (n-- == 0) change(copy);
    }
    if constexpr (std::is_same_v<T, std::monostate>)
      return {};
    else
      return copy;
  });
}

/// The line with each of its objects changed in turn, where the change makes a difference.
std::vector<std::string> spoilt(const std::string& line, const Change& change) {
  std::vector<std::string> lines;
  const Json json = parse_json(line);
  for (int which = 0;; ++which) {
    int n = which;
    const std::string bad = to_text(with_changed_object(json, n, change));
    if (n >= 0) return lines;
    if (bad != line) lines.push_back(bad);
  }
}

/// A line of every kind with one object changed, for each of its objects outside batches, whose codec is another's.
void expect_refused(const Change& change) {
  Rng rng(5);
  std::vector<std::string> replies = random_replies(rng);
  replies[1] = encode(Reply(VisitYield{}), 1);
  for (const std::string& line : random_requests(rng))
    for (const std::string& bad : spoilt(line, change)) EXPECT_FALSE(understood(decode_request, bad)) << bad;
  for (const std::string& line : replies)
    for (const std::string& bad : spoilt(line, change)) EXPECT_FALSE(understood(decode_reply, bad)) << bad;
}

TEST(HostileMessagesTest, StrangersAreRefusedEverywhere) {
  expect_refused([](Json::Object& members) { members.emplace_back("stranger", 1); });
}

TEST(HostileMessagesTest, MissingMembersAreRefusedEverywhere) {
  for (std::size_t which = 0; which < 13; ++which)
    expect_refused([which](Json::Object& members) {
      if (which < members.size()) members.erase(members.begin() + static_cast<std::ptrdiff_t>(which));
    });
}

TEST(HostileMessagesTest, MembersOfAnotherTypeAreRefusedEverywhere) {
  for (std::size_t which = 0; which < 13; ++which)
    expect_refused([which](Json::Object& members) {
      if (which < members.size()) members[which].second = Json::Array{Json::Object{{"odd", true}}};
    });
}

/// The line with one member of its body replaced.
std::string with_body(const std::string& line, std::string_view key, const Json& value) {
  const Json json = parse_json(line);
  Json::Object message = json.object();
  Json::Object body = message[3].second.object();
  for (auto& [name, old] : body)
    if (name == key) old = value;
  message[3].second = body;
  return to_text(Json(message));
}

TEST(HostileMessagesTest, ImpossibleRequestsAreRefused) {
  const std::string open = encode(Request(OpenMessage{"a/b", {}, "thread", 2, {"smt", {0, 1}}}), 1);
  ASSERT_TRUE(understood(decode_request, open));
  EXPECT_THROW(decode_request(with_body(open, "measurement", "")), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "point", "a=")), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "members", 0)), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "members", 3)), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "members", std::int64_t{1} << 40)), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "cpus", Json::Array{0, -1})), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "cpus", Json::Array{0, std::int64_t{1} << 32})), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "warm_up", -1.0)), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "warm_up", "nan")), JsonError);
  EXPECT_THROW(decode_request(with_body(open, "warm_up", "inf")), JsonError);
  const std::string visit = encode(Request(VisitOrder{Reps{1}}), 1);
  ASSERT_TRUE(understood(decode_request, visit));
  EXPECT_THROW(decode_request(with_body(visit, "reps", 0)), JsonError);
  EXPECT_THROW(decode_request(with_body(visit, "batches", -1)), JsonError);
  EXPECT_THROW(decode_request(with_body(visit, "discard", -1)), JsonError);
  EXPECT_THROW(decode_request(with_body(visit, "batches", std::numeric_limits<int>::max())), JsonError);
  EXPECT_THROW(decode_request(with_body(visit, "discard", std::numeric_limits<int>::max())), JsonError);
}

TEST(HostileMessagesTest, ImpossibleRepliesAreRefused) {
  const std::string failed = encode(Reply(FailedMessage{}), 1);
  ASSERT_TRUE(understood(decode_reply, failed));
  for (const char* outcome : {"converged", "timeout", "open", "nonsense"})
    EXPECT_THROW(decode_reply(with_body(failed, "outcome", outcome)), JsonError) << outcome;
  VisitYield yield;
  yield.batches.push_back({Reps{1}, {MemberReport{}}});
  const std::string line = encode(Reply(yield), 1);
  ASSERT_TRUE(understood(decode_reply, line));
  EXPECT_THROW(decode_reply(with_body(line, "discarded", 2)), JsonError);
  EXPECT_THROW(decode_reply(with_body(line, "reference", "inf")), JsonError);
  ASSERT_TRUE(understood(decode_reply, with_body(line, "batches", "5 1 1 0 2.5 0 0 0 0 1 1 3 4 1 2 1 2 ")));
  for (const char* batches : {"5", "5 ", "5 1 ", "5 1 0 ", "x 0 ", "5  0 ", " 5 0 ", "5 -1 ", "5 99999999999999999999 ",
                              "5 1000000000000 ", "5 1 1 8 2.5 0 0 0 0 1 1 3 4 1 2 1 2 ", "5 1 9 ",
                              "5 1 1 0 1e999 0 0 0 0 1 1 3 4 1 2 1 2 ", "5 1 0 0 0 0 0 4294967296 1 3 4 1 2 1 2 "})
    EXPECT_THROW(decode_reply(with_body(line, "batches", batches)), JsonError) << batches;
  Opened opened;
  EXPECT_THROW(decode_reply(encode(Reply(opened), 1)), JsonError) << "no process has the id 0";
  opened.process = 1;
  EXPECT_TRUE(understood(decode_reply, encode(Reply(opened), 1)));
  EXPECT_THROW(decode_reply(with_body(encode(Reply(opened), 1), "warm_up", "nan")), JsonError);
}

TEST(HostileMessagesTest, SenselessDescriptionsAreRefused) {
  const auto refused = [](const std::function<void(Description&)>& spoil) {
    Description description{"a/b", "what"};
    spoil(description);
    return !understood(decode_reply, encode(Reply(Described{{description}}), 1));
  };
  EXPECT_FALSE(refused([](Description&) {}));
  EXPECT_TRUE(refused([](Description& d) { d.name.clear(); }));
  EXPECT_TRUE(refused([](Description& d) { d.quantities.clear(); }));
  EXPECT_TRUE(refused([](Description& d) { d.quantities.resize(max_quantities + 1); }));
  EXPECT_TRUE(refused([](Description& d) { d.quantities[0].claimant = 1; }));
  EXPECT_TRUE(refused([](Description& d) { d.members = {0, 1}; }));
  EXPECT_TRUE(refused([](Description& d) { d.members = {3, 2}; }));
  EXPECT_TRUE(refused([](Description& d) { d.traits.vehicles.clear(); }));
  EXPECT_TRUE(refused([](Description& d) { d.traits.events_per_rep = 0; }));
  EXPECT_TRUE(refused([](Description& d) { d.traits.reps = {Reps{5}, Reps{4}}; }));
}

TEST(HostileMessagesTest, OtherVersionsNumbersAndKindsAreRefused) {
  const auto line = [](int protocol, int number, const std::string& kind) {
    return to_text(Json::Object{{"protocol", protocol}, {"number", number}, {"kind", kind}, {"body", Json::Object{}}});
  };
  ASSERT_TRUE(understood(decode_request, line(protocol_version, 1, "describe")));
  EXPECT_THROW(decode_request(line(protocol_version + 1, 1, "describe")), JsonError);
  EXPECT_THROW(decode_request(line(protocol_version, 0, "describe")), JsonError);
  EXPECT_THROW(decode_request(line(protocol_version, 1, "described")), JsonError);
  EXPECT_THROW(decode_reply(line(protocol_version, 1, "describe")), JsonError);
  EXPECT_THROW(decode_reply(encode(Reply(FailedMessage{}), -1)), JsonError);
}

}  // namespace
}  // namespace assay
