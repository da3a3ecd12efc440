// SPDX-License-Identifier: Apache-2.0
// What `assay predict` prints and refuses, byte by byte.
#include "support/environment/golden.hpp"
#include "unit/app/commands/predict_fixture.hpp"

namespace assay::test {
namespace {

class PredictGolden : public PredictTest {
 protected:
  void note(const std::string& name, const std::vector<std::string>& arguments) {
    const int code = call(arguments);
    noted_ += "== " + name + "\n" + out_.str() + err_.str() + "exit code " + std::to_string(code) + "\n";
    const std::string own = folder_.path().string();
    for (auto at = noted_.find(own); at != noted_.npos; at = noted_.find(own)) noted_.replace(at, own.size(), "FOLDER");
  }

  std::string noted_;
};

TEST_F(PredictGolden, Predictions) {
  MachineTruth truth;
  const std::string campaign = write("right", truth);
  truth.store *= 2;
  note("all", {campaign});
  note("a doubled parameter", {write("wrong", truth), "--for", "logp/round_trip"});
  note("advice", {campaign, "--advise", "hand-over bytes=64 placement=same-l3 rate=1000/s"});
  EXPECT_TRUE(matches_golden(noted_, "predictions/predict_printed.txt"));
}

TEST_F(PredictGolden, Formulas) {
  note("formulas", {"--what"});
  EXPECT_TRUE(matches_golden(noted_, "predictions/predict_formulas.txt"));
}

TEST_F(PredictGolden, WrongUse) {
  const std::string campaign = write("right", MachineTruth());
  ResultJournal empty;
  empty.series("empty", "sync/empty", {"time"}).point(place_levels({}, 1), {1});
  note("no parameters", {write("none", empty.records())});
  note("no formula", {campaign, "--for", "sync/barier"});
  note("no numbers", {campaign, "--members", "2,many"});
  note("no advice", {campaign, "--advise", "handover bytes=none from=cpu:0 rate=5 byte=1"});
  EXPECT_TRUE(matches_golden(noted_, "predictions/predict_wrong_use.txt"));
}

}  // namespace
}  // namespace assay::test
