// SPDX-License-Identifier: Apache-2.0
// Draws from laws of known median, through the real machinery and without spending their time.
#pragma once
#include <map>
#include <string>

#include "api/measurement.hpp"
#include "base/rng.hpp"

namespace assay {

/// The laws' words with one sentence each.
const std::map<std::string, std::string>& law_words();

/// One draw per batch, claimed for each of its repetitions.
class LawDraws final : public Measurement {
 public:
  /// Throws Unsupported for a median that is not positive or a negative spread.
  LawDraws(Setup& setup, const std::string& law);
  Claims run(Member& member, Reps reps) override;

 private:
  double (*draw_)(double uniform, double normal, double spread, long batch);
  double median_;
  double spread_;
  Rng rng_;
  long batch_ = 0;
};

}  // namespace assay
