// SPDX-License-Identifier: Apache-2.0
// Writing and checking the files beside a journal.
#include "record/journal/side_file.hpp"

#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/crc32c.hpp"
#include "record/journal/codec.hpp"
#include "record/journal/journal_line.hpp"

namespace assay {

namespace {

constexpr const char* folder_name = "/samples";

std::string file_of(const std::string& directory, std::int64_t number) {
  return directory + folder_name + "/" + std::to_string(number) + ".jsonl";
}

std::string content_of(const std::string& directory, std::int64_t number) {
  try {
    // A link in the folder's place would lead out of the directory.
    require_directory(directory + folder_name);
    return read_plain_file(file_of(directory, number), json_size_limit);
  } catch (const PlatformError& error) {
    throw JsonError(std::string("its batches are missing: ") + error.what());
  }
}

}  // namespace

Json write_side_file(const std::string& directory, std::int64_t number, const std::vector<JudgedBatch>& batches) {
  std::string text;
  for (const JudgedBatch& batch : batches) text += to_text(encode(batch)) + '\n';
  if (text.size() > json_size_limit)
    throw StorageError("a visit of " + std::to_string(text.size()) + " bytes is too long", EFBIG);
  ensure_private_directory(directory + folder_name);
  write_file(file_of(directory, number), text);
  Json said;
  said.set("bytes", static_cast<std::int64_t>(text.size())).set("crc", crc_text(crc32c(text)));
  return said;
}

std::vector<JudgedBatch> read_side_file(const std::string& directory, std::int64_t number, const Json& said) {
  const std::string text = content_of(directory, number);
  const std::string file = file_of(directory, number);
  if (!std::cmp_equal(said.at("bytes").integer(), text.size()))
    throw JsonError("'" + file + "' has " + std::to_string(text.size()) + " bytes, not the " +
                    std::to_string(said.at("bytes").integer()) + " that were written");
  if (said.at("crc").string() != crc_text(crc32c(text))) throw JsonError("'" + file + "' is damaged: another checksum");
  std::vector<JudgedBatch> batches;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    if (end == text.npos) throw JsonError("'" + file + "' ends within a line");
    batches.push_back(decode_judged(parse_json(std::string_view(text).substr(at, end - at), journal_json_limits)));
    at = end + 1;
  }
  return batches;
}

}  // namespace assay
