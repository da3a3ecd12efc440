// SPDX-License-Identifier: Apache-2.0
// Hands every file of the named folders to a fuzz target once, without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace {

std::vector<std::filesystem::path> files_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  // The last name printed is that of the input which ended the program.
  std::cout << file.filename().string() << std::endl;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t replayed = 0;
  for (int i = 1; i < count; ++i)
    for (const auto& file : files_in(arguments[i])) {
      replay(file);
      ++replayed;
    }
  if (replayed == 0) std::cerr << "error: there was nothing to replay\n";
  return replayed == 0 ? 1 : 0;
}
