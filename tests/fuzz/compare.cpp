// SPDX-License-Identifier: Apache-2.0
// Two untrusted journals, whole as to their checksums, through every command that reads journals.
#include <algorithm>
#include <array>
#include <sstream>

#include "app/cli/command.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/journals.hpp"
#include "fuzz/terminal_text.hpp"

namespace assay::fuzz {
namespace {

/// Lines as records with number and checksum; what does not look like a JSON object stays as it is.
std::string journal_of(std::string_view lines) {
  std::string journal;
  std::size_t number = 0;
  Input input(reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size());
  while (!input.empty()) {
    const std::string_view line = input.until('\n');
    const bool is_object = line.size() > 2 && line.front() == '{' && line.back() == '}';
    journal += is_object ? framed(line, number++) : std::string(line);
  }
  return journal;
}

void run(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  AppContext context{out, err};
  const int code = run_program(
      arguments, [](Registry&, std::string_view) {}, context);
  constexpr std::array expected{0, 1, 2, 5, 6};
  promise(std::find(expected.begin(), expected.end(), code) != expected.end(),
          arguments.front() + " ends with " + std::to_string(code) + ": " + err.str());
  promise(is_harmless(err.str()), "messages steer nothing: " + arguments.front());
  const bool for_people = arguments.back() == "table" || arguments.front() == "show";
  if (for_people) promise(is_harmless(out.str()), "tables steer nothing: " + arguments.front());
  if (code == 2 || code == 5) promise(out.str().empty() || arguments.front() == "compare", "no partial output");
}

}  // namespace
}  // namespace assay::fuzz

/// Two lists of records, a line each, with a NUL byte between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  static const test::Scratch folder;
  fuzz::Input input(data, size);
  const std::string a = fuzz::write(folder, "a/journal.jsonl", fuzz::journal_of(input.until('\0')));
  const std::string b = fuzz::write(folder, "b/journal.jsonl", fuzz::journal_of(input.rest()));
  for (const char* format : {"table", "csv", "json"}) fuzz::run({"compare", a, b, "--all", "--format", format});
  fuzz::run({"compare", a, "--factor", "variant", "--format", "table"});
  fuzz::run({"show", a});
  for (const char* format : {"csv", "csv-long", "json", "google-benchmark", "bencher", "skampi", "gnuplot", "junit"})
    fuzz::run({"export", a, "--format", format});
  fuzz::run({"export", a, "--format", "github-action-benchmark", "--direction", "smaller"});
  return 0;
}
