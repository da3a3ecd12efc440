// SPDX-License-Identifier: Apache-2.0
// The running image and a library of the system as good examples, and every way of spoiling them.
#include "platform/file/shared_object.hpp"

#include <dlfcn.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/rng.hpp"
#include "platform/file/append_file.hpp"
#include "support/environment/scratch.hpp"

namespace assay {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string library() {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(&std::exit), &info) != 0 ? info.dli_fname : "";
}

std::string content() { return read_file(library(), largest_object); }

TEST(SharedObject, ALibraryOfTheSystemIsOne) {
  EXPECT_EQ(elf_problem(content()), "");
  EXPECT_FALSE(object_problem(library()));
}

TEST(SharedObject, WhatIsCutOffAnywhereIsNot) {
  const std::string good = content();
  for (std::size_t size = 0; size < 70; ++size) EXPECT_NE(elf_problem(good.substr(0, size)), "") << size;
  for (std::size_t size = 70; size < good.size(); size += 4099)
    EXPECT_NE(elf_problem(good.substr(0, size)), "") << size;
  EXPECT_THAT(elf_problem(good.substr(0, good.size() - 1)), StartsWith("it is truncated"));
}

TEST(SharedObject, NoBytesCanMakeItReadBeyondTheEnd) {
  const std::string good = content().substr(0, 4096);
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (int k = 0; k < 4; ++k) bad[rng.below(k < 2 ? 64 : bad.size())] = static_cast<char>(rng.below(256));
    static_cast<void>(elf_problem(bad));
    static_cast<void>(elf_build_id(bad));
  }
}

TEST(SharedObject, SaysWhatElseItIs) {
  std::string other = content();
  EXPECT_EQ(elf_problem("#!/bin/sh and so on"), "it is not an ELF file");
  other[16] = 1;
  EXPECT_EQ(elf_problem(other), "it is an ELF file, but not a shared object");
  other[18] = static_cast<char>(other[18] ^ 1);
  EXPECT_THAT(elf_problem(other), StartsWith("it is for another processor (ELF machine "));
  other[5] = static_cast<char>(3 - other[5]);
  EXPECT_EQ(elf_problem(other), "it has another byte order than this program");
  other[4] = static_cast<char>(3 - other[4]);
  EXPECT_THAT(elf_problem(other), StartsWith("it is of class "));
}

TEST(SharedObject, AProgramOfThisMachineOrAScriptIsNotForeign) {
  std::string other = content();
  EXPECT_EQ(foreign_machine(other), "");
  EXPECT_EQ(foreign_machine("#!/bin/sh"), "");
  other[16] = 2;  // a program that is not position-independent
  EXPECT_EQ(foreign_machine(other), "");
  other[18] = static_cast<char>(other[18] ^ 1);
  EXPECT_THAT(foreign_machine(other), StartsWith("it is for another processor"));
  EXPECT_NE(foreign_machine(other.substr(0, 20)), "");
}

TEST(SharedObject, ABuildIsDistinguishedByItsIdOrItsContent) {
  EXPECT_EQ(build_of(content()), elf_build_id(content()));
  EXPECT_EQ(build_of("#!/bin/sh").size(), 32U);
  EXPECT_NE(build_of("#!/bin/sh"), build_of("#!/bin/sh "));
}

TEST(SharedObject, ExposureIsTheFilesTheFoldersOrTheLinks) {
  const test::Scratch folder;
  const std::string path = folder / "x.so";
  std::ofstream(path) << "x";
  ::chmod(path.c_str(), 0644);
  EXPECT_EQ(exposure_of(path), "");
  ::chmod(path.c_str(), 0646);
  EXPECT_THAT(exposure_of(path), HasSubstr("x.so can be written by everybody"));
  ::chmod(path.c_str(), 0644);
  std::filesystem::create_directory(folder / "open");
  ::chmod((folder / "open").c_str(), 0777);
  std::filesystem::create_symlink(path, folder / "open/link.so");
  EXPECT_THAT(exposure_of(folder / "open/link.so"), HasSubstr("/open can be written by everybody"));
  EXPECT_EQ(exposure_of(folder / "none.so"), "");
}

}  // namespace
}  // namespace assay
