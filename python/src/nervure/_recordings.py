"""Recordings of several subjects, and what is known of each."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import File, Signals
from ._errors import InvalidSignals
from ._learn import source
from ._times import is_frame

RESERVED = re.compile(r"(index|groups?|differences|vertices|edges|mean|distances|all|prior|journal)", re.IGNORECASE)


@dataclass
class Recordings:
    """Recordings by name, in order."""

    names: list[str]
    signals: list[Signals | File]

    @classmethod
    def of(cls, X: Any, vertices: Sequence[str] | None, subjects: Sequence[Any] | None = None) -> Recordings:
        """Understand a dict, a list, an array of three dimensions, and paths."""
        if isinstance(X, Mapping):
            if subjects is not None:
                raise InvalidSignals("subjects: the keys of X name the recordings already")
            subjects, X = list(X), list(X.values())
        elif is_frame(X) or isinstance(X, (str, os.PathLike)):
            raise InvalidSignals(
                "X is a single recording: want a list or a dict of them; learn_graph takes a single one"
            )
        elif hasattr(X, "ndim") and X.ndim != 3:
            raise InvalidSignals(
                f"Expected 3D array of shape (subjects, observations, vertices), got {X.ndim}D array instead."
            )
        recordings = list(X)
        if not recordings:
            raise InvalidSignals("there are no recordings: X is empty")
        if subjects is None:
            names = [_stem(one) if isinstance(one, (str, os.PathLike)) else "" for one in recordings]
            if "" in names or len(set(names)) < len(names):
                width = len(str(len(recordings)))
                names = [f"subject{k + 1:0{width}d}" for k in range(len(recordings))]
        else:
            names = [str(name) for name in subjects]
            if len(names) != len(recordings):
                raise InvalidSignals(
                    f"subjects: got {len(names)} names, want {len(recordings)}: one for each recording"
                )
            if len(set(names)) < len(names):
                raise InvalidSignals("subjects: two recordings have the same name")
        return cls(names, [_signals(one, name, vertices) for one, name in zip(recordings, names, strict=True)])

    @property
    def size(self) -> int:
        """Bytes of the files of all."""
        return sum(one.size for one in self.signals)

    def write(self, directory: Path) -> list[str]:
        """Write what is no file yet, and return the files."""
        listed = []
        width = len(str(len(self.names)))
        for k, (name, one) in enumerate(zip(self.names, self.signals, strict=True)):
            if isinstance(one, File):
                listed.append(os.path.abspath(one.path))
                continue
            stem = (
                name
                if re.fullmatch(r"\w+", name, re.ASCII) and not RESERVED.fullmatch(name)
                else f"recording{k + 1:0{width}d}"
            )
            listed.append(str(one.write_alone(directory, stem)))
        if len(set(listed)) < len(listed):
            raise InvalidSignals("X has a file twice")
        return listed


def _stem(path: str | os.PathLike[str]) -> str:
    return Path(path).name.removesuffix(".gz").rpartition(".")[0]


def _signals(X: Any, name: str, vertices: Sequence[str] | None) -> Signals | File:
    try:
        one = source(X, vertices)
    except InvalidSignals as fault:
        raise InvalidSignals(f"recording {name}: {fault}") from fault
    if isinstance(one, File) and one.names is not None:
        raise InvalidSignals("names: files bring the names of their vertices")
    return one


# ---- what is known of each recording


def table_of(
    recordings: Recordings, groups: Any, by: str | None, paired: Any, covariate: Any
) -> tuple[list[tuple[str, list[str]]], dict[str, str]]:
    """The columns of a table with a row for each recording, and which of them are the groups, subjects and covariate.

    A data frame of groups has a row for each recording, in order, or those that its index names.
    """
    columns: list[tuple[str, list[str]]] = []
    roles: dict[str, str] = {}
    frame = groups if is_frame(groups) else None
    if frame is None and by is not None:
        raise InvalidSignals("by: names a column of groups, which is no data frame")
    if frame is not None and by is None and covariate is None:
        raise InvalidSignals(
            f"by is missing: the column of groups to compare by, one of {', '.join(map(str, frame.columns))}"
        )
    for role, given in (("by", by if frame is not None else groups), ("paired", paired), ("covariate", covariate)):
        if given is None:
            continue
        if isinstance(given, str):
            if frame is None:
                raise InvalidSignals(
                    f"{role}: got {given!r}, want a value for each recording, or groups as a data frame"
                )
            if given not in frame.columns:
                raise InvalidSignals(
                    f"{role}: groups has no column {given!r}: it has {', '.join(map(str, frame.columns))}"
                )
            name, values = given, frame[given]
            if hasattr(frame, "index"):
                values = values.copy()
        else:
            name = str(
                getattr(given, "name", None) or {"by": "group", "paired": "subject", "covariate": "covariate"}[role]
            )
            values = given
        if name in dict(columns):
            name = f"{name} ({role})"
        columns.append((name, _cells(role, values, recordings.names)))
        roles[role] = name
    return columns, roles


def _cells(role: str, values: Any, names: list[str]) -> list[str]:
    """A value for each recording, by its name or in order."""
    what = "groups" if role == "by" else role
    keys = (
        list(values.keys())
        if isinstance(values, Mapping) or (hasattr(values, "index") and hasattr(values, "loc"))
        else None
    )
    known = {str(key) for key in keys or []}
    if keys is not None and set(names) <= known:
        by_name = {
            str(key): value
            for key, value in zip(keys, list(values.values() if isinstance(values, Mapping) else values), strict=True)
        }
        listed = [by_name[name] for name in names]
    elif isinstance(values, Mapping) or known & set(names):  # by name, and not all are there
        missing = next(name for name in names if name not in known)
        raise InvalidSignals(f"{what}: there is none for recording {missing!r}")
    else:
        listed = list(values)
    if len(listed) != len(names):
        raise InvalidSignals(f"{what}: got {len(listed)} values, want {len(names)}: one for each recording")
    return ["" if value is None or value != value else _cell(value) for value in listed]


def _cell(value: Any) -> str:
    if isinstance(value, (np.floating, float)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def write_table(path: Path, files: Sequence[str], columns: Sequence[tuple[str, list[str]]]) -> None:
    """Write the table that the program reads."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["file", *(name for name, _ in columns)])
        rows.writerows(zip(files, *(cells for _, cells in columns), strict=True))
