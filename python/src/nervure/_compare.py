"""All methods side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._arrays import Signals
from ._document import switch
from ._keys import KEYS
from ._learn import carry_out, run_of, source
from ._notebook import Progress
from ._program import in_python
from ._scratch import Scratch
from ._stack import warn
from ._types import BadSensors, GraphLike, Kernels, Method, Rows, Season, Seed, SignalsLike, Switch


def compare(
    X: SignalsLike,
    truth: GraphLike = None,
    *,
    methods: Sequence[Method] | None = None,
    folds: int | None = None,
    kernels: Kernels | None = None,
    n_edges: int | None = None,
    threshold: float | None = None,
    season: Season = "auto",
    difference: Switch = "auto",
    rows: Rows = "auto",
    scores: Switch = "auto",
    bad_sensors: BadSensors = "mask",
    time_limit: float | str | None = None,
    random_state: Seed | None = None,
    names: Sequence[str] | None = None,
    n_jobs: int | None = None,
    progress: Switch = "auto",
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Run several methods on the same signals, and rank them by held-out signals.

    Parameters
    ----------
    X : array or data frame of shape (n_signals, n_vertices), or the path of a file
        Rows are observations, columns are vertices.
    truth : path, graph or array, optional
        The true graph, if it is known: then there are precision, recall and F1. A matrix that is not symmetric
        and a DiGraph of NetworkX are directed, row to column.
    methods : sequence of str, optional
        The methods to run; None means all.
    folds : int, optional
        Number of folds of held-out signals; 0 does not rank.
    kernels : str or list of str, optional
        Kernels of the methods that have some, as in `learn_graph`.
    n_edges : int, optional
        Cut the graph of each method to this many edges.
    threshold : float, optional
        Cut the graph of each method at this weight.
    season, difference, rows, scores, bad_sensors
        How the signals are prepared, the same for all methods: see `learn_graph`.
    time_limit : float or str, optional
        Cut off each method after this time, in seconds or such as "5m".
    random_state : int, RandomState or Generator, optional
        The seed. None and 0 are 1: results do not change from run to run.
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    n_jobs : int, optional
        Number of cores, None or -1 for all. The result does not depend on it.
    progress : "auto" or bool, default="auto"
        Whether to show a bar of progress; "auto" means in terminals and notebooks.
    options : dict, optional
        All other options, in the shape of the document that `nervure run` takes, as in `learn_graph`.

    Returns
    -------
    pandas.DataFrame, or a list of dicts without pandas
        A row for each method, the best first, with the keys that the manual lists. ``held_out_share`` is the gain as
        a share of the best one. The rest of the comparison is in ``attrs`` of the data frame:
        ``attrs["recommendation"]`` has the recommended method, the rule that decided, and why in a sentence.
    """
    given = {name: value for name, value in locals().items() if name in KEYS}
    signals = source(X, names)
    progress = progress if progress == "auto" else switch("progress", progress)
    run = run_of(given, options)
    run.setdefault("compare", {})
    with (
        Scratch(signals.size) as here,
        Progress(progress) as line,
    ):
        out = here / "comparison.json"
        run["write"] = {**run.get("write", {}), "comparison": str(out)}
        interrupted = carry_out(run, signals, here, out, line, n_jobs)
        comparison = json.loads(out.read_bytes())
    for words in comparison.get("warnings") or []:
        warn(in_python(words, in_memory=isinstance(signals, Signals)))
    if interrupted:
        warn("the comparison was interrupted: some methods are missing")
    return _table(comparison)


def _table(comparison: dict[str, Any]) -> Any:
    rows = sorted(comparison.pop("methods"), key=lambda row: row.get("rank") or 10**6)
    recommended = (comparison.get("recommendation") or {}).get("method")
    for row in rows:
        row["recommended"] = row["method"] == recommended
    try:
        import pandas as pd
    except ImportError:
        return rows
    table = pd.DataFrame(rows)
    front = [
        name
        for name in ("method", "recommended", "rank", "held_out_gain", "held_out_share", "edges", "f1", "seconds")
        if name in table
    ]
    table = table[front + [name for name in table.columns if name not in front]].set_index("method")
    if "rank" in table:
        table["rank"] = table["rank"].astype("Int64")
    table.attrs.update(comparison)
    return table
