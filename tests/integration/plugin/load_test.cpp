// SPDX-License-Identifier: Apache-2.0
// The table of plugins that cannot be used: each row has its own message, all of one request are told at once, nothing
// is created, and the exit code is 3.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string built(const std::string& name) { return ASSAY_SDK "/plugins/" + name + ".so"; }

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What `assay run` says to a campaign with these plugins, once it has refused it.
std::string refusal(const std::vector<std::string>& plugins, const std::string& deadline = "60s") {
  const Scratch folder;
  std::string list;
  for (const std::string& plugin : plugins) list += (list.empty() ? "" : ", ") + plugin;
  const auto finished = run_campaign_text(folder, "[campaign]\nplugins = " + list + "\nplugin-deadline = " + deadline +
                                                      "\n[series.one]\nmeasurement = any/one\n");
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "campaign"));
  return finished.err;
}

// The same for a file with this content.
std::string refusal_of_bytes(const std::string& content) {
  const Scratch folder;
  std::ofstream(folder / "made.so", std::ios::binary) << content;
  return refusal({folder / "made.so"});
}

TEST(Faults, F16_a_path_that_is_no_shared_object_is_named) {
  const Scratch folder;
  EXPECT_THAT(refusal({folder / "none.so"}), HasSubstr("none.so'"));
  EXPECT_THAT(refusal({folder.path().string() + "/"}), HasSubstr("directory"));
  ASSERT_EQ(::mkfifo((folder / "pipe.so").c_str(), 0600), 0);
  EXPECT_THAT(refusal({folder / "pipe.so"}), HasSubstr("regular"));
}

TEST(Faults, F16_a_file_that_may_not_be_read_is_named) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const Scratch folder;
  std::filesystem::copy_file(built("turn"), folder / "closed.so");
  ::chmod((folder / "closed.so").c_str(), 0);
  EXPECT_THAT(refusal({folder / "closed.so"}), HasSubstr("readable"));
}

TEST(Faults, F16_the_header_is_checked_before_anything_is_opened) {
  std::string good = bytes_of(built("turn"));
  ASSERT_GT(good.size(), 1000U);
  EXPECT_THAT(refusal_of_bytes(""), HasSubstr("ELF"));
  EXPECT_THAT(refusal_of_bytes("#!/bin/sh\nexit 0\n"), HasSubstr("ELF"));
  EXPECT_THAT(refusal_of_bytes(good.substr(0, good.size() - 1)), HasSubstr("truncated"));
  EXPECT_THAT(refusal_of_bytes(good.substr(0, 20)), HasSubstr("truncated"));
  std::string other = good;
  other[4] = static_cast<char>(3 - other[4]);
  EXPECT_THAT(refusal_of_bytes(other), HasSubstr("class"));
  other = good;
  other[18] = static_cast<char>(other[18] + 1);
  EXPECT_THAT(refusal_of_bytes(other), HasSubstr("processor"));
  other = good;
  other[16] = 1;  // a relocatable object
  EXPECT_THAT(refusal_of_bytes(other), HasSubstr("shared"));
}

TEST(Faults, F16_symbols_that_are_missing_are_named) {
  const std::string said = refusal({built("undefined_symbol"), built("stampless"), built("half_plugin")});
  EXPECT_THAT(said, HasSubstr("assay_test_nobody_defines_this"));
  EXPECT_THAT(said, AllOf(HasSubstr("stampless.so'"), HasSubstr("assay_stamp")));
  EXPECT_THAT(said, AllOf(HasSubstr("half_plugin.so'"), HasSubstr("assay_register")));
}

TEST(Faults, F16_another_stamp_is_refused_with_both_values) {
  EXPECT_THAT(refusal({built("other_stamp")}), HasSubstr("99"));
}

TEST(Faults, F16_constructors_that_do_not_return_cost_the_plugin_only) {
  const std::string said = refusal({built("exits"), built("crashes"), built("throws")});
  EXPECT_THAT(said, HasSubstr("exits.so'"));
  EXPECT_THAT(said, HasSubstr("crashes.so'"));
  EXPECT_THAT(said, HasSubstr("SIGABRT"));
  EXPECT_THAT(said, AllOf(HasSubstr("throws.so'"), HasSubstr("licence")));
  EXPECT_THAT(refusal({built("loops")}, "300ms"), AllOf(HasSubstr("loops.so'"), HasSubstr("0.3")));
}

TEST(Faults, F16_a_name_that_two_plugins_register_names_both) {
  const std::string said = refusal({built("turn"), built("twice")});
  EXPECT_THAT(said, HasSubstr(built("twice")));
  EXPECT_THAT(said, AllOf(HasSubstr("'example/turn'"), HasSubstr(built("turn"))));
}

TEST(Faults, F16_descriptions_that_make_no_sense_are_told_field_by_field) {
  const std::string said = refusal({built("misdescribed")});
  EXPECT_THAT(said, HasSubstr("'bad/default'"));
  EXPECT_THAT(said, HasSubstr("'bad/quantity'"));
  EXPECT_THAT(said, HasSubstr("'bad/unit'"));
  EXPECT_THAT(said, HasSubstr("'bad name': name is not of the form group/what"));
  EXPECT_THAT(said, HasSubstr("'bad/factor'"));
}

}  // namespace
}  // namespace assay::test
