"""Options as flags, for commands that take no document of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ._arrays import File, Signals
from ._document import GRAPHS, Document
from ._errors import InvalidSignals
from ._known import graph_file

# Flags that are not called by the last part of their key.
NAMES = {"method.name": "method", "kernels.approximation": "approx", "time_limit": "time-limit"}
# Flags that say yes and no in words.
WORDS = ("confidence", "structure", "difference", "detrend", "center", "scale", "season", "scores")


def flags(run: Document, signals: Signals | File, directory: Path) -> list[str]:
    """The flags that say what a document says; known graphs become files."""
    listed: list[str] = []
    for key, value in _leaves(run):
        outer, _, last = key.rpartition(".")
        if key in ("version", "cut.rule") and value != "auto":
            continue  # implied
        if key == "cut.rule":
            listed.append("--threshold=auto")
        elif key == "method.params":
            listed += [f"--param={name}={_text(number)}" for name, number in value.items()]
        elif key == "kernels.given":
            listed += [f"--kernel={kernel}" for kernel in value]
        elif key == "prepare.periods":
            listed.append(f"--season={','.join(map(_text, value))}")
        elif key == "all_signals":
            listed.append("--sample=0")
        elif outer in ("read", "write", "compare", "windows", "groups") and key != "read.transpose":
            raise InvalidSignals(f"options: {key} does not apply to several recordings")
        else:
            if (outer, last) in GRAPHS:
                value = graph_file(last, value, signals, directory)
            name = NAMES.get(key, last.replace("_", "-"))
            word = {True: "yes", False: "no"}.get(value) if name in WORDS and isinstance(value, bool) else None
            listed.append(f"--{name}={word or _text(value)}")
    return listed


def _leaves(run: Mapping[str, Any], outer: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in run.items():
        if value is None:
            continue
        if isinstance(value, Mapping) and f"{outer}{key}" != "method.params":
            yield from _leaves(value, f"{outer}{key}.")
        else:
            yield f"{outer}{key}", value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
