"""All methods side by side."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import Any

from ._arrays import as_signals
from ._errors import NervureWarning
from ._learn import flags, graph_file, switch
from ._notebook import Progress
from ._program import run_long
from ._scratch import Scratch
from ._stack import outside


def compare(
    X: Any,
    truth: Any = None,
    *,
    methods: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    time_limit: float | str | None = None,
    progress: bool | str = "auto",
    **options: Any,
) -> Any:
    """Run several methods on the same signals, and rank them by held-out signals.

    Parameters
    ----------
    X : array or data frame of shape (n_signals, n_vertices)
        Rows are observations, columns are vertices.
    truth : path, graph or array, optional
        The true graph, if it is known: then there are precision, recall and F1. A matrix that is not symmetric
        and a DiGraph of NetworkX are directed, row to column.
    methods : sequence of str, optional
        The methods to run; None means all.
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    time_limit : float or str, optional
        Cut off each method after this time, in seconds or such as "5m".
    **options
        Other options, as in `GraphLearner`: kernels, sparsity, degree, approx, n_edges, random_state, n_jobs, log,
        log_offset, bad_sensors, season, detrend, difference, center, scale, common_mode, and folds, the number of folds of held-out signals.

    Returns
    -------
    pandas.DataFrame, or a list of dicts without pandas
        A row for each method, the best first, with the keys that the manual lists. The recommended method and
        the rest of the comparison are in ``attrs`` of the data frame.
    """
    signals = as_signals(X, names)
    progress = progress if progress == "auto" else switch("progress", progress)
    with (
        Scratch(signals.size) as here,
        Progress(progress) as line,
    ):
        path, named = signals.write(here)
        out = here / "comparison.json"
        command = [
            "compare",
            str(path),
            *named,
            *flags("compare", {**options, "time_limit": time_limit}, signals, here),
            "--out",
            str(out),
        ]
        if truth is not None:
            command += ["--truth", graph_file("truth", truth, signals, here)]
        if methods is not None:
            command += ["--methods", ",".join([methods] if isinstance(methods, str) else methods)]
        command += ["--progress", "steps"] if line.shown else ["--quiet"]
        interrupted = run_long(command, line.follow)
        if interrupted and not out.is_file():
            raise KeyboardInterrupt
        comparison = json.loads(out.read_bytes())
    for words in comparison.get("warnings") or []:
        warnings.warn(words, NervureWarning, stacklevel=outside())
    if interrupted:
        warnings.warn("the comparison was interrupted: some methods are missing", NervureWarning, stacklevel=outside())
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
        name for name in ("method", "recommended", "rank", "held_out_gain", "edges", "f1", "seconds") if name in table
    ]
    table = table[front + [name for name in table.columns if name not in front]].set_index("method")
    if "rank" in table:
        table["rank"] = table["rank"].astype("Int64")
    table.attrs.update(comparison)
    return table
