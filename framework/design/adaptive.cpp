// SPDX-License-Identifier: Apache-2.0
// Refined lines or surfaces through all combinations of the factors that are not refined.
#include <algorithm>

#include "design/lines.hpp"
#include "design/sheet.hpp"

namespace assay {
namespace {

/// A surface for each combination of the other factors.
class Sheets final : public Design {
 public:
  Sheets(std::vector<FactorDomain> factors, std::size_t max_levels)
      : groups_(std::move(factors)), sheets_(groups_.common().size(), Sheet(groups_.refined(), max_levels)) {}

  void tell(const Point& point, const Response& response) override {
    sheets_.at(groups_.group_of(point)).tell(groups_.refined_of(point), response);
  }
  std::vector<std::string> findings() const override {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sheets_.size(); ++i)
      for (const std::string& found : sheets_[i].findings()) texts.push_back(groups_.about(i, found));
    return texts;
  }

 private:
  std::vector<PointRequest> yield(std::size_t most) override {
    std::vector<PointRequest> requests;
    for (std::size_t i = 0; i < sheets_.size(); ++i)
      for (const PointRequest& request : sheets_[i].ask(most))
        requests.push_back({groups_.joined(i, request.point), request.attempt, request.sharpen});
    return requests;
  }

  Groups groups_;
  std::vector<Sheet> sheets_;
};

}  // namespace

std::unique_ptr<Design> adaptive(std::vector<FactorDomain> factors, std::size_t max_points_per_line,
                                 std::optional<std::uint64_t> seed) {
  switch (std::count_if(factors.begin(), factors.end(), [](const auto& f) { return f.domain.refine.has_value(); })) {
    case 0:
      return factorial(std::move(factors), seed);
    case 1:
      return std::make_unique<Lines>(std::move(factors), max_points_per_line);
    default:
      return std::make_unique<Sheets>(std::move(factors), max_points_per_line);
  }
}

}  // namespace assay
