"""Learning a graph: the document of a run goes to the program, and its files become a graph."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ._arrays import File, Signals, as_signals, read_npy, transposed
from ._document import Document, document, merge, put, switch, threads, write
from ._errors import InvalidSignals, NervureError
from ._graph import Codes, LearnedGraph
from ._keys import KEYS
from ._notebook import Progress, in_notebook
from ._program import TRANSPOSE, in_python, run_long
from ._scratch import Scratch
from ._stack import warn
from ._types import BadSensors, Kernels, Method, Rows, Season, Seed, SignalsLike, Switch

SAMPLED = 20_000  # signals; of more the program learns from a sample
CODE_BYTES = 1 << 28  # of an array of codes that is read back


def learn_graph(
    X: SignalsLike,
    *,
    method: Method = "auto",
    kernels: Kernels | None = None,
    n_edges: int | None = None,
    threshold: float | Literal["auto"] | None = None,
    params: Mapping[str, float] | None = None,
    season: Season = "auto",
    difference: Switch = "auto",
    rows: Rows = "auto",
    scores: Switch = "auto",
    bad_sensors: BadSensors = "mask",
    confidence: Switch = "auto",
    time_limit: float | str | None = None,
    random_state: Seed | None = None,
    names: Sequence[str] | None = None,
    n_jobs: int | None = None,
    progress: Switch = "auto",
    report: Switch = "auto",
    options: Mapping[str, Any] | None = None,
) -> LearnedGraph:
    """Learn the graph behind signals.

    No option needs to be set: what is None or "auto" is chosen from the signals.

    Parameters
    ----------
    X : array or data frame of shape (n_signals, n_vertices), or the path of a file
        Rows are observations, columns are vertices. NaN and masked values are missing. A data frame is read as the
        program reads a table of the same columns: times, and labels of rows, are no vertices. Dates in its index are
        times, too. A file is read as `nervure learn` reads it, in all formats.
    method : str, default="auto"
        "auto" chooses between "sparse", the method of the paper, and "field", a Gaussian model. Any other method of
        the program can be named, such as "ggl", "glasso" or "correlation"; `nervure learn --help` describes them.
    kernels : str or list of str, optional
        Kernels such as "heat:2"; with "auto" among them their scales are learned, "free" learns polynomials.
        "matern:2" alone implies the method "field".
    n_edges : int, optional
        Keep only this many edges, the heaviest.
    threshold : float or "auto", optional
        Keep edges of this weight or more.
    params : dict, optional
        Parameters of the method, such as ``{"k": 4}`` for "knn".
    season : "auto", False, number or list of numbers, default="auto"
        Periods of cycles to remove, in observations, such as 24 or [24, 168]; "auto" removes those that are clear.
    difference : "auto" or bool, default="auto"
        Whether to take differences between consecutive observations. "auto" removes an autoregression from rows in
        time if the halves of the recording then agree better on the graph; False keeps values.
    rows : "auto", "time" or "independent", default="auto"
        What the rows are to each other: moments in time, or independent, so that their order says nothing. "auto"
        finds out: ``graph.summary["rows"]``.
    scores : "auto" or bool, default="auto"
        Whether methods for Gaussian fields learn from normal scores. "auto" does so where values are far from normal,
        or have only a few levels as survey answers do.
    bad_sensors : "mask", "report" or "drop", default="mask"
        How to treat readings that look like sensor faults: they are missing, they are only listed, or all values
        of the vertex are missing. ``graph.faults`` lists them.
    confidence : "auto" or bool, default="auto"
        Whether to compute the confidence of each edge.
    time_limit : float or str, optional
        End after this time, in seconds or such as "2m", with the best graph so far.
    random_state : int, RandomState or Generator, optional
        The seed. None and 0 are 1: results do not change from run to run.
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    n_jobs : int, optional
        Number of cores, None or -1 for all. The result does not depend on it.
    progress : "auto" or bool, default="auto"
        Whether to show a bar of progress; "auto" means in terminals and notebooks.
    report : "auto" or bool, default="auto"
        Whether to make the HTML report, ``graph.report``; "auto" means in notebooks.
    options : dict, optional
        All other options, in the shape of the document that `nervure run` takes, such as
        ``{"prepare": {"log": True}, "method": {"sparsity": 3}}``. The manual lists the keys, and the program checks
        them. Graphs at ``known`` are files, graphs such as a `LearnedGraph` or one of NetworkX, or symmetric matrices.

    Returns
    -------
    LearnedGraph
        With ``verdict``, ``adjacency``, ``plot()``, ``save()``, ``to_pandas()``, ``to_networkx()`` and others.

    Examples
    --------
    >>> graph = nervure.learn_graph("signals.csv")
    >>> graph.verdict, graph.n_edges
    ('exact', 35)
    >>> graph.save("graph.graphml")
    """
    given = {name: value for name, value in locals().items() if name in KEYS}
    return learn(source(X, names), run_of(given, options), n_jobs, progress, report)


def source(X: Any, names: Sequence[str] | None) -> Signals | File:
    """Signals in memory, or the file that has them."""
    if isinstance(X, (str, os.PathLike)):
        return File(os.fspath(X), None if names is None else [str(name) for name in names])
    return as_signals(X, names)


def run_of(keywords: Mapping[str, Any], options: Mapping[str, Any] | None) -> Document:
    """The document of keywords and options."""
    run = document(keywords)
    if options is not None:
        if not isinstance(options, Mapping):
            raise InvalidSignals(f"options: got {options!r}, want a dict such as {{'prepare': {{'log': True}}}}")
        merge(run, options)
    return run


def learn(
    signals: Signals | File,
    run: Document,
    n_jobs: int | None = None,
    progress: Switch = "auto",
    report: Switch = "auto",
) -> LearnedGraph:
    """Carry out a run. One that is interrupted gives the best graph so far, if there is one."""
    hint = transposed(signals)
    if hint:
        warn(hint)
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
        interrupted = carry_out(run, signals, here, files["summary"], line, n_jobs)
        graph = _read(files)
    graph.interrupted = interrupted
    for words in [*graph.notes, *graph.warnings]:
        if not (hint and TRANSPOSE in words):
            warn(in_python(words, in_memory=isinstance(signals, Signals)))
    if interrupted:
        warn("the run was interrupted: this is the best graph so far")
    return graph


def carry_out(
    run: Document, signals: Signals | File, here: Path, wanted: Path, line: Progress, n_jobs: int | None
) -> bool:
    """Have the program carry out a run that writes the wanted file, and return whether it was interrupted."""
    command = ["run", str(write(run, signals, here))]
    if n_jobs is not None:
        command += ["--threads", str(threads(n_jobs))]
    command += ["--progress", "steps"] if line.shown else ["--quiet"]
    return run_long(command, wanted, line.follow)


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
    if "report" in files and files["report"].is_file():
        graph.report = files["report"].read_text(encoding="utf-8")
    return graph
