// SPDX-License-Identifier: Apache-2.0
// Codec: every kind of record reads back exactly; batches are compact; foreign JSON is refused by name.
#include "record/journal/codec.hpp"

#include <gtest/gtest.h>

#include <set>

#include "record/core_cycles.hpp"
#include "unit/record/random_records.hpp"
#include "unit/record/same.hpp"

namespace assay {
namespace {

using test::RandomRecords;
using test::same;

constexpr std::size_t kinds = std::variant_size_v<Record>;

std::string message_of(const Json& json) {
  try {
    decode(json);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "accepted";
}

// The object without one of its members.
Json without(const Json& json, std::size_t index) {
  Json::Object members = json.object();
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
  return members;
}

Batch plain_batch() { return {Reps{100}, {{Nanoseconds{1234}, 0, 0, 0, 2, 2, {1200}, {1300}, 0}}}; }

TEST(Codec, EveryKindReadsBackExactly) {
  RandomRecords random(20260131);
  for (int i = 0; i < 300; ++i)
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const Record record = random.of_kind(kind);
      ASSERT_EQ(record.index(), kind);
      const std::string text = to_text(encode(record));
      ASSERT_TRUE(same(decode(parse_json(text)), record)) << text;
    }
}

TEST(Codec, TypeComesFirst) {
  const Json json = encode(Record(NoteRecord{"hot"}));
  EXPECT_EQ(to_text(json), R"({"type":"note","text":"hot"})");
}

TEST(Codec, PointKeepsOrderAndKindOfLevels) {
  Point point;
  point.set("bytes", std::int64_t{4096});
  point.set("delay", 4096.0);
  point.set("channel", std::string("4096"));
  EXPECT_EQ(to_text(encode(point)), R"({"bytes":4096,"delay":4096.0,"channel":"4096"})");
  EXPECT_EQ(decode_point(encode(point)), point);
}

TEST(Codec, LevelThatIsNotFiniteIsNoWord) {
  Point number;
  number.set("x", std::numeric_limits<double>::infinity());
  Point word;
  word.set("x", std::string("inf"));
  EXPECT_EQ(decode_point(parse_json(to_text(encode(number)))), number);
  EXPECT_EQ(decode_point(parse_json(to_text(encode(word)))), word);
}

TEST(Codec, QuietBatchIsCompact) {
  EXPECT_EQ(to_text(encode(plain_batch())),
            R"({"reps":100,"claims":[[1234.0]],"cpu_ns":[1200.0],"wall_ns":[1300.0],"cpus":[2]})");
}

TEST(Codec, CountersAppearWhenOneMemberHasThem) {
  Batch batch = plain_batch();
  batch.members.push_back(batch.members.front());
  batch.members[1].involuntary = 3;
  batch.members[1].cpu_after = 5;
  batch.members[1].claims = Claims().set(2, 7.5);
  const std::string text = to_text(encode(batch));
  EXPECT_NE(text.find(R"("claims":[[1234.0],[null,null,7.5]])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("involuntary":[0,3])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("cpus":[2,2],"cpus_after":[2,5])"), std::string::npos) << text;
  EXPECT_EQ(text.find(R"("voluntary")"), std::string::npos) << text;
  EXPECT_TRUE(same(decode_batch(encode(batch)), batch));
}

TEST(Codec, UnknownMembersAreIgnored) {
  Json json = encode(Record(NoteRecord{"hot"}));
  json.set("later", 1);
  EXPECT_TRUE(same(decode(json), Record(NoteRecord{"hot"})));
}

TEST(Codec, MissingMembersAreNamed) {
  const std::set<std::string> may_be_missing{
      "symmetry",      "memory_node", "reference", "continues",  "new_machine",   "id",
      "configuration", "version",     "retried",   "unfinished", "clock_step_ns", "events_per_rep",
      "loop_copy",     "settled",     "clocks",    "pairs",      "apart_call_ns"};
  RandomRecords random(7);
  for (const std::size_t kind : {0U, 1U, 2U, 3U, 4U, 6U, 7U, 8U, 9U, 10U, 11U}) {
    const Json json = encode(random.of_kind(kind));
    for (std::size_t i = 0; i < json.object().size(); ++i) {
      const std::string& name = json.object()[i].first;
      const bool is_younger = kind == 4 && name == "took_ns";  // incarnations of older journals have none
      const bool may_lack = is_younger || (may_be_missing.contains(name) && !(kind == 0 && name == "configuration"));
      EXPECT_EQ(message_of(without(json, i)), may_lack ? "accepted" : "missing member '" + name + "'");
    }
  }
}

TEST(Codec, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(message_of(parse_json(R"({"type":"poem"})")), "unknown type of record 'poem'");
  EXPECT_EQ(message_of(parse_json(R"([1])")), "expected an object, found an array");
  EXPECT_EQ(message_of(parse_json(R"({"type":"note","text":3})")), "expected a string, found an integer");
  EXPECT_EQ(message_of(parse_json(R"({"type":"session","session":4294967296})")), "integer out of range: 4294967296");
  EXPECT_EQ(message_of(parse_json(R"({"type":"campaign","title":"","configuration":"","seed":"-1","schedule":""})")),
            "unknown seed '-1'");
}

TEST(Codec, RefusesBatchesThatDoNotFit) {
  const auto refused = [](const char* text) { EXPECT_THROW(decode_batch(parse_json(text)), JsonError) << text; };
  refused(R"({"reps":1,"claims":[[1.0]],"cpu_ns":[1.0,2.0],"wall_ns":[1.0],"cpus":[0]})");
  refused(R"({"reps":1,"claims":[[1.0]],"cpu_ns":[1.0],"wall_ns":[1.0],"cpus":[]})");
  refused(R"({"reps":1,"claims":[[1.0]],"cpu_ns":[1.0],"wall_ns":[1.0],"cpus":[0],"beats":[]})");
  refused(R"({"reps":1,"claims":[[1,2,3,4,5,6,7,8,9]],"cpu_ns":[1.0],"wall_ns":[1.0],"cpus":[0]})");
  refused(R"({"reps":1.5,"claims":[],"cpu_ns":[],"wall_ns":[],"cpus":[]})");
}

TEST(Codec, RefusesPointsThatCannotBe) {
  for (const char* text :
       {R"({"a b":1})", R"({"x":1,"x":2})", R"({"x":null})", R"({"x":[1]})", R"({"x":{"real":"nan"}})"})
    EXPECT_THROW(decode_point(parse_json(text)), JsonError) << text;
}

TEST(Codec, ForeignJsonNeverGetsThrough) {
  RandomRecords random(99);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const Json json = encode(random.of_kind(kind));
    for (std::size_t i = 1; i < json.object().size(); ++i) {
      Json::Object members = json.object();
      members[i].second = Json::Object{{"odd", Json::Array{}}};
      try {
        decode(members);  // some places take any object: a point, facts
      } catch (const JsonError&) {
      }
    }
  }
}

TEST(Codec, TheSpreadOfABatchIsKeptWhereItIsKnown) {
  for (const Spread spread : {Spread::one_cpu, Spread::own_cpus, Spread::varied}) {
    JudgedBatch judged;
    judged.judgement.spread = spread;
    EXPECT_EQ(decode_judged(encode(judged)).judgement.spread, spread);
  }
  EXPECT_EQ(encode(JudgedBatch{}).find("spread"), nullptr);
}

TEST(Codec, NodesAreNamedOnlyWhereThereAreSeveral) {
  CoresRecord cores{2, 3, {{1, 0.08, {0.9}, AloneBecause::throughput, 40, 30}}, 1, 0, {}, 0};
  EXPECT_EQ(to_text(encode(cores)),
            R"({"type":"cores","session":2,"cycles_per_step":3,"levels":[{"cpu":1,"alone":0.08,"chain_ns":0.9,)"
            R"("because":"throughput","readings":40,"readings_alone":30}],"alone":1.0,"shared":0.0,"distances_ns":[],)"
            R"("waited":0.0})");
  cores.levels.push_back({1, 0.16, {0.9}, AloneBecause::one_thread, 40, 30, "b"});
  cores.nodes = {{"b", 4, true}, {"c", 0, false}};
  const auto read = std::get<CoresRecord>(decode(encode(cores)));
  EXPECT_EQ(read.levels.at(0).core(), NodeCpu(1));
  EXPECT_EQ(read.levels.at(1).core(), NodeCpu("b", 1));
  ASSERT_EQ(read.nodes.size(), 2U);
  EXPECT_EQ(read.nodes[0].cycles_per_step, 4);
  EXPECT_TRUE(read.nodes[0].one_thread);
  EXPECT_FALSE(read.nodes[1].one_thread);
  VisitRecord visit{"one", {}, 0, 0, 0, 0, {}, {}, 0, {}, {}};
  EXPECT_EQ(to_text(encode(visit)).find("nodes"), std::string::npos);
  visit.nodes = {"a", "b"};
  EXPECT_EQ(std::get<VisitRecord>(decode(encode(visit))).nodes, visit.nodes);
}

TEST(Codec, ReadingsOfCoresMayBeMissingAndReadBack) {
  VisitRecord visit;
  visit.apart = {{{0.08}, {0.9}}, {{0.14}, {0.91}}};
  visit.batches = {{{Reps{1}, {MemberReport{}, MemberReport{}}}, {}}};
  visit.batches[0].batch.members[1].core_before = {{0.081}, {0.9}};
  visit.batches[0].batch.members[1].core_after = {{0.15}, {0.92}};
  EXPECT_TRUE(same(std::get<VisitRecord>(decode(encode(Record(visit)))), visit));
  EXPECT_EQ(to_text(encode(Record(VisitRecord{}))).find("apart"), std::string::npos);
}

TEST(Codec, JournalsOfBeforeHaveTheReadingsThatTheyHold) {
  VisitRecord visit;
  visit.batches = {{{Reps{1}, {MemberReport{}}}, {}}, {{Reps{1}, {MemberReport{}}}, {}}};
  visit.batches[0].judgement.disturbed.set(static_cast<std::size_t>(Disturbance::speed));
  visit.batches[1].judgement.disturbed.set(static_cast<std::size_t>(Disturbance::switched));
  Json old = encode(Record(visit));
  old.set("speed_before_ns", 0.816).set("speed_after_ns", 1.1);
  const auto read = std::get<VisitRecord>(decode(old));
  for (const JudgedBatch& judged : read.batches) {
    EXPECT_EQ(judged.batch.members.at(0).core_before.wide.count, 0.816);
    EXPECT_EQ(judged.batch.members.at(0).core_after.wide.count, 1.1);
    EXPECT_EQ(judged.batch.members.at(0).core_before.chain, no_clock);
  }
  EXPECT_TRUE(read.batches[0].judgement.disturbed.none()) << "a state, and no disturbance";
  EXPECT_TRUE(read.batches[1].judgement.disturbed.any());
}

TEST(Codec, LaterCausesMayBeMissingAndReadBack) {
  PointRecord point;
  point.disturbed.at(static_cast<std::size_t>(Disturbance::fault)) = 4;
  const Json written = encode(Record(point));
  Json old;
  for (const auto& [name, value] : written.object())
    old.set(name, name == "disturbed" ? Json(Json::Object(value.object().begin(), value.object().begin() + 6)) : value);
  EXPECT_EQ(std::get<PointRecord>(decode(old)).disturbed, point.disturbed);
}

TEST(Codec, BoundsOfACommonClockAndLatenessMayBeMissingAndReadBack) {
  VisitRecord visit;
  visit.batches = {{{Reps{1}, {MemberReport{}, MemberReport{}}}, {}}};
  EXPECT_FALSE(std::get<VisitRecord>(decode(encode(Record(visit)))).clock_bound);
  visit.clock_bound = Nanoseconds{420};
  visit.batches[0].batch.members[1].late = Nanoseconds{1700};
  EXPECT_TRUE(same(Record(visit), decode(encode(Record(visit)))));
  PointRecord point;
  point.clock_bound = Nanoseconds{430};
  EXPECT_EQ(std::get<PointRecord>(decode(encode(Record(point)))).clock_bound, point.clock_bound);
}

TEST(Codec, TheLibraryOfAVariantsWorkersIsKept) {
  PointRecord point;
  point.library = "glibc 2.41, NPTL 2.41";
  EXPECT_EQ(std::get<PointRecord>(decode(encode(Record(point)))).library, point.library);
}

TEST(Codec, ThatMembersGiveTheirCpusUpIsKeptAndNotSoInRecordsOfBefore) {
  VisitRecord visit;
  visit.batches = {{{Reps{1}, {MemberReport{}, MemberReport{}}, true}, {}}, {{Reps{1}, {MemberReport{}}}, {}}};
  const auto back = std::get<VisitRecord>(decode(encode(Record(visit))));
  EXPECT_TRUE(back.batches[0].batch.shares_cpus);
  EXPECT_FALSE(back.batches[1].batch.shares_cpus) << "not written, as in records of before";
}

}  // namespace
}  // namespace assay
