// SPDX-License-Identifier: Apache-2.0
// Between a series' design and its finished points.
#include "run/series/series_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "record/journal/journal.hpp"
#include "run/point/open_point.hpp"
#include "run/series/finished_index.hpp"
#include "run/series/identity.hpp"
#include "run/series/symmetry.hpp"

namespace assay {

Replay::Replay(std::vector<Finished>& finished) : finished_(finished) {
  for (std::size_t i = 0; i < finished.size(); ++i) answers_[to_text(finished[i].record.point)].push_back(i);
}

void Replay::add(PointRequest request) {
  const std::string point = to_text(request.point);
  asked_.insert(point);
  std::deque<PointRequest>& requests = requests_[point];
  requests.push_back(std::move(request));
  if (requests.size() == 1) expect(point);
}

void Replay::expect(const std::string& point) {
  const auto found = answers_.find(point);
  if (found != answers_.end() && !found->second.empty()) {
    due_.emplace(found->second.front(), point);
    found->second.pop_front();
    return;
  }
  const auto requests = requests_.extract(point);
  leave(requests.mapped().back());
}

void Replay::leave(PointRequest request) {
  std::erase_if(left_, [&](const PointRequest& other) { return other.point == request.point; });
  left_.push_back(std::move(request));
}

std::optional<std::pair<PointRequest, const Finished*>> Replay::next() {
  if (due_.empty()) return std::nullopt;
  const auto due = due_.extract(due_.begin());
  const std::string& point = due.mapped();
  const Finished& answer = finished_[due.key()];
  std::deque<PointRequest>& requests = requests_.at(point);
  std::pair<PointRequest, const Finished*> found{requests.front(), &answer};
  if (!answer.interim) requests.pop_front();
  if (requests.empty())
    requests_.erase(point);
  else
    expect(point);
  return found;
}

void Replay::consume(const PointRequest& request, const Finished& answer) {
  first_visits_[to_text(request.point)] = answer.next_visit;
}

void Replay::remove_asked() {
  std::erase_if(finished_, [&](const Finished& one) { return asked_.contains(to_text(one.record.point)); });
}

namespace {

/// Relative half-width at which a design may decide before a point is finished; nothing where it never has to: where
/// visits span no time, a point is finished as soon as its value is known. Two fifths of the tolerance are the most by
/// which errors can be found that large (doc/method.md, adaptive levels); a quarter is good enough, whatever is wanted
/// in the end.
std::optional<double> answer_width(const SeriesPlan& plan) {
  std::optional<double> tolerance;
  for (const FactorDomain& factor : plan.factors)
    if (factor.domain.refine) tolerance = std::min(tolerance.value_or(1), *factor.domain.refine);
  if (!tolerance || !(plan.precision.span > Nanoseconds{})) return std::nullopt;
  return std::max(0.25 * *tolerance, std::min(plan.precision.rule.eps.value_or(0), 0.4 * *tolerance));
}

std::string refined_quantity(const SeriesPlan& plan) {
  for (const FactorDomain& factor : plan.factors)
    if (factor.domain.refine) return factor.domain.quantity;
  return {};
}

}  // namespace

Response response_of(const PointRecord& record, const std::string& quantity) {
  const bool has_value = ran_its_course(record.outcome) || record.outcome == Outcome::as_found;
  const Result* result = has_value ? dominant_result(record, quantity) : nullptr;
  if (!result) return {};
  const Estimate& headline = result->headline;
  return {headline.interval.available(), headline.value, headline.relative_half_width()};
}

std::unique_ptr<Design> design_of(const SeriesPlan& plan, std::optional<std::uint64_t> seed) {
  return adaptive(plan.factors, plan.precision.max_points, seed);
}

SeriesRun::SeriesRun(const CampaignPlan& campaign, const SeriesPlan& plan, const std::vector<Point>& known,
                     std::optional<std::uint64_t> seed)
    : plan_(&plan),
      keeps_(assay::keeps_records(campaign, plan)),
      design_(known.empty() || !is_refined(plan) ? design_of(plan, seed) : listed(known)),
      rule_(make_rule(plan.precision.rule)),
      refined_quantity_(refined_quantity(plan)),
      answer_width_(known.empty() ? answer_width(plan) : std::nullopt) {}

void SeriesRun::take(std::vector<PointRequest> requests) {
  for (PointRequest& request : requests) {
    if (suffices(request)) {
      ++passed_over_;
      continue;
    }
    if (request.attempt > 0) ask_again(request.point);
    left_.push_back(std::move(request));
  }
}

/// What is known of the point so far is no answer to that.
void SeriesRun::ask_again(const Point& point) {
  const std::string text = to_text(point);
  if (answered_.erase(text) > 0) asked_again_.insert(text);
  std::erase_if(held_, [&](const auto& held) { return held.first == point; });
}

std::vector<PointRequest> SeriesRun::ask(std::size_t most) {
  take(design_->ask(most));
  auto requests = std::exchange(left_, {});
  for (const PointRequest& request : requests) {
    if (request.sharpen == 1 || sharpened_.contains(request.sharpen)) continue;
    SeriesPlan plan = *plan_;
    // A rule without an accuracy of its own, `fixed`, measures as much as before.
    plan.precision.enough = plan.precision.rule.eps.value_or(0);
    plan.precision.rule = sharpened(std::move(plan.precision.rule), request.sharpen);
    auto rule = make_rule(plan.precision.rule);
    sharpened_.emplace(request.sharpen, Sharpened{std::move(plan), std::move(rule)});
  }
  return requests;
}

bool SeriesRun::suffices(const PointRequest& request) const {
  return finished_points_ != nullptr && finished_points_->suffices(key_of(plan_->name, request.point));
}

std::size_t SeriesRun::to_come() const {
  const std::size_t known = taken_up_.points - passed_over_;
  return finished_points_ == nullptr ? left() : left() - std::min(left(), known);
}

void SeriesRun::take_up(const FinishedIndex& index) {
  finished_points_ = &index;
  taken_up_ = index.count();
  measured_.add(index.measured());
}

bool SeriesRun::awaits(const Point& point, const Estimate& estimate) const {
  return estimate.interval.available() && learns_early(point) && estimate.relative_half_width() <= *answer_width_;
}

bool SeriesRun::learns_early(const Point& point) const {
  const std::string text = to_text(point);
  return answer_width_ && !answered_.contains(text) && !asked_again_.contains(text);
}

void SeriesRun::answer(const Point& point, const Response& response) {
  answered_.insert(to_text(point));
  inform({{point, response}});
}

/// A design that learns is asked at once what it makes of that: a replay is to decide by the same answers.
void SeriesRun::inform(const std::vector<std::pair<Point, Response>>& answers) {
  for (const auto& [point, response] : answers) design_->tell(point, response);
  if (answer_width_) take(design_->ask());
}

bool SeriesRun::finish(const PointRecord& record) {
  const bool is_new = keep(record);
  const std::string point = to_text(record.point);
  if (asked_again_.erase(point) > 0) return is_new;
  std::vector<std::pair<Point, Response>> answers;
  (answered_.erase(point) > 0 ? held_ : answers).emplace_back(record.point, response(record));
  if (answered_.empty()) std::ranges::move(std::exchange(held_, {}), std::back_inserter(answers));
  if (!answers.empty()) inform(answers);
  return is_new;
}

bool SeriesRun::keep(const PointRecord& record) {
  measured_.add(*plan_, record);
  if (!keeps_) return !knows(record.point);
  const auto [known, is_new] = index_.emplace(text_key(to_text(record.point)), finished_.size());
  if (is_new)
    finished_.push_back(record);
  else
    finished_[known->second] = record;
  return is_new;
}

bool SeriesRun::knows(const Point& point) const {
  return finished_points_ != nullptr && finished_points_->knows(key_of(plan_->name, point));
}

bool SeriesRun::stands(const Point& point) {
  if (!keeps_) return knows(point);
  const auto known = index_.find(text_key(to_text(point)));
  if (known == index_.end()) return false;
  design_->tell(point, response_of(finished_[known->second], refined_quantity_));
  return true;
}

std::map<std::string, int> SeriesRun::replay(std::vector<Finished>& finished) {
  Replay replay(finished);
  for (;;) {
    do {
      for (PointRequest& request : ask()) replay.add(std::move(request));
    } while (design_->left() > 0);
    const auto answered = replay.next();
    if (!answered) break;
    const auto& [request, given] = *answered;
    if (given->interim) {
      if (given->same_rule) answer(request.point, *given->interim);
    } else if (given->same_rule || is_as_accurate(given->record, plan(request.sharpen).precision.rule)) {
      replay.consume(request, *given);
      finish(given->record);
    } else {
      replay.leave(request);
      keep(given->record);
    }
  }
  left_ = replay.left();
  for (const PointRequest& request : left_) asked_again_.erase(to_text(request.point));
  is_replayed_ = true;
  replay.remove_asked();
  taken_up_.points = finished_.size();
  taken_up_.failed = static_cast<std::size_t>(
      std::ranges::count_if(finished_, [](const PointRecord& record) { return has_failed(record.outcome); }));
  taken_up_.measured = static_cast<std::size_t>(
      std::ranges::count_if(finished_, [](const PointRecord& record) { return !record.results.empty(); }));
  return replay.first_visits();
}

SeriesRecord SeriesRun::record() const {
  return {plan_->name, plan_->measurement.name, plan_->measurement.quantities, rule_->text(), version_of(*plan_)};
}

std::vector<DerivedRecord> SeriesRun::derived() const {
  auto records = derive(*plan_, finished_);
  for (DerivedRecord& record : symmetry(*plan_, finished_)) records.push_back(std::move(record));
  return records;
}

std::vector<const PointRecord*> SeriesRun::anchors(const CampaignPlan& campaign) const {
  if (finished_points_ != nullptr) return finished_points_->anchors().records();
  std::vector<const PointRecord*> all;
  for (const PointRecord& record : finished_)
    if (can_be_anchor(campaign, record)) all.push_back(&record);
  return all;
}

SeriesGroup SeriesRun::group(std::vector<DerivedRecord> derived) const {
  SeriesGroup group{record(), finished_, std::move(derived)};
  in_order(group.points);
  return group;
}

namespace {

std::string apart_text(const std::string& distances) {
  return "members are on CPUs of their own" + (distances.empty() ? std::string() : ", " + distances + " apart") +
         ": the hypervisor decides how far, and may move them a minute later (G-APART)";
}

}  // namespace

std::vector<NoteRecord> SeriesRun::notes(std::size_t usable_cpus, bool is_virtual_machine) const {
  std::vector<NoteRecord> notes;
  for (const std::string& text : plan_->refused) notes.push_back({"series " + plan_->name + ": " + text});
  for (const std::string& text : design_->findings()) notes.push_back({"series " + plan_->name + ": " + text});
  if (const std::string shared = measured_.sharing(usable_cpus); !shared.empty())
    notes.push_back({"series " + plan_->name + ": " + shared + " (G-SHARE)"});
  if (is_virtual_machine && measured_.wakes_other_cpus())
    notes.push_back({"series " + plan_->name +
                     ": what sleeps is woken from another CPU: the hypervisor decides what that costs, and may do so "
                     "otherwise a minute later (G-WAKE)"});
  if (is_virtual_machine && measured_.polls_other_cpus())
    notes.push_back({"series " + plan_->name + ": " + apart_text(measured_.distances())});
  if (is_virtual_machine && measured_.take_memory())
    notes.push_back(
        {"series " + plan_->name +
         ": the kernel gives memory in each event, which takes longer or shorter from minute to minute on a "
         "virtual machine (G-MEMORY)"});
  if (plan_->precision.incarnations == 1 && measured_.any())
    notes.push_back(
        {"series " + plan_->name + ": one process per point: layout effects up to 10 % cannot be seen (G-ONEPROC)"});
  return notes;
}

}  // namespace assay
