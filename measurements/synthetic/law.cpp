// SPDX-License-Identifier: Apache-2.0
// The laws, each a function of one uniform and one normal variate with median 1.
#include "synthetic/law.hpp"

#include <cmath>

namespace assay {
namespace {

double constant(double, double, double, long) { return 1; }
double normal_law(double, double normal, double spread, long) { return 1 + spread * normal; }

/// Log-normal body; one draw in twenty, chosen without regard to the body, takes twenty times as long. The tail lifts
/// the median of the mixture by less than a tenth of the spread.
double heavy_tail(double uniform, double normal, double spread, long) {
  return std::exp(spread * normal) * (uniform < 0.05 ? 20 : 1);
}

/// Two modes at 1 and 1.5, three quarters of the weight below: the median lies in the lower one, at its 2/3 quantile.
double bimodal(double uniform, double normal, double spread, long) {
  constexpr double two_thirds_quantile = 0.4307272992954576;
  const double body = 1 + spread * (normal - two_thirds_quantile);
  return uniform < 0.75 ? body : body + 0.5;
}

/// Grows by a tenth of the median over a thousand batches of one process.
double drift(double, double normal, double spread, long batch) {
  return 1 + spread * normal + 1e-4 * static_cast<double>(batch);
}

/// A plateau of a tenth above the median for the first 40 batches of a process.
double step(double, double normal, double spread, long batch) { return 1 + spread * normal + (batch < 40 ? 0.1 : 0); }

struct Law {
  const char* summary;
  double (*draw)(double, double, double, long);
};

const std::map<std::string, Law>& laws() {
  static const std::map<std::string, Law> all{
      {"constant", {"Constant: always the median.", constant}},
      {"normal", {"Normal with a relative standard deviation of `spread`.", normal_law}},
      {"heavy_tail", {"Log-normal, one draw in twenty 20 times slower.", heavy_tail}},
      {"bimodal", {"Normal, one draw in four slower by half the median.", bimodal}},
      {"drift", {"Normal, growing by a tenth of the median per thousand batches.", drift}},
      {"step", {"Normal, a tenth slower in the first 40 batches of each process.", step}}};
  return all;
}

}  // namespace

const std::map<std::string, std::string>& law_words() {
  static const std::map<std::string, std::string> words = [] {
    std::map<std::string, std::string> all;
    for (const auto& [word, law] : laws()) all.emplace(word, law.summary);
    return all;
  }();
  return words;
}

LawDraws::LawDraws(Setup& setup, const std::string& law)
    : draw_(laws().at(law).draw),
      median_(setup.level<double>("median")),
      spread_(setup.level<double>("spread")),
      rng_(setup.seed()) {
  if (!(median_ > 0) || !(spread_ >= 0)) throw Unsupported("a law needs a positive median and a spread of at least 0");
  median_ *= std::exp(setup.level<double>("between") * rng_.normal());
}

Claims LawDraws::run(Member&, Reps reps) {
  const double uniform = rng_.uniform();
  const double normal = rng_.normal();
  return Nanoseconds{median_ * draw_(uniform, normal, spread_, batch_++) * static_cast<double>(reps.count)};
}

}  // namespace assay
