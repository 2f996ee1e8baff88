"""Learning a graph: the document of a run goes to the program, and its files become a graph."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ._arrays import File, Signals, as_signals, read_npy
from ._document import Document, document, merge, old_options, put, switch, threads, write
from ._errors import InvalidSignals, NervureError, NervureWarning
from ._graph import Codes, LearnedGraph
from ._keys import KEYS
from ._notebook import Progress, in_notebook
from ._program import in_python, run_long
from ._scratch import Scratch
from ._stack import outside

SAMPLED = 20_000  # signals; of more the program learns from a sample
CODE_BYTES = 1 << 28  # of an array of codes that is read back


def learn_graph(
    X: Any,
    *,
    names: Sequence[str] | None = None,
    n_jobs: int | None = None,
    progress: bool | str = "auto",
    report: bool | str = "auto",
    options: Mapping[str, Any] | None = None,
    **keywords: Any,
) -> LearnedGraph:
    """Learn the graph behind signals.

    Parameters
    ----------
    X : array or data frame of shape (n_signals, n_vertices), or the path of a file
        Rows are observations, columns are vertices. NaN and masked values are missing. A data frame is read as the
        program reads a table of the same columns: times, and labels of rows, are no vertices. Dates in its index are
        times, too. A file is read as `nervure learn` reads it, in all formats.
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    n_jobs, progress, report, options, **keywords
        As in `GraphLearner`, such as ``method="ggl"`` or ``n_edges=60``.
    """
    signals = source(X, names)
    return learn(signals, run_of(keywords, options, "learn_graph"), n_jobs, progress, report)


def source(X: Any, names: Sequence[str] | None) -> Signals | File:
    """Signals in memory, or the file that has them."""
    if isinstance(X, (str, os.PathLike)):
        return File(os.fspath(X), None if names is None else [str(name) for name in names])
    return as_signals(X, names)


def run_of(keywords: Mapping[str, Any], options: Mapping[str, Any] | None, who: str) -> Document:
    """The document of keywords, also of those of version 0.2, and options."""
    known = {name for name, key in KEYS.items() if who == "compare" or not key.startswith("compare.")}
    run = document({name: value for name, value in keywords.items() if name in known})
    merge(run, old_options({name: value for name, value in keywords.items() if name not in known}, who))
    if options is not None:
        if not isinstance(options, Mapping):
            raise InvalidSignals(f"options: got {options!r}, want a dict such as {{'prepare': {{'log': True}}}}")
        merge(run, options)
    return run


def learn(
    signals: Signals | File,
    run: Document,
    n_jobs: int | None = None,
    progress: bool | str = "auto",
    report: bool | str = "auto",
) -> LearnedGraph:
    """Carry out a run. One that is interrupted gives the best graph so far, if there is one."""
    report = report if report == "auto" else switch("report", report)
    progress = progress if progress == "auto" else switch("progress", progress)
    with (
        Scratch(signals.size) as here,
        Progress(progress) as line,
    ):
        files = {"graph": here / "graph.json", "summary": here / "summary.json", "model": here / "model.json"}
        if _wants_codes(run, signals):
            files["codes"] = here / "codes.npy"
        if report is True or (report == "auto" and in_notebook()):
            files["report"] = here / "report.html"
        for name, file in files.items():
            put(run, f"write.{name}", str(file))
        interrupted = carry_out(run, signals, here, line, n_jobs)
        if interrupted and not files["summary"].is_file():
            raise KeyboardInterrupt
        graph = _read(files)
    graph.interrupted = interrupted
    for words in [*graph.notes, *graph.warnings]:
        warnings.warn(in_python(words), NervureWarning, stacklevel=outside())
    if interrupted:
        warnings.warn("the run was interrupted: this is the best graph so far", NervureWarning, stacklevel=outside())
    return graph


def carry_out(run: Document, signals: Signals | File, here: Path, line: Progress, n_jobs: int | None) -> bool:
    """Have the program carry out a run, and return whether it was interrupted."""
    command = ["run", str(write(run, signals, here))]
    if n_jobs is not None:
        command += ["--threads", str(threads(n_jobs))]
    command += ["--progress", "steps"] if line.shown else ["--quiet"]
    return run_long(command, line.follow)


def _wants_codes(run: Document, signals: Signals | File) -> bool:
    """Whether codes of the signals are worth being kept: there may be some, not too many, and of all signals."""
    method = run.setdefault("method", {})
    if not (run.get("kernels") or run.get("known") or method.keys() - {"params"}):
        method["name"] = "auto"  # codes alone would imply the method sparse
    if not method and _are_of_fields(run.get("kernels", {}).get("given", [])):
        return False  # codes would imply the method sparse, and these kernels imply field
    if isinstance(signals, File) or run.get("sample") or method.get("name", "sparse") not in ("auto", "sparse"):
        return False
    n_signals, n_vertices = signals.shape
    return n_signals <= SAMPLED and 16 * n_signals * n_vertices <= CODE_BYTES


def _are_of_fields(kernels: Sequence[str]) -> bool:
    """Whether there are kernels, and only such as fields have."""
    return bool(kernels) and all(kernel.startswith("matern:") for kernel in kernels)


def _read(files: Mapping[str, Path]) -> LearnedGraph:
    try:
        graph = LearnedGraph.parse(files["graph"].read_bytes(), json.loads(files["summary"].read_bytes()))
        if files["model"].is_file():
            graph._model = files["model"].read_text(encoding="utf-8")
    except FileNotFoundError as fault:
        raise NervureError(f"nervure has not written {Path(fault.filename).name}") from fault
    if "codes" in files and files["codes"].is_file():
        graph._codes = Codes.of(read_npy(files["codes"]))
    if "report" in files:
        graph.report = files["report"].read_text(encoding="utf-8")
    return graph
