#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks in the built program that nothing but the primitive under test is executed between the two clock reads of a kernel.

Usage: timed_code.py ASSAY_BINARY
Timed code is what can be reached from a start stamp without passing another stamp, and from which a stop stamp can be reached: error
paths, which never come back, are not part of it. Calls of functions in the program itself are followed. Of some kernels it also checks that the timed
loop exists in copies, each at a place of its own within its cache lines. Prints one line per kernel; exit code 77 (skipped) where the program cannot
be read this way.
"""
import platform
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cached_property

SKIPPED = 77
PROTOCOLS = "RoundTrip|HeldCondvar|Overheads|LockOverheads|Issue|Blocked|OneWay|Burst"
KERNEL = re.compile(rf"\bassay::(?:{PROTOCOLS})(?:<|::run\()")
# What is not timed, or computes its time: preparations, channels of known parameters, a channel that fails on purpose.
NOT_TIMED = re.compile(r"::enter\(|::learn_round_trip\(|Synthetic|MessageChannel|SimulatedTime|NoChannel|LosingChannel")
# What a channel's definition may call. Everything else has no business in timed code.
PRIMITIVES = re.compile(
    r"^(?:syscall|read|write|pread64?|pwrite64?|pwritev2|preadv2|send|recv|sendto|recvfrom|sendmsg|recvmsg|eventfd_(?:read|write)|"
    r"poll|ppoll|sched_yield|sem_\w+|semop|mq_\w+|pthread_(?:mutex|cond|rwlock|spin|barrier)_\w+|pthread_kill|pthread_sigqueue|sigwait\w*|"
    r"sigsuspend|sigqueue|tgkill|__errno_location|clock_gettime|pthread_self|std::_Hash_bytes)$"
)
# What the standard library's own primitives call, which are measured as they come (GCC 16 prepares their waiting on first use).
LIBRARYS_OWN = re.compile(r"^call of (?:__cxa_guard_\w+|memset|arc4random)(?:@plt)?$")
OURS = re.compile(r"^(?:[\w:<> ]+ )?(?:assay|std)::")  # in the program itself, and followed: the library's templates too
NO_RETURN = re.compile(r"__cxa_throw|__cxa_rethrow|_Unwind_Resume|__throw_|terminate|abort|__stack_chk_fail|__cxa_bad|rethrow_exception"
                       r"|assay::fail(_at_end)?\(|::refuse(_part|_size)?\(")
# Kernels that must be found, and what must stand in their timed code.
EXPECTED = [
    (r"RoundTrip<assay::Flag<false", r"\bpause\b"),
    (r"RoundTrip<assay::Futex", r"call\s.*<syscall@plt>"),
    (r"RoundTrip<assay::Futex", r"\block\b"),
    (r"RoundTrip<assay::Condvar", r"call\s.*<pthread_mutex_lock@plt>"),
    (r"RoundTrip<assay::Condvar", r"call\s.*<pthread_cond_wait@plt>"),
    (r"RoundTrip<assay::Pipe", r"call\s.*<write@plt>"),
    (r"RoundTrip<assay::Pipe", r"call\s.*<read@plt>"),
    (r"Overheads<assay::Futex", r"call\s.*<syscall@plt>"),
    (r"Burst<assay::Pipe", r"call\s.*<write@plt>"),
    (r"Blocked<assay::Futex", r"call\s.*<syscall@plt>"),
    (r"OneWay<assay::Flag<false", r"\bpause\b"),
    (r"OneWay<assay::Pipe", r"call\s.*<read@plt>"),
    (r"Issue<assay::Flag<false", r"\block\b|\bmfence\b"),
]

# As framework/api/loop_copies.hpp has them.
COPIES, LINE_BYTES = 4, 64
# Kernels that must be found, each of which times one action at a time: the copies of each loop are that far apart, whatever aligns loops.
COPIED = [
    r"^assay::LockPair<assay::Mutex<\(assay::MutexKind\)0> >::run\(",
    r"^assay::EmptyBody::run\(",
    r"RoundTrip<assay::Flag<false.*::exchange<assay::NoWork>",
    r"RoundTrip<assay::Futex.*::exchange<assay::NoWork>",
    r"RoundTrip<assay::Pipe.*::exchange<assay::NoWork>",
]

COMPARES_WITH_2 = re.compile(r"cmp[bl]?\s+\$0x2,")
LABEL = re.compile(r"^([0-9a-f]+) <(.*)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
TARGET = re.compile(r"\b([0-9a-f]+) <")
NAME = re.compile(r"<(.*)>")


class Instruction:
    """One line: address, text, and what it does to the flow of control."""

    def __init__(self, address, text):
        self.address = address
        self.text = text
        words = [word for word in text.split() if word not in {"notrack", "bnd", "rep", "repz", "lock"}]
        self.mnemonic = words[0] if words else ""
        target = TARGET.search(text)
        self.target = int(target.group(1), 16) if target else None
        name = NAME.search(text)
        self.callee = name.group(1) if name else None
        self.is_call = self.mnemonic.startswith("call")
        self.is_jump = self.mnemonic.startswith("j")
        self.is_end = self.mnemonic.startswith(("ret", "ud2", "hlt"))

    def is_indirect(self):
        """True for a call or jump through a pointer."""
        return (self.is_call or self.is_jump) and re.search(r"\s\*[%0-9a-f-]", self.text.split("<")[0]) is not None

    def is_start(self):
        """True for a start stamp of the counter, or a call of the function that takes one."""
        return self.mnemonic == "rdtsc" or (self.is_call and "Stopwatch::read<true>" in (self.callee or ""))

    def is_stop(self):
        """True for a stop stamp, or a stamp of CLOCK_MONOTONIC, which serves as both."""
        return self.mnemonic == "rdtscp" or (
            self.is_call and ("Stopwatch::read<false>" in (self.callee or "") or (self.callee or "").startswith("clock_gettime"))
        )


class Function:
    """Instructions in order, with the edges between them; read when they are asked for."""

    def __init__(self, name, lines):
        self.name = name
        self.lines = lines

    @cached_property
    def code(self):
        """The instructions."""
        found = (LINE.match(line) for line in self.lines)
        return [Instruction(int(line.group(1), 16), line.group(2)) for line in found if line]

    @cached_property
    def at(self):
        """Indexes by address."""
        return {instruction.address: i for i, instruction in enumerate(self.code)}

    @cached_property
    def jumps_to(self):
        """Indexes of the jumps to each address."""
        jumps = {}
        for i, instruction in enumerate(self.code):
            if instruction.is_jump and instruction.target is not None:
                jumps.setdefault(instruction.target, []).append(i)
        return jumps

    @cached_property
    def before(self):
        """Indexes of what can have been executed just before each."""
        before = {}
        for i in range(len(self.code)):
            for k in self.successors(i):
                before.setdefault(k, []).append(i)
        return before

    def successors(self, i):
        """Indexes of what can be executed next within this function."""
        instruction = self.code[i]
        if instruction.is_end or (instruction.is_call and NO_RETURN.search(instruction.callee or "")):
            return []
        following = [i + 1] if i + 1 < len(self.code) and instruction.mnemonic != "jmp" else []
        if instruction.is_jump and not instruction.is_indirect() and instruction.target in self.at:
            following.append(self.at[instruction.target])
        return following

    def simulated_stamps(self):
        """Indexes of the calls through which simulated time is read: taken where the source was compared with 2."""
        return {
            i
            for i, instruction in enumerate(self.code)
            if instruction.is_call and instruction.is_indirect() and self.follows_comparison(i)
        }

    def follows_comparison(self, i):
        """True when the block of an instruction is entered by jumps alone, each behind a comparison with 2."""
        while i > 0 and self.code[i].address not in self.jumps_to:
            i -= 1
            if self.code[i].is_jump or self.code[i].is_end or self.code[i].is_call and i < len(self.code) - 1:
                return COMPARES_WITH_2.match(self.code[i - 1].text) is not None and self.code[i].mnemonic == "jne"
        sources = self.jumps_to.get(self.code[i].address, [])
        return bool(sources) and all(any(COMPARES_WITH_2.match(x.text) for x in self.code[max(0, k - 3) : k]) for k in sources)

    def timed_indexes(self):
        """Indexes of what is executed between a start stamp and a stop stamp."""
        simulated = self.simulated_stamps()
        stops = {i for i, instruction in enumerate(self.code) if instruction.is_stop()} | simulated
        starts = [i for i, instruction in enumerate(self.code) if instruction.is_start()]
        if "OneWay<" in self.name:  # what it stamps ends one duration and begins the next
            starts += sorted(stops)
        stamps = stops | set(starts)
        forward = closure([k for i in starts for k in self.successors(i)], self.successors, stamps)
        backward = closure([k for i in stops for k in self.before.get(i, [])], lambda i: self.before.get(i, []), stamps)
        return forward & backward

    def timed(self):
        """The instructions that are executed between a start stamp and a stop stamp."""
        return [self.code[i] for i in sorted(self.timed_indexes())]

    def loop_places(self):
        """Where each outermost loop of the timed code is entered, in bytes into its cache line."""
        inside = self.timed_indexes()
        places, seen = [], set()
        for i in sorted(inside):
            after = closure([k for k in self.successors(i) if k in inside], lambda k: inside.intersection(self.successors(k)), set())
            if i in seen or i not in after:
                continue
            loop = after & closure([i], lambda k: inside.intersection(self.before.get(k, [])), set())
            seen |= loop
            entries = [k for k in loop if not loop.issuperset(self.before.get(k, []))]
            places.append(self.code[min(entries)].address % LINE_BYTES)
        return places


def closure(begin, step, barrier):
    """All that can be reached from `begin` without entering `barrier`."""
    seen = set()
    waiting = [i for i in begin if i not in barrier]
    while waiting:
        i = waiting.pop()
        if i in seen:
            continue
        seen.add(i)
        waiting += [k for k in step(i) if k not in barrier]
    return seen


def functions_of(text):
    """All functions of a disassembly, by address."""
    functions = {}
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if label := LABEL.match(lines[0]):
            functions[int(label.group(1), 16)] = Function(label.group(2), lines[1:])
    return functions


def plain(callee):
    """A callee's name without what the linker and the compiler appended."""
    return re.sub(r"(@plt|@@?GLIBC\w*[\d.]*|\(.*|\+0x.*| \[clone.*)", "", callee or "")


def returning(function):
    """The instructions of a function from which it can return to its caller."""
    ends = [i for i, instruction in enumerate(function.code) if instruction.mnemonic.startswith("ret")]
    return [function.code[i] for i in sorted(closure(ends, lambda i: function.before.get(i, []), set()))]


def problems_in(code, functions, seen):
    """What must not be executed in timed code, and everything that is executed, with the functions it calls."""
    problems, executed = [], list(code)
    for instruction in code:
        if instruction.is_indirect():
            problems.append(f"indirect: {instruction.text}")
        elif instruction.is_call:
            callee = plain(instruction.callee)
            if PRIMITIVES.match(callee):
                continue
            own = functions.get(instruction.target)
            if own is None or not OURS.match(own.name):
                problems.append(f"call of {instruction.callee or instruction.text}")
            elif own.name not in seen:
                seen.add(own.name)
                inner, further = problems_in(returning(own), functions, seen)
                problems += inner
                executed += further
    return problems, executed


def kernels(functions):
    """Functions of the protocols that take stamps of real time."""
    for function in functions.values():
        if KERNEL.search(function.name) and not NOT_TIMED.search(function.name):
            if any(instruction.is_start() for instruction in function.code):
                yield function


def check(functions):
    """Every kernel; returns the number of problems."""
    failures, texts = 0, {}
    for function in kernels(functions):
        problems, executed = problems_in(function.timed(), functions, set())
        if "assay::Standard" in function.name:
            problems = [problem for problem in problems if not LIBRARYS_OWN.match(problem)]
        texts.setdefault(function.name, []).extend(instruction.text for instruction in executed)
        failures += len(problems)
        print(f"{'FAILED' if problems else 'ok'}: {function.name}: {len(executed)} instructions")
        for problem in problems:
            print(f"  {problem}")
    for kernel, wanted in EXPECTED:
        names = [name for name in texts if re.search(kernel, name)]
        found = any(re.search(wanted, text) for name in names for text in texts[name])
        if not found:
            failures += 1
            print(f"FAILED: {'no timed code' if not names else 'not in the timed code'} of {kernel}: {wanted}")
    return failures


def stands_apart(places):
    """Whether each loop has its like at the same distance further into the cache line, all around it."""
    apart, counts = LINE_BYTES // COPIES, Counter(places)
    return bool(places) and all(counts[place] == counts[(place + apart) % LINE_BYTES] for place in counts)


def check_copies(functions):
    """The kernels whose loops exist in copies; returns the number of problems."""
    failures = 0
    for kernel in COPIED:
        found = {function.name: function.loop_places() for function in functions.values() if re.search(kernel, function.name)}
        found = {name: places for name, places in found.items() if places}
        for name, places in found.items():
            apart = stands_apart(places)
            failures += not apart
            print(f"{'ok' if apart else 'FAILED'}: loops of {name} begin at {', '.join(map(str, places))} of {LINE_BYTES} bytes")
        if not found:
            failures += 1
            print(f"FAILED: no timed loop of {kernel}")
    return failures


def extent(binary):
    """The addresses between which all kernels lie, and whether the program is instrumented."""
    done = subprocess.run(["nm", "--demangle", "--defined-only", binary], capture_output=True, text=True, check=True)
    symbols = [line.split(" ", 2) for line in done.stdout.splitlines() if line[0] != " "]
    code = sorted((int(address, 16), name) for address, kind, name in symbols if kind in "tTwWuV")
    wanted = re.compile("|".join([KERNEL.pattern, *COPIED]))
    found = [i for i, (_, name) in enumerate(code) if wanted.search(name) and ".cold" not in name]
    if not found or any("__asan_" in name or "__tsan_" in name for _, _, name in symbols):
        return None
    return code[found[0]][0], code[min(found[-1] + 1, len(code) - 1)][0]


def main():
    if shutil.which("objdump") is None or shutil.which("nm") is None or platform.machine() != "x86_64":
        print("skipped: needs objdump and nm, and an x86-64 program")
        return SKIPPED
    limits = extent(sys.argv[1])
    if limits is None:
        print("skipped: the program has no symbols, or is instrumented")
        return SKIPPED
    done = subprocess.run(
        ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", "--wide",
         f"--start-address={limits[0]}", f"--stop-address={limits[1]}", sys.argv[1]],
        capture_output=True, text=True, check=True,
    )
    functions = functions_of(done.stdout)
    failures = check(functions) + check_copies(functions)
    print(f"{failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
