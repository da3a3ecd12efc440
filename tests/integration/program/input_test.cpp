// SPDX-License-Identifier: Apache-2.0
// Bad requests never touch results; secrets and names do not get into them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "platform/machine/identity.hpp"
#include "support/programs/program.hpp"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

const std::string good =
    "[precision]\nrule = fixed:8\nincarnations = 1\nwarm-up = 0.5ms\n"
    "[series.a]\nmeasurement = synthetic/constant\nplacement = unbound\n";

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Every file below a folder with its content and the time of its last change.
std::map<std::string, std::pair<std::string, fs::file_time_type>> snapshot(const fs::path& folder) {
  std::map<std::string, std::pair<std::string, fs::file_time_type>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[entry.path()] = {entry.is_regular_file() ? content_of(entry.path()) : "", entry.last_write_time()};
  return files;
}

using Requests = std::vector<std::pair<int, std::vector<std::string>>>;

// Requests that are refused, each with its exit code, beside a campaign that is kept.
Requests bad_requests(const Scratch& folder, const std::string& kept, const std::string& ini) {
  return {{5, {"run", ini, "--output", kept, "--set", "series.a.median=7"}},
          {5, {"run", ini, "--output", folder / "link", "--set", "series.a.median=7"}},
          {5, {"run", ini, "--output", ini}},
          {5, {"run", ini, "--output", kept + "/journal.jsonl"}},
          {2, {"run", folder / "broken.ini", "--output", folder / "new"}},
          {2, {"run", folder / "unknown.ini", "--output", kept}},
          {2, {"run", folder / "unknown.ini", "--output", folder / "new"}},
          {3, {"run", folder / "impossible.ini", "--output", folder / "new"}},
          {2, {"run", ini, "--output", kept, "--no-such-option"}},
          {2, {"rnu"}},
          {2, {"run", folder / "broken.ini", "--output", kept}},
          {2, {"run", folder / "empty.ini", "--output", kept}},
          {2, {"run", folder / "binary.ini", "--output", kept}},
          {2, {"run", folder / "pipe.ini", "--output", kept}},
          {2, {"run", folder / "missing.ini", "--output", kept}},
          {2, {"run", folder.path(), "--output", kept}},
          {2, {"run", ini, "--output", kept, "--series", "b"}},
          {2, {"run", ini, "--output", kept, "--set", "precision.eps=nan"}},
          {2, {"run", ini, "--output"}},
          {2, {"run", ini, "--output", ""}},
          {2, {"run", ""}},
          {2, {"export", kept, "--format", "cvs", "--output", ini}},
          {2, {"export", kept, "--format", "csv", "--output", folder / "link"}},
          {2, {"show", kept, "--layout", "no"}},
          {2, {"resume", kept, "extra"}},
          {2, {"resume", kept, "--no-such"}},
          {2, {"resume", folder / "nothing", "--add-session"}},
          {2, {"journal", "repair", kept}},
          {2, {"journal", "mend", kept}},
          {5, {"journal", "repair", kept, "--to", kept}},
          {5, {"show", folder / "damaged"}},
          {5, {"show", kept, ini}}};
}

TEST(Faults, F08_bad_requests_never_touch_results) {
  const Scratch folder;
  ASSERT_EQ(run_campaign_text(folder, good).exit_code, 0);
  const std::string kept = folder / "campaign";
  const std::string ini = folder / "campaign.ini";
  std::ofstream(folder / "broken.ini") << "[series.a\nx";
  std::ofstream(folder / "unknown.ini") << "[series.a]\nmeasurement = synthetic/norml\nmedian = 1..\n";
  std::ofstream(folder / "impossible.ini") << "[series.a]\nmeasurement = logp/round_trip\nplacement = 0+99999\n";
  std::ofstream(folder / "empty.ini") << "";
  std::ofstream(folder / "binary.ini") << std::string("[series.a]\nmeasurement = \0\xff", 27);
  fs::create_directory_symlink(kept, folder / "link");
  fs::create_directory(folder / "damaged");
  std::string journal = content_of(kept + "/journal.jsonl");
  journal.at(40) = '~';
  std::ofstream(folder / "damaged/journal.jsonl") << journal;
  ASSERT_EQ(::mkfifo((folder / "pipe.ini").c_str(), 0600), 0);
  const auto before = snapshot(folder.path());
  const Requests requests = bad_requests(folder, kept, ini);
  for (const auto& [code, arguments] : requests) {
    const auto finished = run_assay(arguments);
    EXPECT_EQ(finished.exit_code, code) << arguments.front() << " " << arguments.back() << "\n" << finished.err;
    EXPECT_NE(finished.err.find("error: "), std::string::npos) << finished.err;
    EXPECT_EQ(finished.out, "") << arguments.back();
  }
  const auto other = run_assay(requests.front().second);
  for (const char* part : {"series.a.median", "--resume"})
    EXPECT_NE(other.err.find(part), std::string::npos) << other.err;
  EXPECT_TRUE(snapshot(folder.path()) == before) << "something was created, changed or removed";
}

TEST(BadRequests, ASecretOfTheEnvironmentIsKeptNowhere) {
  const Scratch folder;
  const std::string secret = "hunter2-not-for-journals";
  const auto finished = run_campaign_text(
      folder, good, {},
      {"API_TOKEN=" + secret, "SLURM_JWT=" + secret, "OMPI_MCA_token=" + secret, "OMP_NUM_THREADS=3"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ((finished.out + finished.err).find(secret), std::string::npos);
  std::string all;
  for (const auto& [path, kept] : snapshot(folder / "campaign")) all += kept.first;
  EXPECT_EQ(all.find(secret), std::string::npos);
  EXPECT_NE(all.find("environment.OMP_NUM_THREADS"), std::string::npos) << "what changes a measurement is told";
}

TEST(BadRequests, AnAnonymousCampaignNamesNobody) {
  const Scratch folder;
  const auto names = own_names();
  ASSERT_FALSE(names.empty()) << "this host has no name";
  ASSERT_EQ(run_campaign_text(folder, good).exit_code, 0);
  const auto named = content_of(folder / "campaign/journal.jsonl");
  EXPECT_NE(named.find("\"" + names.front() + "\""), std::string::npos) << "otherwise this test says nothing";
  ASSERT_EQ(run_campaign_text(folder, good, {"--anonymous", "--output", folder / "hidden"}).exit_code, 0);
  const auto hidden = content_of(folder / "hidden/journal.jsonl");
  EXPECT_EQ(hidden.find("\"" + names.front() + "\""), std::string::npos);
  EXPECT_NE(hidden.find("anon-"), std::string::npos);
  EXPECT_EQ(run_assay({"show", folder / "hidden"}).exit_code, 0);
}

}  // namespace
}  // namespace assay::test
