"""A run as a document: what the keywords of this package say, in the shape that `nervure run` takes.

The program checks the document. Here, values of Python and NumPy become values of JSON, and no more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import File, Signals
from ._errors import InvalidSignals
from ._keys import GRAPHS, KEYS, NUMBERS, SWITCHES
from ._known import graph_file

Document = dict[str, Any]


def document(keywords: Mapping[str, Any]) -> Document:
    """The document of the keywords that are set."""
    run: Document = {"version": 1}
    for name, value in keywords.items():
        if value is not None:
            for key, plain in _values(name, value):
                put(run, key, plain)
    return run


def put(run: Document, key: str, value: Any) -> None:
    """Set the value at a key such as cut.edges."""
    *outer, last = key.split(".")
    for part in outer:
        run = run.setdefault(part, {})
    run[last] = value


def merge(run: Document, options: Mapping[str, Any]) -> None:
    """Put options into a document."""
    for key, value in options.items():
        if isinstance(value, Mapping):
            if not isinstance(run.get(key), dict):
                run[key] = {}
            merge(run[key], value)
        else:
            run[key] = value


def write(run: Document, signals: Signals | File, directory: Path) -> Path:
    """Write a document with the signals and graphs that it is about, and return its file."""
    read = {**signals.write(directory), **run.get("read", {})}
    run = {**run, "read": read}
    for key in GRAPHS:
        outer, name = key.split(".")
        if (graph := (run.get(outer) or {}).get(name)) is not None:
            run[outer] = {**run[outer], name: graph_file(name, graph, signals, directory)}
    path = directory / "job.json"
    try:
        path.write_text(json.dumps(run, default=_as_json, allow_nan=False), encoding="utf-8")
    except (TypeError, ValueError) as fault:
        raise InvalidSignals(f"options: {fault}") from fault
    return path


def _as_json(value: Any) -> Any:
    """A value that JSON does not know."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"got {value!r}, want a number, a string, True, False, or a list or a dict of these")


# ---- values of keywords


def _values(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    """The keys and values in the document that the value of a keyword stands for."""
    key = KEYS[name]
    if name == "threshold" and isinstance(value, str):
        return [("cut.rule", value)]
    if name == "kernels":
        if not isinstance(value, Iterable):
            raise InvalidSignals(f"kernels: got {value!r}, want a string or a list of strings")
        return [(key, [value] if isinstance(value, str) else list(value))]
    if isinstance(value, str) and value == ("mask" if name == "bad_sensors" else "auto"):
        return []  # the default; what is absent is chosen from the signals
    if name == "params":
        if not isinstance(value, Mapping):
            raise InvalidSignals(f"params: got {value!r}, want a dict such as {{'k': 3}}")
        return [(key, {str(k).replace("_", "-"): _number(name, v) for k, v in value.items()})]
    if name == "methods":
        return [(key, [value] if isinstance(value, str) else list(value))]
    if name == "season":
        return [_season(value)]
    if name == "time_limit":
        return [(key, value if isinstance(value, str) else f"{_seconds(name, value):.9f}s")]
    if name == "random_state":
        return [(key, _seed(value))]
    if name == "folds" and value == 0:
        return [("compare.unranked", True)]
    if name in SWITCHES:
        return [(key, value if isinstance(value, str) else "yes" if switch(name, value) else "no")]
    if name == "n_edges" and value == 0:  # which in a document means all that the method finds
        raise InvalidSignals("n_edges: got 0, want a whole number of at least 1")
    if name in NUMBERS:
        return [(key, _number(name, value))]
    return [(key, value)]


def switch(name: str, value: Any, words: bool = True) -> bool:
    """A value that is true or false, in the forms that Python and NumPy have for it."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, (int, np.integer)) and value in (0, 1)):
        return bool(value)
    raise InvalidSignals(f"{name}: got {value!r}, want True or False{', or a string' if words else ''}")


def _number(name: str, value: Any) -> int | float | str:
    if isinstance(value, str):
        return value  # which the program refuses
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return int(value) if float(value).is_integer() and abs(value) < 2**53 else float(value)
    raise InvalidSignals(f"{name}: got {value!r}, want a number")


def _season(value: Any) -> tuple[str, Any]:
    """The periods of cycles, of which there may be several, or whether to look for some."""
    if isinstance(value, str):
        return "prepare.season", value
    if isinstance(value, (bool, np.bool_)):
        if not value:
            return "prepare.season", "no"
    elif np.ndim(value) == 0:
        return "prepare.periods", [_number("season", value)]
    elif len(value) and not any(isinstance(period, (str, bool, np.bool_)) for period in value):
        return "prepare.periods", [_number("season", period) for period in value]
    raise InvalidSignals(f"season: got {value!r}, want 'auto', False, a number of observations or a list of them")


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise InvalidSignals(f"{name}: got {value!r}, want a number of seconds, or a string such as '2m'")
    return float(value)


def _seed(state: Any) -> int:
    """A seed of scikit-learn: a number, or a generator that gives one."""
    if isinstance(state, (int, np.integer)) and state >= 0:
        return int(state)
    if isinstance(state, np.random.RandomState):
        return int(state.randint(1, 2**31 - 1))
    if isinstance(state, np.random.Generator):
        return int(state.integers(1, 2**31 - 1))
    raise InvalidSignals(
        f"random_state: got {state!r}, want a whole number that is not negative, or a generator of NumPy"
    )


def threads(jobs: Any) -> int:
    """Number of threads as scikit-learn counts them: -1 for all cores, -2 for all but one."""
    if not isinstance(jobs, (int, np.integer)) or jobs == 0:
        raise InvalidSignals(f"n_jobs: got {jobs!r}, want a whole number other than 0")
    return int(jobs) if jobs > 0 else 0 if jobs == -1 else max(1, (os.cpu_count() or 1) + 1 + int(jobs))
