"""Options of Python as flags of the program, and its files as a learned graph."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Signals, as_signals, column_names, names_of, read_npy
from ._errors import InvalidSignals, NervureError, NervureWarning
from ._graph import Codes, LearnedGraph, write_node_link
from ._notebook import Progress, in_notebook
from ._program import run_long
from ._scratch import Scratch
from ._stack import outside

# The flags whose values are passed as they are, by the names of their parameters.
PLAIN = {
    "method": "method",
    "degree": "degree",
    "approx": "approx",
    "sparsity": "sparsity",
    "n_edges": "edges",
    "threshold": "threshold",
    "log_offset": "log-offset",
    "bad_sensors": "bad-sensors",
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
# Words that may be given as True and False.
WORDS = ("detrend", "difference", "center", "scale", "confidence")
SWITCHES = ("log",)
GRAPHS = ("allow", "forbid", "init", "prior")
# Options that only the method sparse has: without a method, they imply it.
SPARSE = (
    "kernels", "sparsity", "prior_weight", "degree", "approx", "recipe", "coder", "rounds", "step", "beta", *GRAPHS,
)  # fmt: skip

COMMANDS = {"learn": "learn_graph and GraphLearner", "compare": "compare"}

SAMPLED = 20_000  # signals; of more the program learns from a sample
CODE_BYTES = 1 << 28  # of an array of codes that is read back


# Options of one command only.
ONLY = {
    "learn": (
        "method",
        "threshold",
        "params",
        "confidence",
        "block",
        "sample",
        "prior_weight",
        "recipe",
        "coder",
        "rounds",
        "step",
        "beta",
        *GRAPHS,
    ),
    "compare": ("folds",),
}


def flags(command: str, options: Mapping[str, Any], signals: Signals, directory: Path) -> list[str]:
    """The flags of a command for the options that are set. Graphs are written to a directory."""
    words: list[str] = []
    options = dict(options)
    for other, names in ONLY.items():
        if other != command and (misplaced := next((name for name in options if name in names), None)):
            raise TypeError(f"{COMMANDS[command]}: there is no option {misplaced!r} here, only in {COMMANDS[other]}")
    if options.get("method") == "auto" and any(options.get(name) is not None for name in SPARSE):
        del options["method"]
    for name, value in options.items():
        if value is None:
            continue
        if name in PLAIN:
            words += [f"--{PLAIN[name]}", _number(name, value)]
        elif name in WORDS:
            words += [f"--{name}={value if isinstance(value, str) else 'yes' if switch(name, value) else 'no'}"]
        elif name in SWITCHES:
            words += [f"--{name}"] if switch(name, value) else []
        elif name == "season":
            words += ["--season", _season(value)]
        elif name == "time_limit":
            words += ["--time-limit", value if isinstance(value, str) else f"{_seconds(name, value):.9f}s"]
        elif name == "kernels":
            if not isinstance(value, Iterable):
                raise InvalidSignals(f"kernels: got {value!r}, want a string or a list of strings")
            for kernel in [value] if isinstance(value, str) else value:
                words += ["--kernel", _text(name, kernel)]
        elif name == "params":
            if not isinstance(value, Mapping):
                raise InvalidSignals(f"params: got {value!r}, want a dict such as {{'k': 3}}")
            for key, number in value.items():
                words += ["--param", f"{str(key).replace('_', '-')}={_number(name, number)}"]
        elif name in GRAPHS:
            words += [f"--{name}", graph_file(name, value, signals, directory)]
        elif name == "random_state":
            words += ["--seed", str(_seed(value))]
        elif name == "n_jobs":
            words += ["--threads", str(_threads(value))]
        else:
            raise TypeError(f"there is no option {name!r}")
    return words


def switch(name: str, value: Any) -> bool:
    """A value that is true or false, in the forms that Python and NumPy have for it."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, (int, np.integer)) and value in (0, 1)):
        return bool(value)
    raise InvalidSignals(f"{name}: got {value!r}, want True or False{'' if name in SWITCHES else ', or a string'}")


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


def _season(value: Any) -> str:
    """The periods of cycles, of which there may be several, or whether to look for some."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        if not value:
            return "no"
    elif np.ndim(value) == 0:
        return _number("season", value)
    elif len(value) and not any(isinstance(period, (str, bool, np.bool_)) for period in value):
        return ",".join(_number("season", period) for period in value)
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


def _threads(jobs: Any) -> int:
    """Number of threads as scikit-learn counts them: -1 for all cores, -2 for all but one."""
    if not isinstance(jobs, (int, np.integer)) or jobs == 0:
        raise InvalidSignals(f"n_jobs: got {jobs!r}, want a whole number other than 0")
    return int(jobs) if jobs > 0 else 0 if jobs == -1 else max(1, (os.cpu_count() or 1) + 1 + int(jobs))


def graph_file(option: str, graph: Any, signals: Signals, directory: Path) -> str:
    """A file of a graph that is given as a file, a learned graph, one of NetworkX, or a matrix."""
    names = signals.labels
    if isinstance(graph, (str, os.PathLike)):
        return os.path.abspath(graph)
    path = directory / f"{option}.json"
    if isinstance(graph, LearnedGraph):
        graph.write(path)
    elif hasattr(graph, "edges") and hasattr(graph, "nodes"):
        edges = graph.edges(data="weight", default=1.0)
        if signals.names is None:
            edges = ((_vertex(option, i, names), _vertex(option, j, names), w) for i, j, w in edges)
        write_node_link(path, names, edges, directed=_directed(graph))
    else:
        matrix = _matrix(option, graph, names)
        np.fill_diagonal(matrix, 0)
        directed = not np.array_equal(matrix, matrix.T)
        if directed and option != "truth":
            raise InvalidSignals(f"{option}: the matrix is not symmetric")
        pairs = zip(*np.nonzero(matrix if directed else np.triu(matrix)), strict=True)
        write_node_link(path, names, ((names[i], names[j], matrix[i, j]) for i, j in pairs), directed=directed)
    return str(path)


def _directed(graph: Any) -> bool:
    is_directed = getattr(graph, "is_directed", None)
    return bool(is_directed()) if callable(is_directed) else False


def _vertex(option: str, node: Any, names: list[str]) -> Any:
    """A node of a graph for signals without names: numbers are those of columns."""
    if not isinstance(node, (int, np.integer)) or isinstance(node, bool):
        return node
    if not 0 <= node < len(names):
        raise InvalidSignals(f"{option}: there is no column {node}: the columns are 0 to {len(names) - 1}")
    return names[node]


def _matrix(option: str, graph: Any, names: list[str]) -> npt.NDArray[np.float64]:
    """The matrix of a graph, in the order of the vertices."""
    rows = None
    if hasattr(graph, "toarray"):
        graph = graph.toarray()  # of scipy.sparse
    elif (columns := column_names(graph)) is not None:
        rows = (names_of(graph.index) if hasattr(graph, "index") else None) or columns
        graph = graph.to_numpy()[:, _order(option, "column", columns, names)]
    elif hasattr(graph, "index") and hasattr(graph, "columns"):
        rows = names_of(graph.index)
    try:
        matrix = np.array(graph, dtype=np.float64)
    except (TypeError, ValueError) as fault:
        raise InvalidSignals(
            f"{option}: got {type(graph).__name__}, want a file, a learned graph, one of NetworkX or a matrix of numbers"
        ) from fault
    if matrix.shape != (len(names), len(names)):
        raise InvalidSignals(
            f"{option}: got shape {matrix.shape}, want {(len(names), len(names))}: a row and a column for each vertex"
        )
    if not np.isfinite(matrix).all():
        raise InvalidSignals(f"{option}: the matrix has values that are not finite")
    return matrix if rows is None else matrix[_order(option, "row", rows, names)]


def _order(option: str, what: str, given: list[str], names: list[str]) -> list[int]:
    """Where in a data frame the vertices are."""
    place = {name: k for k, name in enumerate(given)}
    for name in names:
        if name not in place:
            raise InvalidSignals(f"{option}: the data frame has no {what} for vertex {name!r}")
    if len(given) != len(names):
        other = next((name for name in given if name not in set(names)), None)
        why = f"{other!r} is no vertex" if other is not None else "some are there twice"
        raise InvalidSignals(f"{option}: the data frame has {len(given)} {what}s for {len(names)} vertices: {why}")
    return [place[name] for name in names]


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
        Rows are observations, columns are vertices. NaN and masked values are missing. The times of the
        observations are the index of a data frame, or a column, if it holds dates.
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
    report = report if report == "auto" else switch("report", report)
    progress = progress if progress == "auto" else switch("progress", progress)
    with (
        Scratch(signals.size) as here,
        Progress(progress) as line,
    ):
        path, named = signals.write(here)
        files = {"out": here / "graph.json", "summary": here / "summary.json", "model": here / "model.json"}
        command = [
            "learn",
            str(path),
            *named,
            *flags("learn", options, signals, here),
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
        command += ["--progress", "steps"] if line.shown else ["--quiet"]
        interrupted = run_long(command, line.follow)
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
