// SPDX-License-Identifier: Apache-2.0
// Campaigns and timed commands on a terminal: the line that is rewritten never wraps, and nothing of it is left.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr unsigned short columns = 60;

/// What a terminal was told.
struct Screen {
  std::string text;
  int status = -1;
};

constexpr const char* long_names = R"([campaign]
title = a-title
[precision]
warm-up = 0ms
[series.a-series-with-a-name-that-is-longer-than-most-terminals-are-wide]
measurement = synthetic/normal
placement = unbound
median = 1000..60000 +1000
)";

/// Runs the program on a terminal of 60 columns; an interrupt is typed once `typed_after` was seen.
Screen on_terminal(std::vector<std::string> arguments, const std::string& typed_after) {
  arguments.insert(arguments.begin(), assay_program());
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  const winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    ::unsetenv("COLUMNS");
    ::setenv("TERM", "xterm", 1);
    ::setenv("NO_COLOR", "1", 1);
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
  Screen screen;
  char buffer[4096];
  bool is_typed = typed_after.empty();
  // Reading fails once no process has the terminal open any more.
  for (ssize_t count = 0; (count = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    screen.text.append(buffer, static_cast<std::size_t>(count));
    if (is_typed || screen.text.find(typed_after) == std::string::npos) continue;
    is_typed = ::write(terminal, "\x03", 1) == 1;
  }
  ::waitpid(child, &screen.status, 0);
  ::close(terminal);
  return screen;
}

/// Runs a campaign there.
Screen campaign_on_terminal(const Scratch& folder, const std::string& typed_after = {}) {
  std::ofstream(folder / "campaign.ini") << long_names;
  return on_terminal({"run", folder / "campaign.ini", "--output", folder / "campaign"}, typed_after);
}

/// What stands on a line of the screen in the end: later text covers earlier text.
std::string line_left(const std::string& line) {
  std::string left;
  std::size_t at = 0;
  for (const char letter : line) {
    if (letter == '\r') {
      at = 0;
      continue;
    }
    if (at == left.size()) left += ' ';
    left[at++] = letter;
  }
  return left;
}

/// No live line is wider than the screen, and nothing of it is left; `told` is a part of each.
void expect_clean(const std::string& text, const std::string& told) {
  std::size_t from = 0;
  bool any = false;
  while (from < text.size()) {
    const auto end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    for (std::size_t piece = 0; piece < line.size();) {
      const auto next = std::min(line.find('\r', piece), line.size());
      const bool is_live = line.substr(piece, next - piece).find(told) != std::string::npos;
      any = any || is_live;
      if (is_live) {
        EXPECT_LT(next - piece, columns) << line;
      }
      piece = next + 1;
    }
    EXPECT_EQ(line_left(line).find(told), std::string::npos) << "left on the screen: " << line_left(line);
    EXPECT_EQ(line_left(line).find("^C"), std::string::npos) << line_left(line);
    from = end + 1;
  }
  EXPECT_TRUE(any) << "no live line was shown";
}

TEST(OnATerminal, ALiveLineNeverWrapsAndRowsStayAboveIt) {
  const Scratch folder;
  const Screen screen = campaign_on_terminal(folder);
  EXPECT_TRUE(WIFEXITED(screen.status) && WEXITSTATUS(screen.status) == 0) << screen.text;
  expect_clean(screen.text, "/60 points, ");
  EXPECT_NE(screen.text.find("  median "), std::string::npos) << "rows have a header";
  const auto header = screen.text.find("+- %  point");
  ASSERT_NE(header, std::string::npos);
  EXPECT_EQ(screen.text.find("+- %  point", header + 1), std::string::npos) << "and only one";
}

TEST(OnATerminal, AnInterruptLeavesNothingOfTheLiveLine) {
  const Scratch folder;
  const Screen screen = campaign_on_terminal(folder, "/60 points, ");
  EXPECT_TRUE(WIFSIGNALED(screen.status) && WTERMSIG(screen.status) == SIGINT) << screen.status << screen.text;
  expect_clean(screen.text, "/60 points, ");
  EXPECT_NE(screen.text.find("assay resume "), std::string::npos) << "the command that goes on";
}

TEST(OnATerminal, TimedCommandsHaveALiveLineOfWhichNothingIsLeft) {
  const Screen screen = on_terminal({"time", "-N", "-r", "20", "sleep 0.05"}, {});
  EXPECT_TRUE(WIFEXITED(screen.status) && WEXITSTATUS(screen.status) == 0) << screen.text;
  expect_clean(screen.text, "/20 rounds, ");
}

TEST(OnATerminal, AnInterruptOfTimedCommandsPrintsWhatIsDone) {
  const Screen screen = on_terminal({"time", "-N", "-r", "100000", "sleep 0.05"}, ", about ");
  EXPECT_TRUE(WIFEXITED(screen.status) && WEXITSTATUS(screen.status) == 75) << screen.status << screen.text;
  expect_clean(screen.text, "/100000 rounds, ");
  EXPECT_NE(screen.text.find("  median, 95 %"), std::string::npos) << "figures of the runs until then";
}

TEST(OnATerminal, TimedCommandsThatPrintThereHaveNoLiveLine) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--output", "inherit"}, {"--style", "basic"}}) {
    std::vector<std::string> arguments{"time", "-N", "-r", "8", "sleep 0.05"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(on_terminal(arguments, {}).text.find(" rounds, "), std::string::npos);
  }
}

}  // namespace
}  // namespace assay::test
