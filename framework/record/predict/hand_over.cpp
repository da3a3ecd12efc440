// SPDX-License-Identifier: Apache-2.0
// The text of a request for advice.
#include <sstream>

#include "base/error.hpp"
#include "base/number.hpp"
#include "record/predict/advice.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay::predict {

namespace {

constexpr const char* example = "write --advise 'hand-over bytes=64 from=cpu:0 to=cpu:1 rate=10000/s'";

// The number of a text, also with a suffix as in 4Ki and 10k; nothing where it is none.
std::optional<double> number_in(const std::string& text) {
  const NumberResult read = read_number(text);
  return read.what.empty() ? number_of(read.value) : std::nullopt;
}

class HandOverReader {
 public:
  explicit HandOverReader(std::string where) : where_(std::move(where)) {}

  HandOver read(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    words >> word;
    if (word != "hand-over")
      problem(word.empty() ? "there is no advice on nothing" : "there is no advice on " + shown(word),
              "what can be asked for is a hand-over", example);
    while (words >> word) read_setting(word);
    if (request_.from.has_value() != request_.to.has_value())
      problem("one of from and to is missing", "a hand-over is between two CPUs", "give both, or placement=WORD");
    if (request_.from && request_.from == request_.to)
      problem("from and to are one CPU", {}, "name two, or write placement=same-pu for members that share one");
    if (request_.from && !request_.placement.empty())
      problem("CPUs and placement contradict each other", {}, "leave one out");
    if (!problems_.empty()) throw ConfigError(std::move(problems_));
    return request_;
  }

 private:
  void problem(std::string what, std::string why, std::string remedy) {
    problems_.push_back({{where_}, std::move(what), std::move(why), std::move(remedy)});
  }

  void read_setting(const std::string& word) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (value.empty()) return problem(shown(word) + " is no setting", "a setting is KEY=VALUE", example);
    if (key == "bytes") return read_bytes(value);
    if (key == "rate") return read_rate(value);
    if (key == "from" || key == "to") return read_cpu(key, value);
    if (key == "placement" || key == "vehicle") {
      (key == "placement" ? request_.placement : request_.vehicle) = value;
      return;
    }
    problem("a hand-over has no setting " + shown(key), {},
            suggestion(key, {"bytes", "from", "to", "rate", "placement", "vehicle"}));
  }

  void read_bytes(const std::string& value) {
    const auto bytes = number_in(value);
    if (!bytes || *bytes < 1)
      return problem("bytes=" + shown(value) + " is no size", "a message has a byte at least",
                     "write bytes=64 or bytes=4Ki");
    request_.bytes = *bytes;
  }

  void read_rate(const std::string& value) {
    const bool is_per_second = value.ends_with("/s");
    const auto rate = is_per_second ? number_in(value.substr(0, value.size() - 2)) : std::nullopt;
    if (!rate || *rate < 0)
      return problem("rate=" + shown(value) + " is no rate", "it is a number of hand-overs per second",
                     "write rate=10000/s");
    request_.rate = *rate;
  }

  void read_cpu(const std::string& key, const std::string& value) {
    const auto colon = value.find(':');
    const std::string kind = value.substr(0, colon);
    const std::string digits = colon == std::string::npos ? std::string() : value.substr(colon + 1);
    constexpr double most = 1e6;
    const auto number = is_whole_number(digits) ? number_in(digits) : std::nullopt;
    if ((kind != "cpu" && kind != "core") || !number || *number > most)
      return problem(key + "=" + shown(value) + " is no CPU", "it is the number that the operating system has for it",
                     "write " + key + "=cpu:0");
    (key == "from" ? request_.from : request_.to) = static_cast<int>(*number);
  }

  std::string where_;
  HandOver request_;
  std::vector<Problem> problems_{};
};

}  // namespace

HandOver parse_hand_over(const std::string& text, const std::string& where) { return HandOverReader(where).read(text); }

}  // namespace assay::predict
