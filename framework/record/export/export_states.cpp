// SPDX-License-Identifier: Apache-2.0
// The states of all batches for other programs, a line of JSON for each thing that is known.
#include <algorithm>
#include <ostream>
#include <utility>

#include "record/export/exports.hpp"
#include "record/known_cores.hpp"
#include "text/json.hpp"

namespace assay {
namespace {

template <class Items, class Encode>
Json list_of(const Items& items, Encode encode) {
  Json::Array array;
  for (const auto& item : items) array.push_back(encode(item));
  return array;
}

Json session_line(const CoresRecord& record) {
  return Json::Object{{"type", "session"},
                      {"session", record.session},
                      {"remarks", list_of(core_account(record), [](const std::string& text) { return Json(text); })}};
}

Json core_line(const CoreLevel& level, int cycles_per_step) {
  const double additions = cycles_per_step > 0 ? 1 / (level.alone * cycles_per_step) : 0;
  return Json::Object{{"type", "core"},
                      {"node", level.node},
                      {"cpu", level.cpu},
                      {"because", to_text(level.because)},
                      {"additions_per_cycle", additions > 0 ? Json(additions) : Json()}};
}

Json visit_line(const JudgedVisit& visit) {
  Json line = Json::Object{{"type", "visit"},
                           {"session", visit.session},
                           {"visit", visit.visit},
                           {"states", list_of(visit.states, [](const std::string& state) { return Json(state); })}};
  if (visit.cores.empty()) return line;
  const auto column = [&](auto encode) { return list_of(visit.cores, encode); };
  if (std::ranges::any_of(visit.cores, [](const JudgedCore& core) { return !core.cpu.node.empty(); }))
    line.set("nodes", column([](const JudgedCore& core) { return Json(core.cpu.node); }));
  line.set("cpus", column([](const JudgedCore& core) { return Json(core.cpu.cpu); }));
  line.set("sharing", column([](const JudgedCore& core) { return Json(to_text(core.sharing)); }));
  line.set("length_ns", column([](const JudgedCore& core) { return Json(core.length.count); }));
  line.set("chain_ns", column([](const JudgedCore& core) { return Json(core.chain.count); }));
  return line;
}

}  // namespace

Remarks write_states(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  for (const Record& record : source.records)
    if (const auto* cores = std::get_if<CoresRecord>(&record)) out << to_text(session_line(*cores)) << '\n';
  for (const CoreLevel& level : source.cores.levels())
    out << to_text(core_line(level, source.cores.cycles_per_step(level.node))) << '\n';
  for (const JudgedVisit& visit : source.cores.visits()) out << to_text(visit_line(visit)) << '\n';
  return {};
}

}  // namespace assay
