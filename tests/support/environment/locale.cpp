// SPDX-License-Identifier: Apache-2.0
// Puts a whole test program under the locale that ASSAY_TEST_LOCALE names, as a host program might.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <locale>

namespace assay::test {
namespace {

class LocaleEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* name = std::getenv("ASSAY_TEST_LOCALE");
    if (name == nullptr) return;
    ASSERT_NE(std::setlocale(LC_ALL, name), nullptr) << "no locale " << name;
    std::locale::global(std::locale(name));
    ASSERT_STREQ(std::localeconv()->decimal_point, ",") << name << " has no decimal comma";
  }
};

const ::testing::Environment* const registered = ::testing::AddGlobalTestEnvironment(new LocaleEnvironment);

}  // namespace
}  // namespace assay::test
