# SPDX-License-Identifier: Apache-2.0
"""What the commands of the package share: warnings and errors as the program prints them, its exit codes, files replaced whole."""

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assay_report.journal import ResultError, TornJournal
from assay_report.printable import printable
from assay_report.wanted import NotInstalled


class WrongUse(Exception):
    """What was asked for is not there: the message says what is."""


_CODES: dict[type[Exception], int] = {WrongUse: 2, NotInstalled: 3, OSError: 4, ResultError: 5}


def told(text: str) -> None:
    """A line for the reader beside the output; nothing in it is hidden."""
    print(printable(text), file=sys.stderr)


def ended(name: str, run: Callable[[], None]) -> int:
    """Runs a command and returns its exit code: 0, 2 for wrong use, 3 for a package that is missing, 4 where a file cannot be written, 5 for results that are refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", TornJournal)
        warnings.showwarning = lambda message, *_, **__: told(f"note: {message}")
        try:
            run()
        except tuple(_CODES) as error:
            cannot = "cannot be written: " if isinstance(error, OSError) else ""
            told(f"{name}: {cannot}{error}; nothing was written")
            return next(code for kind, code in _CODES.items() if isinstance(error, kind))
    return 0


@contextmanager
def replaced(file: Path) -> Iterator[str]:
    """The name of a new file that takes the place of this one in one step; if anything goes wrong, the old one stays as it was.

    Raises OSError for devices, pipes, folders and links: they would be replaced, not written to.
    """
    if file.is_symlink() or (file.exists() and not file.is_file()):
        raise OSError(f"{file} is no ordinary file, and would be replaced; name another")
    try:
        number, new = tempfile.mkstemp(dir=file.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    os.close(number)
    try:
        yield new
        os.chmod(new, 0o644)
        os.replace(new, file)
    except BaseException:
        Path(new).unlink(missing_ok=True)
        raise
