// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user would, and reads what it left.
#pragma once
#include <string>
#include <vector>

#include "record/journal/journal.hpp"
#include "support/environment/scratch.hpp"

namespace assay::test {

/// What a finished program left behind.
struct Finished {
  int exit_code = -1;  ///< 128 + signal when killed
  std::string out;
  std::string err;
};

/// What programs of tests answer for, unless a test says otherwise: what the cores of the machine that tests run on are
/// like must decide no test. Tests of states plant them, and ask for `lone_state`.
inline constexpr const char* any_state = "ASSAY_PRECISION_STATE=any";
inline constexpr const char* lone_state = "ASSAY_PRECISION_STATE=alone";

/// Whatever locale the tests run in, none included, programs draw the same.
inline constexpr const char* utf8_locale = "LC_ALL=C.UTF-8";

/// Runs a program from the path or by path, to its end, without a shell. `environment` holds additions, "NAME=value".
Finished run_program(const std::vector<std::string>& command, const std::vector<std::string>& environment = {});
/// The path of the built `assay`.
std::string assay_program();
/// The built `assay` with arguments.
Finished run_assay(std::vector<std::string> arguments, const std::vector<std::string>& environment = {});

/// Writes a campaign file and runs it into `folder/campaign`, unless the options name another output.
Finished run_campaign_text(const Scratch& folder, const std::string& ini, const std::vector<std::string>& options = {},
                           const std::vector<std::string>& environment = {});

/// All records of one kind, in order.
template <class Kind>
std::vector<Kind> records_of(const std::vector<Record>& records) {
  std::vector<Kind> found;
  for (const Record& record : records)
    if (const auto* one = std::get_if<Kind>(&record)) found.push_back(*one);
  return found;
}

/// The records of the campaign in `folder/campaign`.
std::vector<Record> campaign_records(const Scratch& folder);
/// The results of a series by point text, primary quantity first.
std::vector<PointRecord> points_of(const std::vector<Record>& records, const std::string& series);

}  // namespace assay::test
