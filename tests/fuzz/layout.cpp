// SPDX-License-Identifier: Apache-2.0
// Layout files and references: read or refused with positions, and what was read prints harmlessly whatever it says.
#include <sstream>

#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/terminal_text.hpp"
#include "golden/samples/record_samples.hpp"
#include "record/layout/layout_spec.hpp"
#include "record/layout/layouts.hpp"
#include "text/json.hpp"

namespace assay::fuzz {
namespace {

constexpr const char* known = R"({"source": "a paper", "systems": [{"name": "Old", "attributes": {"library": "one"}}],
  "numbers": [{"value": "a", "unit": "us", "of": {"Old": "1.5"}}]})";

void check_reference(std::string_view text) {
  try {
    for (const PublishedNumber& number : parse_reference(text).numbers)
      promise(!number.printed.empty() && !number.value.empty(), "a number has its digits and its name");
  } catch (const JsonError&) {
    return;
  }
}

void check_layout(const std::string& text) {
  try {
    const Layout layout =
        declared_layout(parse_layout(text, "a.ini", [](const std::string&) { return std::string(known); }));
    std::ostringstream out;
    layout.print(out, std::vector{ShownCampaign{"one", test::sample_records()}}, Detail::explained);
    promise(is_harmless(out.str()), "tables of a layout steer no terminal");
    layout.derive(group_by_series(test::sample_records()), text);
  } catch (const ConfigError& error) {
    promise(!error.problems().empty(), "a refusal says what is wrong");
    for (const Problem& problem : error.problems())
      promise(problem.where.line > 0 && problem.where.column > 0, "a problem has its place: " + problem.what);
  }
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = assay::fuzz::text_of(data, size);
  if (text.starts_with('{'))
    assay::fuzz::check_reference(text);
  else
    assay::fuzz::check_layout(std::string(text));
  return 0;
}
