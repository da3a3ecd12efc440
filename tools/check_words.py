#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that documents, messages and comments use the terms of the field: a private word has a standard one in its place.

Usage: check_words.py [ROOT]
"""

import re
import sys
from pathlib import Path

import source_text

# Words with what stands for them, in documents, campaign files, messages and comments.
EVERYWHERE = (
    (r"told apart", "distinguished"),
    (r"dearer|as dear", "more expensive"),
    (r"moods?", "state, or condition"),
    (r"(?:two|one|several) heaps?", "modes"),
    (r"at hand", "current"),
    (r"odd one(?: out)?", "the one that deviates"),
    (r"sick", "deviating"),
    (r"pays? (?:\w+ ){0,2}visits?", "visits"),
    (r"beats? (?:its|his) heart", "counts heartbeats"),
    (r"thrice", "three times"),
    (r"for ever", "forever"),
    (r"now and then", "occasionally"),
    (r"anybody's guess", "undetermined"),
    (r"happen(?:s|ed)? to (?:agree|differ)", "by chance"),
    (r"nobody receives", "no member receives"),
    (r"stretch(?:es)? of running", "session, or part of one"),
    (r"lone (?:batch(?:es)?|cores?|ones?)", "unshared, or alone"),
)
# In comments, where a person stands for what has a name of its own.
IN_COMMENTS = ((r"nobody|somebody|whoever|everybody|anybody", "the process, thread, member, rank, user or caller that is meant"),)
# Where users read them: not in comments, in which the first member of a pair may well tell the second one something.
SHOWN = (
    (r"tells?|told|telling", "reports, states, shows or distinguishes"),
    (r"speaks?|spoke", "is valid for, or states"),
    (r"whoever|somebody|anybody", "the user, process or member that is meant"),
    (r"stretch(?:es)?", "session, period, segment or trial"),
    (r"honest", "valid"),
    (r"dear", "expensive"),
)
DOCUMENTS = ("README.md", "CONTRIBUTING.md")
SOURCES = ("framework", "measurements")
COMMENT = re.compile(r"//[^\n]*")
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')


def pattern(words):
    """One expression for all of them, and what is to stand for each."""
    instead = {re.compile(word, re.IGNORECASE): term for word, term in words}
    return re.compile(r"\b(?:" + "|".join(word for word, _ in words) + r")\b", re.IGNORECASE), instead


def found_in(text, words):
    """Offset, word and standard term of each private word in a text."""
    whole, instead = pattern(words)
    for match in whole.finditer(text):
        yield match.start(), match.group(), next(term for word, term in instead.items() if word.fullmatch(match.group()))


def shown_and_comments(text):
    """Of a C++ file what users may read, and its comments: both in their places, all else blank. A text without a blank is a name."""
    code = source_text.without_literals(text, keep_strings=True)
    without_includes = re.sub(r"^[ \t]*#[^\n]*", lambda match: source_text.spaces(match.group()), code, flags=re.MULTILINE)
    shown = list(source_text.spaces(text))
    for match in TEXT.finditer(without_includes):
        if " " in match.group():
            shown[match.start() : match.end()] = match.group()
    comments = list(source_text.spaces(text))
    for match in COMMENT.finditer(text):
        if not code[match.start() : match.end()].strip():
            comments[match.start() : match.end()] = match.group()
    return "".join(shown), "".join(comments)


def faults_of(path, text):
    """Line, word and standard term of each private word in one file."""
    if path.suffix in {".cpp", ".hpp"}:
        shown, comments = shown_and_comments(text)
        found = [*found_in(shown, EVERYWHERE + SHOWN), *found_in(comments, EVERYWHERE + IN_COMMENTS)]
    else:
        found = list(found_in(text, EVERYWHERE + SHOWN))
    lines = source_text.Lines(text)
    return [(lines.at(offset), word, term) for offset, word, term in sorted(found)]


def files_of(root):
    """Documents, campaign files and sources."""
    found = [root / name for name in DOCUMENTS if (root / name).is_file()]
    found += source_text.files_below(root, ("doc",), (".md",)) + source_text.files_below(root, ("configs",), (".ini",))
    return found + source_text.files_below(root, SOURCES, (".cpp", ".hpp"))


def main(arguments):
    """Prints each private word with the standard one; 1 when there is any."""
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    paths = files_of(root)
    if not paths:
        sys.exit(f"error: no documents or sources in {root}; nothing was checked; give the root of the project")
    count = 0
    for path in paths:
        for line, word, term in faults_of(path, path.read_text(encoding="utf-8")):
            print(f"{path.relative_to(root).as_posix()}:{line}: error: '{word}': write {term}")
            count += 1
    print(f"check_words: {len(paths)} files, {count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
