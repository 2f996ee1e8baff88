"""A run as flags, for commands that take no document of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ._arrays import File, Signals
from ._document import Document
from ._keys import GRAPHS
from ._known import graph_file


def flags(run: Document, signals: Signals | File, directory: Path) -> list[str]:
    """The flags that say what a document says; known graphs become files."""
    listed: list[str] = []
    for key, value in _leaves(run):
        if key in GRAPHS:
            value = graph_file(key.split(".")[1], value, signals, directory)
        for item in value if isinstance(value, (list, tuple)) else [value]:
            listed += ["--set", f"{key}={_text(item)}"]
    return listed


def _leaves(run: Mapping[str, Any], outer: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in run.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{outer}{key}.")
        elif value is not None and key != "version":
            yield f"{outer}{key}", value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
