"""How many signals it takes to find the edges."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._document import threads
from ._graph import LearnedGraph
from ._learn import source
from ._program import in_python, run
from ._scratch import Scratch
from ._stack import warn
from ._types import Method, Rows, SignalsLike


def plan(
    X: SignalsLike = None,
    *,
    graph: LearnedGraph | str | os.PathLike[str] | None = None,
    signals: Sequence[int] | None = None,
    recall: float | None = None,
    repeats: int | None = None,
    method: Method | None = None,
    rows: Rows | None = None,
    names: Sequence[str] | None = None,
    random_state: int | None = None,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Estimate how many signals it takes to find the edges, from a pilot or an assumed graph.

    Parameters
    ----------
    X : array or data frame of shape (n_signals, n_vertices), or the path of a file
        The pilot: the signals there are so far, as in `learn_graph`.
    graph : LearnedGraph or path, optional
        The graph to assume, in place of a pilot.
    signals : sequence of int, optional
        The numbers of signals to try; None chooses some around that of the pilot.
    recall : float, optional
        The share of the edges to find; None means 0.8.
    repeats : int, optional
        How often each number of signals is tried; None means 4.
    method : str, optional
        The method that learns, as in `learn_graph`; None means that which `learn_graph` would choose.
    rows : "auto", "time" or "independent", optional
        What the rows of the pilot are to each other, as in `learn_graph`.
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    random_state : int, optional
        The seed; None is 1.
    n_jobs : int, optional
        Number of cores, None or -1 for all. The result does not depend on it.

    Returns
    -------
    dict
        With the keys that the manual lists: ``enough`` and ``enough_sure`` are the numbers of signals, if they are
        known, and ``points`` has what to expect of each number that was tried.
    """
    if (X is None) == (graph is None):
        raise TypeError("plan takes either signals, the pilot, or a graph")
    given = {
        "signals": None if signals is None else ",".join(str(int(size)) for size in signals),
        "recall": recall,
        "repeats": repeats,
        "method": method,
        "rows": rows,
        "seed": random_state,
        "threads": None if n_jobs is None else threads(n_jobs),
    }
    pilot = None if X is None else source(X, names)
    with Scratch(0 if pilot is None else pilot.size) as here:
        command = ["plan", "--json", "--quiet"]
        for name, value in given.items():
            if value is not None:
                command += [f"--{name}", str(value)]
        if pilot is None:
            command += ["--graph", _file_of(graph, here)]
        else:
            read = pilot.write(here)
            for name in ("names", "times"):
                if name in read:
                    command += [f"--{name}", read[name]]
            command += ["--", *read["files"]]
        planned: dict[str, Any] = json.loads(run(command))
    planned.pop("run", None)  # whose files are gone
    for words in planned.get("warnings") or []:
        warn(in_python(words))
    return planned


def _file_of(graph: Any, here: Path) -> str:
    if not isinstance(graph, LearnedGraph):
        return str(graph)
    file = here / "graph.json"
    graph.write(file)
    return str(file)
