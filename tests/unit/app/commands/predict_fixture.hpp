// SPDX-License-Identifier: Apache-2.0
// Campaigns on disk that `assay predict` is called with.
#pragma once
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"
#include "support/machines/fake_clock.hpp"
#include "support/records/predict_results.hpp"

namespace assay::test {

/// The program's sub-command over campaigns of known machines.
class PredictTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::vector<Record>& records) const {
    const FakeClock clock;
    Journal journal(folder_ / name, clock);
    journal.write(CampaignRecord{name, "[campaign]\n", 1, "interleaved"});
    for (const Record& record : spinning(records)) journal.write(record);
    return folder_ / name;
  }
  std::string write(const std::string& name, const MachineTruth& truth) const {
    return write(name, machine_results(truth).records());
  }

  int call(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "predict");
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(
        arguments, [](Registry&, std::string_view) {}, context);
  }

  Scratch folder_;
  std::ostringstream out_;
  std::ostringstream err_;
};

}  // namespace assay::test
