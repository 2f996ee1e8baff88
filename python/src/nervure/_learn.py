"""Options of Python as flags of the program, and its files as a learned graph."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import Signals, as_signals, read_npy
from ._errors import InvalidSignals, NervureError, NervureWarning
from ._graph import Codes, LearnedGraph, write_node_link
from ._notebook import Progress, in_notebook
from ._program import run

# The flags whose values are passed as they are, by the names of their parameters.
PLAIN = {
    "method": "method",
    "degree": "degree",
    "approx": "approx",
    "sparsity": "sparsity",
    "n_edges": "edges",
    "threshold": "threshold",
    "log_offset": "log-offset",
    "common_mode": "common-mode",
    "prior_weight": "prior-weight",
    "recipe": "recipe",
    "coder": "coder",
    "rounds": "rounds",
    "step": "step",
    "beta": "beta",
    "sample": "sample",
    "block": "block",
    "folds": "folds",
}
# Words that may be given as True and False, in this order.
WORDS = {
    "center": ("center", "yes", "no"),
    "scale": ("scale", "yes", "no"),
    "confidence": ("confidence", "yes", "no"),
}
SWITCHES = ("log", "difference")
GRAPHS = ("allow", "forbid", "init", "prior")
# Options that only the method sparse has: without a method, they imply it.
SPARSE = (
    "kernels", "sparsity", "prior_weight", "degree", "approx", "recipe", "coder", "rounds", "step", "beta", *GRAPHS,
)  # fmt: skip

SAMPLED = 20_000  # signals; of more the program learns from a sample
CODE_BYTES = 1 << 28  # of an array of codes that is read back


def flags(options: Mapping[str, Any], names: list[str], directory: Path) -> list[str]:
    """The flags of the options that are set. Graphs are written to a directory."""
    words: list[str] = []
    options = dict(options)
    if options.get("method") == "auto" and any(options.get(name) is not None for name in SPARSE):
        del options["method"]
    for name, value in options.items():
        if value is None or (value is False and name in SWITCHES):
            continue
        if name in PLAIN:
            words += [f"--{PLAIN[name]}", _number(name, value)]
        elif name in WORDS:
            flag, yes, no = WORDS[name]
            words += [f"--{flag}", yes if value is True else no if value is False else _text(name, value)]
        elif name in SWITCHES:
            words.append(f"--{name}")
        elif name == "kernels":
            for kernel in [value] if isinstance(value, str) else value:
                words += ["--kernel", _text(name, kernel)]
        elif name == "params":
            for key, number in value.items():
                words += ["--param", f"{str(key).replace('_', '-')}={_number(name, number)}"]
        elif name in GRAPHS:
            words += [f"--{name}", graph_file(name, value, names, directory)]
        elif name == "random_state":
            words += ["--seed", str(_seed(value))]
        elif name == "n_jobs":
            words += ["--threads", str(_threads(value))]
        else:
            raise TypeError(f"there is no option {name!r}")
    return words


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidSignals(f"{name}: got {value!r}, want a string")
    return value


def _number(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
    raise InvalidSignals(f"{name}: got {value!r}, want a number")


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


def _threads(jobs: Any) -> int:
    """Number of threads as scikit-learn counts them: -1 for all cores, -2 for all but one."""
    if not isinstance(jobs, (int, np.integer)) or jobs == 0:
        raise InvalidSignals(f"n_jobs: got {jobs!r}, want a whole number other than 0")
    return int(jobs) if jobs > 0 else 0 if jobs == -1 else max(1, (os.cpu_count() or 1) + 1 + int(jobs))


def graph_file(option: str, graph: Any, names: list[str], directory: Path) -> str:
    """A file of a graph that is given as a file, a learned graph, one of NetworkX, or a matrix."""
    if isinstance(graph, (str, os.PathLike)):
        return os.path.abspath(graph)
    path = directory / f"{option}.json"
    if isinstance(graph, LearnedGraph):
        graph.write(path)
    elif hasattr(graph, "edges") and hasattr(graph, "nodes"):
        write_node_link(path, names, graph.edges(data="weight", default=1.0))
    else:
        matrix = np.asarray(graph, dtype=np.float64)
        if matrix.shape != (len(names), len(names)):
            raise InvalidSignals(
                f"{option}: got shape {matrix.shape}, want {(len(names), len(names))}: a row and a column for each vertex"
            )
        if not np.array_equal(matrix, matrix.T):
            raise InvalidSignals(f"{option}: the matrix is not symmetric")
        pairs = zip(*np.nonzero(np.triu(matrix, 1)), strict=True)
        write_node_link(path, names, ((names[i], names[j], matrix[i, j]) for i, j in pairs))
    return str(path)


def learn_graph(
    X: Any,
    *,
    names: Sequence[str] | None = None,
    progress: bool | str = "auto",
    report: bool | str = "auto",
    **options: Any,
) -> LearnedGraph:
    """Learn the graph behind signals.

    Parameters
    ----------
    X : array or data frame of shape (n_signals, n_vertices)
        Rows are observations, columns are vertices. NaN and masked values are missing.
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    progress, report, **options
        As in `GraphLearner`, such as ``method="ggl"`` or ``n_edges=60``.
    """
    return learn(as_signals(X, names), options, progress, report)


def learn(
    signals: Signals, options: Mapping[str, Any], progress: bool | str = "auto", report: bool | str = "auto"
) -> LearnedGraph:
    """Run nervure learn. A run that is interrupted gives the best graph so far, if there is one."""
    n_signals, n_vertices = signals.shape
    options = {"method": "auto", **options}
    with (
        tempfile.TemporaryDirectory(prefix="nervure-", ignore_cleanup_errors=True) as scratch,
        Progress(progress) as line,
    ):
        here = Path(scratch)
        path, named = signals.write(here)
        files = {"out": here / "graph.json", "summary": here / "summary.json", "model": here / "model.json"}
        command = [
            "learn",
            str(path),
            *named,
            *flags(options, signals.names or [f"v{i}" for i in range(n_vertices)], here),
        ]
        if (
            options["method"] in ("auto", "sparse")
            and n_signals <= SAMPLED
            and 16 * n_signals * n_vertices <= CODE_BYTES
        ):
            files["codes"] = here / "codes.npy"
        if report is True or (report == "auto" and in_notebook()):
            files["report"] = here / "report.html"
        for flag, file in files.items():
            command += [f"--{flag}", str(file)]
        command += ["--progress", "json"] if line.shown else ["--quiet"]
        _, interrupted = run([*command, "--until-eof"], line.follow)
        if interrupted and not files["summary"].is_file():
            raise KeyboardInterrupt
        graph = _read(files)
    graph.interrupted = interrupted
    for words in graph.warnings:
        warnings.warn(words, NervureWarning, stacklevel=outside())
    if interrupted:
        warnings.warn("the run was interrupted: this is the best graph so far", NervureWarning, stacklevel=outside())
    return graph


def _read(files: Mapping[str, Path]) -> LearnedGraph:
    try:
        graph = LearnedGraph.parse(files["out"].read_bytes(), json.loads(files["summary"].read_bytes()))
        if files["model"].is_file():
            graph._model = files["model"].read_text(encoding="utf-8")
    except FileNotFoundError as fault:
        raise NervureError(f"nervure has not written {Path(fault.filename).name}") from fault
    if "codes" in files and files["codes"].is_file():
        graph._codes = Codes.of(read_npy(files["codes"]))
    if "report" in files:
        graph.report = files["report"].read_text(encoding="utf-8")
    return graph


def outside() -> int:
    """How far up the caller outside of this package is, for warnings."""
    import sys

    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("nervure."):
        frame, level = frame.f_back, level + 1
    return level
