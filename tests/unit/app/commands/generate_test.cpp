// SPDX-License-Identifier: Apache-2.0
// `assay generate` and `assay complete` as they are called: by builds, by shells, by people without an installation.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "app/cli/command.hpp"
#include "app/shell/completion.hpp"
#include "app/shell/manual.hpp"
#include "record/provenance.hpp"
#include "unit/app/plan_fixture.hpp"

namespace assay::test {
namespace {

class GenerateTest : public PlanTest {
 protected:
  int call(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(
        arguments, [](Registry&, std::string_view) {}, context);
  }
  std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(GenerateTest, FilesAreThoseOfAnInstallation) {
  ASSERT_EQ(call({"generate", "files", folder_.string()}), 0) << err_.str();
  for (const Page& page : manual(source_date())) EXPECT_EQ(read(folder_ / "man" / page.file()), page.text);
  for (const char* file :
       {"bash-completion/completions/assay", "zsh/site-functions/_assay", "fish/vendor_completions.d/assay.fish"})
    EXPECT_FALSE(read(folder_ / file).empty()) << file;
}

TEST_F(GenerateTest, PrintsOneOfThem) {
  EXPECT_EQ(call({"generate", "completion", "fish"}), 0);
  EXPECT_EQ(out_.str(), fish_completion());
  EXPECT_EQ(call({"generate", "page", "assay-campaign"}), 0);
  EXPECT_EQ(out_.str(), campaign_page(source_date()).text);
}

TEST_F(GenerateTest, RefusesWhatItCannotMake) {
  EXPECT_EQ(call({"generate", "completion", "tcsh"}), 2);
  EXPECT_NE(err_.str().find("there is no completion for 'tcsh'"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"generate", "page", "assay-rum"}), 2);
  EXPECT_NE(err_.str().find("did you mean 'assay-run'?"), std::string::npos) << err_.str();
  EXPECT_EQ(call({"generate", "nonsense", "x"}), 2);
  EXPECT_EQ(call({"generate", "tables", (folder_ / "missing.md").string()}), 2);
  EXPECT_EQ(call({"generate", "tables"}), 2);
  std::ofstream(folder_ / "bad.md") << "<!-- table: nonsense --><!-- end of table -->";
  EXPECT_EQ(call({"generate", "tables", (folder_ / "bad.md").string()}), 2);
  EXPECT_NE(err_.str().find("there is no table 'nonsense'"), std::string::npos) << err_.str();
}

TEST_F(GenerateTest, SaysWhatCannotBeWritten) {
  std::ofstream(folder_ / "file") << "in the way";
  EXPECT_EQ(call({"generate", "files", (folder_ / "file").string()}), 4);
  EXPECT_NE(err_.str().find("/file/man/"), std::string::npos) << err_.str();  // the reason is in the system's own words
}

TEST_F(GenerateTest, CompleteIsSilentAboutWhatItDoesNotKnow) {
  for (const char* kind : {"nonsense", "text", "series"}) {
    EXPECT_EQ(call({"complete", kind, "--", "run", "/nowhere.ini", "--set"}), 0);
    EXPECT_EQ(out_.str() + err_.str(), "") << kind;
  }
  EXPECT_EQ(call({"complete", "format"}), 0);
  EXPECT_NE(out_.str().find("csv\t"), std::string::npos);
}

}  // namespace
}  // namespace assay::test
