// SPDX-License-Identifier: Apache-2.0
// Results that do not reveal who measured them, nor on which host.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// What stands for a name: "anon-" and eight hexadecimal digits made of it, the same everywhere, so that results of one
/// host can still be distinguished from those of another. It hides a name from readers, not from those who try out
/// names.
std::string anonymous_name(std::string_view name);

/// Puts anonymous names in the place of names, wherever they stand as words of their own in a text or record: between
/// characters that are neither letters nor digits.
class Anonymizer {
 public:
  /// Names that are empty or root are left out.
  explicit Anonymizer(std::vector<std::string> names);
  /// The way back, for who has the names: puts them in the place of their anonymous ones.
  static Anonymizer undoing(const std::vector<std::string>& names);

  std::string operator()(std::string_view text) const;
  Record operator()(Record record) const;

 private:
  using Pair = std::pair<std::string, std::string>;  // what is found, and what is put in its place
  explicit Anonymizer(std::vector<Pair> pairs);
  std::vector<Pair> pairs_;  // longest first
};

/// The names in records: hosts by their facts, users by the home directories in their texts.
std::vector<std::string> names_in(const std::vector<Record>& records);

/// Hands records on without names.
class AnonymousSink final : public Sink {
 public:
  /// The next sink is borrowed.
  AnonymousSink(Sink& next, std::vector<std::string> names) : next_(next), anonymized_(std::move(names)) {}
  void write(const Record& record) override { next_.write(anonymized_(record)); }

 private:
  Sink& next_;
  Anonymizer anonymized_;
};

}  // namespace assay
