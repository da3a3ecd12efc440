// SPDX-License-Identifier: Apache-2.0
// Room: a series over its points and sessions: earlier results, derived quantities.
// A series while its campaign runs: its design, its rule, and what is known of the points that are finished.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "design/design.hpp"
#include "record/grouping.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"
#include "run/series/finished_index.hpp"
#include "text/text_key.hpp"

namespace assay {

/// A point that an earlier session finished, or about which it informed the design.
struct Finished {
  PointRecord record;
  int next_visit = 0;                    ///< visits from this one on came later
  bool same_rule = false;                ///< the rule was the same then, whatever its budgets
  std::optional<Response> interim = {};  ///< the design was informed of this, and the point went on being measured
};

/// Answers to requests, each the first that was not used of those to its point. Borrows the answers.
class Replay {
 public:
  explicit Replay(std::vector<Finished>& finished);

  void add(PointRequest request);
  /// The request whose answer comes first in the journal; nothing when there is no further answer. Behind an interim
  /// one the request waits for the next answer to its point.
  std::optional<std::pair<PointRequest, const Finished*>> next();
  /// The answer was given.
  void consume(const PointRequest& request, const Finished& answer);
  /// The answer does not suffice: the request is left.
  void leave(PointRequest request);
  /// What nothing answers; of several requests for a point the latest one.
  const std::vector<PointRequest>& left() const { return left_; }
  /// Takes out the points that were asked for: the others are not in the plan.
  void remove_asked();
  /// By text of the point: the first visit that came after the answer given.
  const std::map<std::string, int>& first_visits() const { return first_visits_; }

 private:
  void expect(const std::string& point);

  std::vector<Finished>& finished_;
  std::map<std::string, std::deque<std::size_t>> answers_;    ///< by text of the point
  std::map<std::string, std::deque<PointRequest>> requests_;  ///< the same: the first has an answer that is due
  std::map<std::size_t, std::string> due_;                    ///< points
  std::vector<PointRequest> left_;
  std::set<std::string> asked_;
  std::map<std::string, int> first_visits_;
};

/// What a design may learn of a finished point, when it converged, its budget ended or it has a value as found: the
/// headline of a quantity in the regime that most of its observations have; without a name, of the first result.
Response response_of(const PointRecord& record, const std::string& quantity = {});

/// The design of a series, factorial or adaptive; with a seed, in a random order where it comes in parts.
std::unique_ptr<Design> design_of(const SeriesPlan& plan, std::optional<std::uint64_t> seed = {});

/// Gets points from the design and gives it their outcomes. Keeps the records of finished points where something is
/// computed over them (run/series/finished_index.hpp), and of others nothing. Borrows the plans.
class SeriesRun {
 public:
  /// Of a refined series measures the points that earlier passes know, where there are any; else those that the design
  /// asks for, in the random order that the seed determines.
  SeriesRun(const CampaignPlan& campaign, const SeriesPlan& plan, const std::vector<Point>& known,
            std::optional<std::uint64_t> seed = {});

  const SeriesPlan& plan() const { return *plan_; }
  /// The plan and the rule of points that are asked for with `sharpen` times the relative accuracy; ask() returned it.
  const SeriesPlan& plan(double sharpen) const { return sharpen == 1 ? *plan_ : sharpened_.at(sharpen).plan; }
  const StoppingRule& rule(double sharpen) const { return sharpen == 1 ? *rule_ : *sharpened_.at(sharpen).rule; }
  /// As the design's; what stands is left out.
  std::vector<PointRequest> ask(std::size_t most = part_size);
  /// Points of the parts that the design has not yielded yet.
  std::size_t left() const { return design_->left(); }
  /// Of these, the ones that will be measured.
  std::size_t to_come() const;
  bool keeps_records() const { return keeps_; }
  /// Takes up what an interrupted session left: gives the design these finished points in their order, as
  /// they were requested and finished then, so that it decides as before. What they do not answer is asked for next.
  /// Points that are asked for are taken out of the list: the others are not in the plan. Returns the first visit, by
  /// text of the point, that belongs to what is asked of it now, where it answered before.
  std::map<std::string, int> replay(std::vector<Finished>& finished);
  /// The same for a series that keeps no records. Borrows what stands.
  void take_up(const FinishedIndex& index);
  /// The points that were taken up, and how many of them failed or timed out.
  const FinishedIndex::Count& taken_up() const { return taken_up_; }
  /// Whether the design is to be informed of a point that goes on being measured, where visits are to span a time and
  /// this is known of it: it decides about further levels by values that are known to a quarter of its tolerance, or as
  /// well as is wanted.
  bool awaits(const Point& point, const Estimate& estimate) const;
  /// Whether it ever is of this point, which it has not been yet.
  bool learns_early(const Point& point) const;
  /// Informs it; once until the point is finished.
  void answer(const Point& point, const Response& response);
  /// What the design would learn of a record.
  Response response(const PointRecord& record) const { return response_of(record, refined_quantity_); }
  /// Takes note of a finished point in place of an earlier record of it, and passes it to the design: of points of
  /// which it was informed before, when all of these are finished. True when there was none.
  bool finish(const PointRecord& record);
  /// The same for a point that others asked for.
  bool absorb(const PointRecord& record) { return keep(record); }
  /// False when everything that was asked for has been answered by what was taken up.
  bool is_open() const { return finished_points_ != nullptr ? to_come() > 0 : !is_replayed_ || !left_.empty(); }
  /// For a point that will not be measured again although it was asked for: passes its record to the design. False when
  /// there is none.
  bool stands(const Point& point);
  /// The latest records of the points that have one; none where records are not kept.
  const std::vector<PointRecord>& finished() const { return finished_; }
  /// Records of finished points, of which some may be measured again to see whether anything shifted.
  std::vector<const PointRecord*> anchors(const CampaignPlan& campaign) const;
  SeriesRecord record() const;
  /// The values asked for, and the tests of symmetry that the placements allow.
  std::vector<DerivedRecord> derived() const;
  /// What layouts compute over: its record, its finished points as far as they are kept, and these values of its.
  SeriesGroup group(std::vector<DerivedRecord> derived) const;
  /// What the reader should know: levels refused, facts the design found, members that took turns on `usable_cpus` CPUs
  /// or shared one, or that slept while another CPU of a virtual machine was to wake them, and a single process per
  /// point.
  std::vector<NoteRecord> notes(std::size_t usable_cpus, bool is_virtual_machine) const;

 private:
  struct Sharpened {
    SeriesPlan plan;
    std::unique_ptr<StoppingRule> rule;
  };

  void take(std::vector<PointRequest> requests);
  void ask_again(const Point& point);
  void inform(const std::vector<std::pair<Point, Response>>& answers);
  bool keep(const PointRecord& record);
  bool knows(const Point& point) const;
  bool suffices(const PointRequest& request) const;

  const SeriesPlan* plan_;
  bool keeps_;
  std::unique_ptr<Design> design_;
  std::unique_ptr<StoppingRule> rule_;
  bool is_replayed_ = false;
  std::vector<PointRequest> left_;                ///< asked for by the design, and not yet by ask()
  std::string refined_quantity_;                  ///< empty: the primary one
  std::optional<double> answer_width_;            ///< by which the design may decide early; nothing where it never does
  std::set<std::string> answered_;                ///< points of which it did that are not finished
  std::set<std::string> asked_again_;             ///< of them those that it asked for once more
  std::vector<std::pair<Point, Response>> held_;  ///< of finished points of which it did, for when all are
  std::map<double, Sharpened> sharpened_;         ///< by factor
  std::vector<PointRecord> finished_;
  std::unordered_map<TextKey, std::size_t, TextKeyHash> index_;  ///< of them, by text of the point
  const FinishedIndex* finished_points_ = nullptr;
  FinishedIndex::Count taken_up_;
  std::size_t passed_over_ = 0;  ///< of those taken up, by ask()
  MeasuredPoints measured_;
};

}  // namespace assay
