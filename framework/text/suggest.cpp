// SPDX-License-Identifier: Apache-2.0
// Edit distance, and a limit to what is shown.
#include "text/suggest.hpp"

#include <algorithm>
#include <utility>

#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t longest_shown = 80;
constexpr std::size_t most_listed = 12;

using Distances = std::vector<std::size_t>;

// Optimal string alignment distance, by rows of the usual table.
std::size_t distance(std::string_view a, std::string_view b) {
  Distances before(b.size() + 1);
  Distances above(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Distances row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(above, std::move(row));
  }
  return above.back();
}

// The first characters of a text.
std::string_view beginning(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  for (; characters > 0 && end < text.size(); --characters)
    end += std::max<std::size_t>(character_at(text, end).size, 1);
  return text.substr(0, end);
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::string::npos;
  for (const std::string& candidate : known) {
    const auto limit = std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
    const auto edits = distance(name, candidate);
    if (edits <= limit && edits < least && edits < candidate.size()) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  if (const auto near = nearest(name.substr(0, longest_shown), known); !near.empty())
    return "did you mean '" + near + "'?";
  if (known.empty() || known.size() > most_listed) return {};
  std::string text = known.size() == 1 ? "it can be " : "it is one of ";
  for (const std::string& candidate : known) text += (&candidate == &known.front() ? "" : ", ") + candidate;
  return text;
}

std::string shown(std::string_view text) {
  const auto start = beginning(text, longest_shown);
  return "'" + printable(start) + (start.size() < text.size() ? "...'" : "'");
}

std::string shown_path(std::string_view path) { return "'" + printable(path) + "'"; }

}  // namespace assay
