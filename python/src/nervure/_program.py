"""The program nervure: where it is, and how it is run.

The program is a child process with a list of arguments. Signals and results are files in a
temporary directory. Progress comes as JSON lines on standard error. Closing the child's standard
input stops it, and it writes the best graph so far.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from ._errors import InvalidSignals, NervureError, ProgramNotFound
from ._keys import KEYS
from ._scratch import is_scratch
from ._stack import warn

FAILED, MISUSE, FAULT, INTERRUPTED = 1, 2, 70, 130  # exit codes

Event = dict[str, Any]


def program() -> str:
    """Return the path of the program: NERVURE_BINARY, or the one that came with the package."""
    given = os.environ.get("NERVURE_BINARY")
    name = "nervure.exe" if os.name == "nt" else "nervure"
    path = Path(os.path.abspath(given)) if given else Path(__file__).parent / "_bin" / name
    if path.is_file() and os.access(path, os.X_OK):
        return str(path)
    if given:
        raise ProgramNotFound(f"NERVURE_BINARY names {given}, and there is no program there")
    raise ProgramNotFound(
        f"the program nervure is not in {path.parent}: install the package again, "
        "with pip install --force-reinstall and its wheel or source, or name a program with the environment variable NERVURE_BINARY"
    )


def run(arguments: Sequence[str], within: Path | None = None) -> bytes:
    """Run a command that is soon done, in a directory, and return what it prints.

    Bad input raises InvalidSignals with the program's sentence.
    """
    with _Child([program(), *arguments], within) as child:
        child.judge(child.follow(None))
        return child.printed


def run_long(arguments: Sequence[str], wanted: Path, on_event: Callable[[Event], None]) -> bool:
    """Run a command that may take long, and return whether it was interrupted.

    KeyboardInterrupt stops the program gently, so that it writes the best so far; a second one ends it. If there is
    no wanted file then, it is raised again.
    """
    with _Child([program(), *arguments, "--until-eof"]) as child:
        interrupted = False
        while True:
            try:
                code = child.follow(on_event)
                break
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                child.stop()
        if code != INTERRUPTED and not child.spares(code, wanted):
            child.judge(code)
    if code == INTERRUPTED and not wanted.is_file():
        raise KeyboardInterrupt
    return code == INTERRUPTED


def run_lines(arguments: Sequence[str], wanted: Path, on_line: Callable[[str], None]) -> None:
    """Run a command that prints a line for each part of its work. That a part failed is no error if there is a result."""
    with _Child([program(), *arguments]) as child:
        code = child.follow(None, on_line)
        if not (child.spares(code, wanted) or (code == FAILED and wanted.is_file())):
            child.judge(code)


class _Child:
    """The program while it runs. What it prints is read by threads, so that nothing blocks."""

    def __init__(self, command: list[str], within: Path | None = None) -> None:
        apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C reaches only this process, which stops the child
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        try:
            self.process = subprocess.Popen(
                command, cwd=within, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **apart
            )
        except OSError as fault:
            raise NervureError(f"the program {command[0]} cannot be started: {fault.strerror or fault}") from fault
        self.arguments = command[1:]
        self.printed = b""
        self.words: list[str] = []
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.threads = [
            threading.Thread(target=self._read_lines, args=(self.process.stderr,), daemon=True),
            threading.Thread(target=self._read_all, args=(self.process.stdout,), daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def _read_lines(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self.lines.put(line)
        self.lines.put(None)

    def _read_all(self, pipe: IO[bytes]) -> None:
        self.printed = pipe.read()

    def follow(self, on_event: Callable[[Event], None] | None, on_line: Callable[[str], None] | None = None) -> int:
        """Pass events, and other lines, on until the program has ended, and return its exit code."""
        while (line := self._next_line()) is not None:
            if line.startswith(b'{"event"'):
                if on_event:
                    on_event(json.loads(line))
            else:
                self.words.append(line.decode(errors="replace").rstrip("\r\n"))
                if on_line:
                    on_line(self.words[-1])
        code = self.process.wait()
        self.threads[1].join()
        return code

    def _next_line(self) -> bytes | None:
        while True:
            try:
                return self.lines.get(timeout=0.2)  # without a limit, Ctrl-C would wait on Windows
            except queue.Empty:
                pass

    def stop(self) -> None:
        """Have the program write what it has."""
        assert self.process.stdin
        self.process.stdin.close()

    def spares(self, code: int, wanted: Path) -> bool:
        """Whether a fault of the program has cost only a part of the result: then its sentence is a warning."""
        if code != FAULT or not wanted.is_file():
            return False
        warn(self.complaint())
        return True

    def judge(self, code: int) -> None:
        """Raise what an exit code stands for."""
        if code == MISUSE:
            raise InvalidSignals(in_python(self.complaint(), self.arguments))
        if code != 0:
            raise NervureError(self.complaint() or f"nervure ended with exit code {code}")

    def complaint(self) -> str:
        """The sentence that the program ended with."""
        for line in reversed(self.words):
            if line.startswith("nervure: "):
                return line.removeprefix("nervure: ")
        return "\n".join(self.words[-3:])

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


# What users of this package call keys of a document, and flags.
KEYWORDS = {key: name for name, key in KEYS.items() if "." in key}
KEYWORDS |= {"cut.rule": "threshold", "prepare.periods": "season", "--threads": "n_jobs", "--denoise": "smoothing"}


TRANSPOSE = "if vertices are in rows, add --transpose"  # what the program says of few signals of many vertices


def in_python(sentence: str, arguments: Sequence[str] = (), in_memory: bool = False) -> str:
    """A sentence of the program in the words of this package: users know no flags and no temporary files."""
    for directory in {os.path.dirname(path) for path in arguments if is_scratch(path)}:
        for stem, colon in re.findall(re.escape(directory + os.sep) + r"(\w+)\.\w+(: )?", sentence):
            told = "" if stem in ("job", "signals") and colon else stem + colon
            sentence = re.sub(re.escape(directory + os.sep) + stem + r"\.\w+" + colon, told, sentence)
    transpose = "pass X.T" if in_memory else "add options={'read': {'transpose': True}}"
    sentence = sentence.replace("add --transpose", transpose)
    sentence = re.sub(r"method\.params ([\w-]+)", r"params['\1']", sentence)
    sentence = re.sub(r'^--set "([\w.]+)=(.*?)": ', r'\1 "\2": ', sentence)
    sentence = re.sub(r"^seed\b", "random_state", sentence)
    for key, keyword in KEYWORDS.items():
        sentence = re.sub(rf"(?<![\w.]){re.escape(key)}(?![\w.]*\w)", keyword, sentence)
    return re.sub(r"--([a-z][a-z-]+)", lambda m: m[1].replace("-", "_"), sentence)
