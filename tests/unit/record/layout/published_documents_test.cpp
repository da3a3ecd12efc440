// SPDX-License-Identifier: Apache-2.0
// What comes with the program as published numbers, held against the documents' own tables, typed off row by row.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "record/layout/layout_spec.hpp"
#include "record/layout/layouts.hpp"
#include "support/records/printed_layout.hpp"

namespace assay {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream text(line);
  Words words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

Reference shipped_reference(const std::string& name) {
  for (const ShippedFile& file : shipped_files())
    if (file.name == name) return parse_reference(file.text);
  ADD_FAILURE() << "there is no " << name;
  return {};
}

/// All numbers printed of a system, in the order of the file.
Words printed_of(const Reference& reference, const std::string& system) {
  Words printed;
  for (const PublishedNumber& number : reference.numbers)
    if (number.system == system) printed.push_back(number.printed);
  return printed;
}

/// Those of one value, by system.
Words printed_as(const Reference& reference, const std::string& value, const std::vector<std::string>& systems) {
  Words printed;
  for (const std::string& system : systems)
    for (const PublishedNumber& number : reference.numbers)
      if (number.value == value && number.system == system) printed.push_back(number.printed);
  return printed;
}

// LTT on LMbench 2.0 (2002), test set #2: the rows A to D of each table of the summary, in the order of the tables.

constexpr std::array lmbench_up{"A 0.346 0.50314 4.193 0.730 5.186 0.843 3.201 292.3 1014.7 4985.2",
                                "B 0.346 0.50274 4.441 0.730 5.449 0.843 3.180 288.1 1002.0 5024.6",
                                "C 0.352 0.56244 4.241 0.735 5.432 0.849 3.156 301.0 1038.3 5134.7",
                                "D 0.963 1.5442 6.282 1.367 9.079 1.662 8.903 345.2 2472.6 6622.2",
                                "A 1.992 8.518 19.693 37.959 3.557 33.3852 51.2701 113.087",
                                "B 1.979 8.522 19.684 37.944 2.708 15.7315 37.7146 73.9382",
                                "C 2.594 14.305 34.586 67.002 3.265 22.8394 50.5247 100.358",
                                "D 6.015 39.079 94.875 232.318 8.283 85.7979 111.75 285.22",
                                "A 2.413 2.348 2.508 2.745 3.430 4.707 5.860",
                                "B 2.681 2.455 2.559 2.904 3.600 4.912 6.034",
                                "C 3.048 2.852 2.954 3.176 3.865 5.285 6.558",
                                "D 3.572 3.434 3.691 3.895 4.999 6.881 8.229",
                                "A 2.624 4.423 4.458 5.413 8.061 12.465 15.230",
                                "B 2.549 3.932 4.001 5.690 9.042 12.923 15.309",
                                "C 3.185 4.882 5.174 6.220 8.887 13.114 15.681",
                                "D 4.244 5.326 5.310 6.713 9.837 15.242 18.726",
                                "A 2.947 5.219 5.536 8.439 13.366 21.788 25.691",
                                "B 2.904 5.689 6.158 8.515 14.220 22.450 28.341",
                                "C 3.655 5.809 6.368 9.488 15.176 22.614 26.432",
                                "D 4.908 6.618 6.813 9.620 15.692 23.165 26.995",
                                "A 3.696 8.210 12.007 19.677 32.724 43.699 46.730",
                                "B 3.614 8.830 12.493 20.421 32.938 43.577 46.612",
                                "C 4.006 8.649 11.366 20.512 34.509 44.386 47.505",
                                "D 5.297 9.768 12.313 19.213 35.063 46.570 49.722",
                                "A 5.137 15.498 28.268 54.907 77.701 88.583 84.718",
                                "B 6.458 17.387 27.123 52.752 76.295 84.247 84.857",
                                "C 6.404 17.144 32.665 54.851 76.668 84.841 85.616",
                                "D 6.979 15.674 25.008 53.044 79.204 87.115 87.739",
                                "A 25.314 41.236 92.619 141.911 157.626 159.468 159.455",
                                "B 31.503 47.503 96.400 141.198 157.873 159.476 159.537",
                                "C 27.062 45.031 93.894 142.703 158.984 160.380 160.481",
                                "D 27.648 36.102 81.103 147.793 162.497 163.387 163.377",
                                "A 59.18 19.39 100.00 35.14 102.86 36.10 169.11 42.11 1371.1 1.045 4.00",
                                "B 59.47 20.97 100.92 36.18 102.06 35.84 168.89 42.61 1502.3 0.867 4.00",
                                "C 59.17 20.04 101.04 33.85 102.10 33.76 169.36 41.13 1368.5 0.948 5.80",
                                "D 67.19 23.82 112.33 40.62 115.90 41.30 187.37 50.20 1907.2 6.283 5.70",
                                "A 6.509 11.130 18.3123 45.6148 25.7486 63.1761 102.210",
                                "B 6.443 9.948 17.0914 46.7833 25.7519 61.3685 102.340",
                                "C 6.206 11.718 18.8520 47.5403 25.2025 67.8464 100.232",
                                "D 484.605 168.968 116.732 1222.69 269.400 556.922 121.171",
                                "A 323.57 221.12 95.28 203.32 386.49 191.25 190.68 411.29 293.50",
                                "B 324.01 205.28 129.15 208.22 386.53 191.13 190.76 414.87 293.78",
                                "C 324.79 200.83 111.97 206.33 385.56 191.11 190.70 414.64 293.52",
                                "D 145.22 158.78 98.09 198.87 384.65 190.64 188.14 413.70 292.82",
                                "A 206.83 293.34 189.77 230.56 674.92 330.34 312.93 293.96 8.969",
                                "B 208.91 298.47 190.07 231.22 674.97 333.76 313.55 294.28 8.867",
                                "C 207.15 295.53 189.75 230.87 674.32 332.87 313.11 293.99 8.890",
                                "D 208.27 273.29 188.14 229.86 672.54 329.64 312.23 293.30 7.122",
                                "A 800 3.783 44.180 172.92",
                                "B 800 3.781 38.313 172.94",
                                "C 800 3.788 48.874 173.18",
                                "D 800 3.789 38.492 173.51"};

constexpr std::array lmbench_smp{"A 0.501 0.92795 5.270 1.216 6.773 1.293 4.494 233.0 716.8 2912.9",
                                 "B 0.501 0.93778 5.213 1.212 6.717 1.292 4.481 232.0 716.7 2901.2",
                                 "C 0.504 1.08863 4.982 1.206 6.970 1.293 4.442 242.8 747.9 3053.7",
                                 "D 1.916 3.12815 7.734 3.698 11.709 2.858 7.559 277.0 925.5 3959.3",
                                 "A 4.411 27.406 66.021 130.107 5.246 35.1106 87.3160 168.771",
                                 "B 4.424 27.378 65.973 130.098 5.170 35.0629 85.2186 172.147",
                                 "C 5.754 42.016 100.761 196.230 6.670 50.1556 121.856 242.663",
                                 "D 13.142 102.394 249.196 500.868 14.271 113.352 283.88 546.154",
                                 "A 1.778 1.944 2.370 2.926 3.450 3.522 4.338",
                                 "B 1.724 1.910 2.028 2.614 3.010 3.412 4.748",
                                 "C 1.906 2.074 2.348 2.978 3.576 3.326 4.110",
                                 "D 6.046 5.448 6.466 5.654 5.800 5.488 5.280",
                                 "A 2.988 5.778 7.428 8.454 8.496 8.394 7.934",
                                 "B 6.818 6.644 7.614 8.698 8.548 8.598 7.906",
                                 "C 5.528 6.526 7.810 8.820 8.422 8.724 8.348",
                                 "D 8.064 8.208 8.606 9.034 8.774 8.482 8.906",
                                 "A 8.388 8.816 9.804 9.546 8.758 9.364 14.334",
                                 "B 8.402 8.098 8.990 9.326 8.204 9.286 14.350",
                                 "C 6.636 6.758 6.884 7.170 7.416 10.052 13.452",
                                 "D 8.462 8.994 9.986 9.284 9.380 9.726 9.978",
                                 "A 9.358 8.954 9.740 10.228 11.780 23.400 27.402",
                                 "B 11.792 11.962 12.350 11.138 11.658 26.948 36.402",
                                 "C 11.742 12.130 12.420 12.922 12.088 21.380 31.318",
                                 "D 12.266 12.572 12.712 12.906 12.720 13.940 20.930",
                                 "A 16.122 17.358 17.826 17.946 22.550 48.360 67.204",
                                 "B 18.504 17.958 17.784 17.574 20.966 49.100 71.354",
                                 "C 16.342 17.150 17.372 17.746 24.338 45.454 66.822",
                                 "D 19.286 18.684 18.322 18.990 24.352 51.198 68.866",
                                 "A 27.460 31.226 29.184 31.742 50.472 135.096 176.156",
                                 "B 28.674 28.366 27.690 29.234 53.842 130.884 178.004",
                                 "C 28.816 28.060 28.566 29.886 51.270 141.374 178.096",
                                 "D 28.772 28.816 28.736 42.250 67.816 159.820 180.094",
                                 "A 88.76 33.00 162.68 58.29 187.13 58.17 268.37 70.43 4653.0 1.086 4.00",
                                 "B 90.26 32.96 164.18 58.25 166.26 58.42 262.70 70.80 4638.6 1.053 4.00",
                                 "C 91.75 31.96 164.47 57.70 168.66 58.05 261.68 71.00 5020.2 1.359 4.00",
                                 "D 101.59 35.90 154.57 63.19 155.20 63.26 244.55 77.66 6931.2 2.012 7.00",
                                 "A 8.381 20.217 33.332 59.6795 41.2206 74.5685 117.646",
                                 "B 8.223 15.084 33.4689 55.7983 38.1489 71.8043 121.885",
                                 "C 9.135 16.638 39.5581 67.6097 47.3104 82.4835 118.360",
                                 "D 19.460 29.729 49.8840 465.325 61.6741 131.809 131.579",
                                 "A 509.65 504.18 172.52 290.36 330.88 193.43 157.06 330.87 201.57",
                                 "B 514.71 503.90 154.21 289.53 330.19 193.63 156.88 330.18 201.73",
                                 "C 474.63 496.20 144.88 289.44 330.55 194.23 158.10 330.58 200.94",
                                 "D 360.74 344.55 137.47 284.20 327.97 195.28 159.18 328.65 203.26",
                                 "A 292.56 269.89 192.90 167.37 785.96 202.14 202.73 350.89 10.298",
                                 "B 291.84 270.12 191.63 165.61 784.42 202.30 202.98 350.96 10.310",
                                 "C 291.89 265.37 192.08 165.79 785.20 201.56 202.06 350.30 9.952",
                                 "D 285.84 244.90 194.22 169.39 781.87 203.51 205.93 349.57 7.180",
                                 "A 700 4.301 12.907 182.16",
                                 "B 700 4.301 12.908 182.13",
                                 "C 700 4.303 12.915 182.30",
                                 "D 700 4.326 12.989 183.39"};

template <std::size_t rows>
void expect_summary(const std::array<const char*, rows>& typed, const std::string& machine) {
  const Reference reference = shipped_reference("lmbench.json");
  for (const std::string system : {"A", "B", "C", "D"}) {
    Words cells;
    for (const char* row : typed)
      if (Words words = words_of(row); words.front() == system)
        cells.insert(cells.end(), words.begin() + 1, words.end());
    EXPECT_EQ(cells.size(), 100U);
    EXPECT_EQ(printed_of(reference, system + " (" + machine + ")"), cells) << system << ' ' << machine;
  }
}

TEST(PublishedDocuments, LmbenchSummaryOfOneProcessor) { expect_summary(lmbench_up, "UP"); }
TEST(PublishedDocuments, LmbenchSummaryOfFourProcessors) { expect_summary(lmbench_smp, "SMP"); }

// Benchmarks of the NPTL library on IA64 (2003): the systems in the order of the document's tables.
const std::vector<std::string> libraries{"Linux Threads (Pentium)", "NPTL (Pentium)", "Linux Threads (IA-64)",
                                         "NPTL (IA-64)"};

TEST(PublishedDocuments, PthreadbenchTables) {
  const Reference reference = shipped_reference("pthreadbench.json");
  const auto expect = [&](const std::string& value, const std::string& cells) {
    EXPECT_EQ(printed_as(reference, value, libraries), words_of(cells)) << value;
  };
  expect("lifecycle", "127819 229619 12330 88899");
  expect("lifecycle.compared", "44 158 -86");
  expect("context", "145010 342365 182826 301656");
  expect("context.compared", "-52 14 -39");
  expect("switch-time.switch", "6896 2920 5470 3315");
  expect("switch-time.locking", "132 70.5 158 49");
  expect("switch-time.net", "6764 2849 5312 3266");
  expect("switch-time.cycles", "16910 7112 4781 2939");
  expect("wakeup", "97771 122761 43483 50331");
  expect("wakeup.compared", "94 143 -14");
  expect("uncontended", "7571516 7060900 6328766 10212532");
  expect("uncontended.compared", "-26 -31 -38");
  expect("lock-time.pair", "132 141 158 98");
  expect("lock-time.operation", "66 70.5 79 49");
  expect("lock-time.cycles", "165 176 63 44");
  expect("frequency", "2.5 2.5 0.9 0.9");
}

TEST(PublishedDocuments, PthreadbenchPageSizes) {
  const Reference reference = shipped_reference("pthreadbench.json");
  const auto expect = [&](const std::string& value, const std::string& library, const std::string& cells) {
    std::vector<std::string> systems;
    for (const char* size : {"4K", "8K", "16K", "64K"}) systems.push_back(library + ", " + size + " pages");
    EXPECT_EQ(printed_as(reference, value, systems), words_of(cells)) << value << " of " << library;
  };
  expect("context", "Linux Threads", "179183 179863 177651 177508");
  expect("context", "NPTL", "396513 401157 411063 376556");
  expect("context-pages.gain", "NPTL", "54.81 55.16 56.78 52.86");
  expect("lifecycle", "Linux Threads", "18502 16515 13727 6605");
  expect("lifecycle", "NPTL", "101776 106560 106073 99582");
  expect("lifecycle-pages.gain", "NPTL", "81.82 84.50 87.06 93.37");
  expect("wakeup", "Linux Threads", "69118 68690 67065 68069");
  expect("wakeup", "NPTL", "118380 110928 111702 105223");
  expect("wakeup-pages.gain", "NPTL", "41.61 38.08 39.96 35.31");
  expect("uncontended", "Linux Threads", "6323734 6325072 6324960 6325262");
  expect("uncontended", "NPTL", "10201658 10206947 10206628 10206287");
  expect("uncontended-pages.gain", "NPTL", "38.01 38.03 38.03 38.03");
}

// The same, the raw lines: count, seconds and rate of five windows for each system, in the order of the document.
struct RawLines {
  const char* value;
  const char* system;
  const char* typed;
};
constexpr RawLines raw_lines[] = {
    {"lifecycle", "Linux Threads (Pentium)",
     "128340 4.99537 25691.8 129766 4.99872 25959.9 121461 4.99888 24297.7 130323 4.99892 26070.2 129206 4.99882 "
     "25847.3"},
    {"lifecycle", "Linux Threads (IA-64)",
     "61478 4.99969 12296.4 61646 4.99982 12329.6 62016 4.99966 12404 61528 4.99976 12306.2 61585 4.99959 12318"},
    {"lifecycle", "NPTL (Pentium)",
     "1146950 4.99332 229697 1155268 4.9982 231137 1147274 4.99876 229511 1140484 4.99872 228155 1147698 4.9987 "
     "229599"},
    {"lifecycle", "NPTL (IA-64)",
     "453504 4.99994 90702 442196 4.99971 88444.4 442380 4.99951 88484.7 442508 4.99948 88510.7 441764 4.99974 "
     "88357.4"},
    {"context", "Linux Threads (Pentium)",
     "681148 5.08959 133832 973348 4.9987 194720 627962 5.08881 123401 738299 5.04877 146233 654499 5.159 126866"},
    {"context", "Linux Threads (IA-64)",
     "1009192 5.07046 199034 1092900 5.15004 212212 881415 4.99969 176294 813726 5.18222 157023 914534 5.39332 169568"},
    {"context", "NPTL (Pentium)",
     "1648943 5.11928 322104 1482676 4.99866 296615 2425918 5.08865 476731 1558364 5.1187 304445 1646595 5.27868 "
     "311933"},
    {"context", "NPTL (IA-64)",
     "1904623 5.06151 376296 1523602 4.99972 304738 1527689 5.00027 305521 1559780 4.99951 311986 1630905 5.26538 "
     "309741"},
    {"wakeup", "Linux Threads (Pentium)",
     "428249 4.99544 85727.9 500555 4.99804 100150 505355 4.99886 101094 506447 4.99872 101315 502745 4.99881 100573"},
    {"wakeup", "Linux Threads (IA-64)",
     "250795 4.99994 50159.6 247568 4.99947 49518.8 246061 5.00033 49208.9 246656 4.99965 49334.6 245981 4.99955 "
     "49200.6"},
    {"wakeup", "NPTL (Pentium)",
     "594859 4.99864 119004 672069 4.99914 134437 601190 4.99806 120285 601265 4.99857 120288 598793 4.99861 119792"},
    {"wakeup", "NPTL (IA-64)",
     "260518 4.99969 52106.8 255846 4.99955 51173.8 240073 4.99973 48017.2 249059 4.99959 49815.9 252732 5.00013 "
     "50545.1"},
    {"uncontended", "Linux Threads (Pentium)",
     "37948774 4.9984 7592178.223 37786013 4.99857 7559370.627 37935855 4.99858 7589326.369 37752282 4.99852 "
     "7552690.486 37809587 4.99861 7564020.198"},
    {"uncontended", "Linux Threads (IA-64)",
     "31645158 4.99992 6329131.6 31640567 4.99929 6329017.184 31640113 4.99933 6328866.871 31637056 4.99935 "
     "6328236.402 31639168 4.99941 6328584.17"},
    {"uncontended", "NPTL (Pentium)",
     "35295501 4.99789 7062087.463 35313675 4.99866 7064624.08 35175797 4.99865 7037057.998 35316222 4.99857 "
     "7065259.412 35367709 4.99863 7075476.235"},
    {"uncontended", "NPTL (IA-64)",
     "51058878 4.99938 10213037.93 51055216 4.99937 10212338.12 51050637 4.99938 10211397.7 51064154 4.99992 "
     "10212992.17 51057906 4.99935 10212898.66"},
};

TEST(PublishedDocuments, PthreadbenchRawLines) {
  const Reference reference = shipped_reference("pthreadbench.json");
  EXPECT_EQ(reference.lines.size(), std::size(raw_lines));
  for (const RawLines& raw : raw_lines) {
    Words found;
    for (const PublishedLines& lines : reference.lines)
      if (lines.value == raw.value && lines.system == raw.system)
        for (const Words& line : lines.lines) found.insert(found.end(), line.begin(), line.end());
    EXPECT_EQ(found, words_of(raw.typed)) << raw.value << " of " << raw.system;
  }
}

// Figures 4 and 5 of the errata: what the document's own arithmetic gives, and what a line misprints.
TEST(PublishedDocuments, PthreadbenchCyclesAreRecomputedAsItsLinesSay) {
  const Reference reference = shipped_reference("pthreadbench.json");
  for (const PublishedNumber& number : reference.numbers) {
    if (number.value == "switch-time.cycles" && number.system == "NPTL (Pentium)") {
      EXPECT_NEAR(number.recomputed.value(), 2849 * 2.5, 1);
    }
    if (number.value == "switch-time.cycles" && number.system == "NPTL (IA-64)") {
      EXPECT_FALSE(number.recomputed.has_value());
      EXPECT_THAT(number.why, testing::HasSubstr("49"));
    }
    if (number.value == "lock-time.cycles" && number.system == "Linux Threads (IA-64)") {
      EXPECT_NEAR(number.recomputed.value(), 79 * 0.9, 0.2);
    }
  }
}

// NPT vs. NGPT vs. LinuxThreads (2002), by its words; and the thread library study, by its words.
TEST(PublishedDocuments, WordsOfTheThreadStudies) {
  const Reference creation = shipped_reference("nptl-create.json");
  const std::vector<std::string> systems{"LinuxThreads", "NGPT 2.0.2", "NPTL 0.1"};
  EXPECT_EQ(printed_as(creation, "least.faster", systems), words_of("1 2 8"));
  EXPECT_EQ(printed_as(creation, "least.step", systems), words_of("2 4"));
  EXPECT_EQ(printed_as(creation, "least.repeated", systems), words_of("<1 <1 <1"));
  const Reference study = shipped_reference("lat-thread-ctx.json");
  EXPECT_EQ(printed_as(study, "creation.less", {"NPTL, 2.6.6, SMP"}), words_of("600"));
  EXPECT_EQ(printed_as(study, "gains.library", {"NPTL, 2.6.6, SMP", "NPTL, 2.6.6, one CPU"}), words_of(">65 10"));
  EXPECT_EQ(printed_as(study, "gains.preemption", {"NPTL, 2.6.6, SMP"}), words_of("±1"));
  const std::vector<std::string> threaded{"LinuxThreads, 2.6.6, SMP with hyper-threading",
                                          "NPTL, 2.6.6, SMP with hyper-threading"};
  EXPECT_EQ(printed_as(study, "gains.smt", threaded), (Words{"-6 to -5", "5 to 6"}));
  EXPECT_DOUBLE_EQ(study.numbers.back().number, 0.055);
}

// Test set #1 of the LTT benchmarks (2002): A, C and D by task, with their changes against A.
TEST(PublishedDocuments, WholeTasksOfTheTracingStudy) {
  const Reference study = shipped_reference("tasks.json");
  const std::vector<std::pair<std::string, std::string>> typed{{"compile", "638 640 651 0.3 2.0"},
                                                               {"compress", "200 201 204 0.5 2.0"},
                                                               {"suite-smp", "867 871 872 0.5 0.5"},
                                                               {"suite-up", "272.05 270.87 275.08 -0.15 1.11"}};
  for (const auto& [series, cells] : typed) {
    Words printed;
    for (const PublishedNumber& number : study.numbers)
      if (number.at == NamedTexts{{"series", series}}) printed.push_back(number.printed);
    EXPECT_EQ(printed, words_of(cells)) << series;
  }
}

// Table 1 of de Supinski and May (1999): Digital, IBM, SGI, Sun.
TEST(PublishedDocuments, TableOfDeSupinskiAndMay) {
  const std::vector<std::string> typed{
      "N/A 265.9 N/A 211.0",     "N/A 265.5 30.6 51.7",      "N/A 312.7 N/A 491.5",     "N/A 305.1 68.9 343.1",
      "1.6 4.3 N/A 9.5",         "10013 10001 N/A N/A",      "59.5 48.9 9.5 25.0",      "12.4 29.2 N/A 25.7",
      "N/A 74.3 N/A 25.1",       "0.0383 0.606 0.634 0.125", "25.3 45.7 N/A N/A",       "58.8 3.7 9.4 24.3",
      "13.4 37.8 N/A 24.2",      "N/A 3.7 N/A 24.2",         "0.274 0.638 0.434 0.448", "0.273 0.726 0.540 0.714",
      "0.483 0.343 0.251 0.321", "0.495 0.478 0.296 0.417"};
  // Of the table that a campaign without points has; rows of our own have no such cells.
  std::istringstream table(test::printed("desupinski-may", {}));
  std::string line;
  while (std::getline(table, line) && line.find("Digital") == std::string::npos) {
  }
  const std::size_t begin = line.find("Digital");
  const std::size_t end = line.find("Sun") + 3;
  std::vector<std::string> shipped;
  std::getline(table, line);  // years
  while (std::getline(table, line) && !line.empty()) {
    const Words cells = words_of(line.substr(0, end).substr(std::min(begin, line.size())));
    if (cells.size() == 4) shipped.push_back(cells[0] + ' ' + cells[1] + ' ' + cells[2] + ' ' + cells[3]);
  }
  EXPECT_EQ(shipped, typed);
}

}  // namespace
}  // namespace assay
