// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a campaign file, and where each mistake is told to be; in what words,
// tests/golden/program/config_errors.txt says.
#pragma once

namespace assay::test {

/// Lines that are wrong: of a series of the measurement, behind its two first lines, or a whole file where there is
/// none.
struct Mistake {
  const char* lines;
  const char* place;  ///< line:column, or what was given in the place of a file
  const char* measurement = "demo/pair";
};

constexpr Mistake series_mistakes[] = {
    {"chanel = flag\n", "3:1"},
    {"colour = red\n", "3:1"},
    {"channel = flag, pip\n", "3:17"},
    {"bytes = 8, 0x10\n", "3:12"},
    {"bytes = 8, 16,  0x10\n", "3:17"},
    {"bytes   =   8..\n", "3:16"},
    {"bytes = 1..64 *1\n", "3:15"},
    {"bytes = 1, 5ms\n", "3:12"},
    {"channel = flag refine 0.1\n", "3:16"},
    {"vehicle = mpi\n", "3:11"},
    {"members = 3\n", "3:11"},
    {"members = 100000\n", "3:11", "demo/team"},
    {"bytes = 8, -5\n", "3:12"},
    {"bytes = 2.5\n", "3:9"},
    {"members = 2, 1\n", "3:14"},
    {"members = 2, 4 refine 0.1\n", "3:14"},
    {"bytes = 8..64 *1.0001, 70..9G +1\n", "3:24"},
    {"", "2:15", "demo/piar"},
    {"", "2:15", "nonsense"},
    {"bytes = 1..5000 +1\nchannel = flag, futex, pipe\nvehicle = thread, process\nplacement = representative\n", "1:1"},
    {"bytes = 1..5000 refine 0.1\nmax-points = 100001\nplacement = unbound\n", "1:1"},
};

constexpr Mistake refine_mistakes[] = {
    {"wait = 1us..1ms refine 0.1\nbytes = 1..8 refine 0.1 of time\n", "4:9", "demo/two"},
    {"bytes = 1..64 refine 2\n", "3:22"},
    {"bytes = 1..64 refine 5% multipleof 0.5\n", "3:36"},
    {"bytes = 1..64 refine 5% of tme\n", "3:28"},
    {"bytes = 1..64 refine 5% of \n", "3:25"},
    {"bytes = 1..64 refine 5% of time, 9\n", "3:32"},
};

constexpr Mistake number_mistakes[] = {
    {"bytes = 0x10\n", "3:9"},
    {"bytes = 1_000\n", "3:9"},
    {"bytes = +5\n", "3:9"},
    {"bytes = nan\n", "3:9"},
    {"bytes = inf\n", "3:9"},
    {"bytes = -inf\n", "3:9"},
    {"bytes = .5\n", "3:9"},
    {"bytes = 5.\n", "3:9"},
    {"bytes = 08\n", "3:9"},
    {"bytes = 1e\n", "3:9"},
    {"bytes = --1\n", "3:9"},
    {"bytes = 1e999\n", "3:9"},
    {"bytes = 9223372036854775808\n", "3:9"},
    {"bytes = 9007199254740993.5\n", "3:9"},
    {"bytes = 8,\n", "3:11"},
    {"bytes = 5 m\n", "3:11"},
    {"bytes = 5m\n", "3:9"},
    {"bytes = 5Kib\n", "3:9"},
    {"bytes = 64K\n", "3:9"},
    {"bytes = 64KB\n", "3:9"},
    {"max-time = 10000000000000s\n", "3:12"},
    {"max-time = 5m\n", "3:12"},
    {"eps = 1,5\n", "3:7"},
    {"min-timings = -1\n", "3:15"},
    {"min-visits = 2.5\n", "3:14"},
    {"bytes = 1..8 +0\n", "3:14"},
    {"bytes = 1..8 +-1\n", "3:14"},
    {"bytes = 8..1 +1\n", "3:9"},
    {"bytes = 1..8 *0.5\n", "3:14"},
    {"bytes = 0..8 *2\n", "3:9"},
    {"bytes = 0..1 +1e-30\n", "3:14"},
    {"bytes = 1..8\n", "3:9"},
    {"bytes = 0..9223372036854775807 +1\n", "3:9"},
    {"bytes = 64, 1..64 *2\n", "3:13"},
    {"channel = flag, futex, flag\n", "3:24"},
    {"placement = unbound, unbound\n", "3:22"},
};

constexpr Mistake derived_mistakes[] = {
    {"derive.x = quotient channel flag pipe\n", "3:12"},
    {"derive.x = slope\n", "3:12"},
    {"derive.x = tail\n", "3:12"},
    {"derive.x = tail of time\n", "3:12"},
    {"derive.x = tail 0.99 p999\n", "3:22"},
    {"derive.x = tail 0.5\n", "3:17"},
    {"derive.x = tail 0.99 of tim\n", "3:25"},
    {"derive.x = slope bytes of tim\n", "3:27"},
    {"derive.x = slope byte\n", "3:18"},
    {"derive.x = slope channel\n", "3:18"},
    {"derive.x = slope bytes\n", "3:18"},
    {"derive.x = plateaus bytes\n", "3:21"},
    {"derive.x = ratio channel flag pip\n", "3:31"},
    {"derive.x = ratio channel flag flag\n", "3:31"},
};

constexpr Mistake precision_mistakes[] = {
    {"eps = 2\n", "3:7"},
    {"eps = 0\n", "3:7"},
    {"eps = two\n", "3:7"},
    {"alpha = 0.7\n", "3:9"},
    {"rule = medain-ci\n", "3:8"},
    {"rule = all(median-ci, stderror)\n", "3:23"},
    {"rule = stddev(esp=2%)\n", "3:15"},
    {"rule = quantile-ci:90\n", "3:20"},
    {"rule = any(fixed:9, time:soon)\n", "3:26"},
    {"rule = fixed\n", "3:8"},
    {"rule = stddev(eps=1%)\neps = 5%\n", "4:7"},
    {"max-time = 5\n", "3:12"},
    {"max-time = 0\n", "3:12"},
    {"batches = 0\n", "3:11"},
    {"batches = 5000000000\n", "3:11"},
    {"floor = 0\n", "3:9"},
    {"incarnations = 9\nmax-incarnations = 4\n", "4:20"},
    {"max-timings = 60\n", "3:15"},
    {"rule = fixed:9\nmax-timings = 5\n", "4:15"},
    {"max-timings = 90\nmin-timings = 100\n", "3:15"},
    {"min-timings = 1\n", "3:15"},
    {"noisy = 1.5\n", "3:9"},
};

constexpr Mistake placement_mistakes[] = {
    {"placement = all\nmax-placements = 50\n", "3:13"},
    {"members = 8\nplacement = all\n", "4:13", "demo/team"},
    {"members = 7\nplacement = classes\n", "4:13", "demo/team"},
    {"members = 2, 3\nplacement = all\n", "4:13", "demo/team"},
    {"members = 2..4000 refine 5%\nplacement = same-pu\n", "3:11", "demo/team"},
    {"max-placements = 0\n", "3:18"},
    {"placement = smt, same-l33\n", "3:18"},
    {"placement = smt,\n", "3:17"},
    {"placement = 0+1+2\n", "3:13"},
    {"placement = bound\n", "3:13"},
    {"placement = smt\n", "3:13", "demo/solo"},
};

/// Placements that are well said, but cannot be had on a machine of eight CPUs in one package.
constexpr Mistake machine_lacks[] = {
    {"placement = smt, cross-package\n", "3:18"},
    {"placement = 0+64\n", "3:13"},
};

constexpr Mistake pattern_mistakes[] = {
    {"command = xz {threads}\n", "3:15", "demo/task"},
    {"command = xz {thread}\nthreads = 1\nfolder = {threads}\n", "3:15", "demo/task"},
    {"command = xz\nthreads = 1\n", "4:1", "demo/task"},
    {"command = xz {members}\n", "3:15", "demo/task"},
    {"command = xz 'a\n", "3:14", "demo/task"},
    {"command = ls | wc\n", "3:14", "demo/task"},
    {"command = sh -c 'ls | wc' > x\n", "3:27", "demo/task"},
    {"command = xz {n}\nn = 1, 1\n", "4:8", "demo/task"},
    {"command = xz {t}\nt = 1ms\n", "4:5", "demo/task"},
};

constexpr Mistake file_mistakes[] = {
    {"[seris.one]\n[series.two]\nmeasurement = demo/solo\n", "1:1", ""},
    {"[series.a b]\nmeasurement = demo/solo\n", "1:1", ""},
    {"[variant.a]\nenv = A=1\n[series.one]\nmeasurement = demo/solo\n", "2:1", ""},
    {"[series.one]\nmeasurement demo/solo\n", "2:1", ""},
    {"[series.a.b]\n[series.two]\nmeasurement = demo/solo\n", "1:1", ""},
    {"[output]\n[series.two]\nmeasurement = demo/solo\n", "1:1", ""},
    {"[series.one]\n", "1:1", ""},
    {"[campaign]\ntitle = x\n", "", ""},
    {"[campaign]\nseed = -1\n[series.one]\nmeasurement = demo/solo\n", "2:8", ""},
    {"[campaign]\nclock = fast\n[series.one]\nmeasurement = demo/solo\n", "2:9", ""},
    {"[campaign]\nmax-workers = 0\n[series.one]\nmeasurement = demo/solo\n", "2:15", ""},
    {"[campaign]\ntime-limit = 5\n[series.one]\nmeasurement = demo/solo\n", "2:14", ""},
    {"[campaign]\ntime-limit = 1ms\n[series.one]\nmeasurement = demo/solo\n", "2:14", ""},
    {"[campaign]\ndurability = sometimes\n[series.one]\nmeasurement = demo/solo\n", "2:14", ""},
    {"[campaign]\nsed = 1\n[series.one]\nmeasurement = demo/solo\n", "2:1", ""},
    {"[precision]\nrule = median-ci(eps=1%)\n[series.one]\nmeasurement = demo/pair\neps = 5%\n", "5:7", ""},
    {"[variant.plain]\n[series.one]\nmeasurement = demo/solo\n", "1:1", ""},
    {"[variant.a]\nsetpu = x\n[series.one]\nmeasurement = demo/solo\n", "2:1", ""},
    {"[variant.a]\nprogram = assay\n[series.one]\nmeasurement = demo/solo\n", "2:11", ""},
    {"[variant.a]\nrounds = 0\n[series.one]\nmeasurement = demo/solo\n", "2:10", ""},
    {"[variant.fast]\n[series.one]\nmeasurement = demo/solo\nvariant = plain, fats\n", "4:18", ""},
    {"[variants.a]\n[series.one]\nmeasurement = demo/solo\n", "1:1", ""},
};

constexpr Mistake expansion_mistakes[] = {
    {"[campaign]\noutput = $HOME\n[series.a]\nmeasurement = demo/solo\n", "2:10", ""},
    {"[campaign]\noutput = ${HOME}/x\n[series.a]\nmeasurement = demo/solo\n", "2:10", ""},
    {"[campaign]\noutput = $(id)\n[series.a]\nmeasurement = demo/solo\n", "2:10", ""},
    {"[campaign]\noutput = `id`\n[series.a]\nmeasurement = demo/solo\n", "2:10", ""},
    {"[campaign]\noutput = ~/results\n[series.a]\nmeasurement = demo/solo\n", "2:10", ""},
    {"[series.a]\nmeasurement = demo/solo\ninclude = other.ini\n", "3:1", ""},
    {"[series.a]\nmeasurement = demo/solo\ninclude other.ini\n", "3:1", ""},
    {"[series.a]\nmeasurement = demo/solo\n!include other.ini\n", "3:1", ""},
    {"[series.a]\nmeasurement = demo/solo\n@include \"x.ini\"\n", "3:1", ""},
    {"[series.a]\nmeasurement = demo/solo\n#include \"other.ini\"\n", "3:1", ""},
    {"[series.a]\nmeasurement = demo/solo\n#include <other.ini>\n", "3:1", ""},
};

/// Texts of --set that mean nothing beside a series `one` of demo/pair.
constexpr const char* override_mistakes[] = {
    "eps=2%",          "precision.eps",     "precision.eps=",     "precision.esp=2%",
    "precison.eps=2%", "series.on.bytes=8", "series.one.bytes=x",
};

}  // namespace assay::test
