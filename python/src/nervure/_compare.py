"""All methods side by side."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ._document import switch
from ._errors import NervureWarning
from ._learn import carry_out, run_of, source
from ._notebook import Progress
from ._program import in_python
from ._scratch import Scratch
from ._stack import outside


def compare(
    X: Any,
    truth: Any = None,
    *,
    methods: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    folds: int | None = None,
    time_limit: float | str | None = None,
    n_jobs: int | None = None,
    progress: bool | str = "auto",
    options: Mapping[str, Any] | None = None,
    **keywords: Any,
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
    names : sequence of str, optional
        The names of the vertices, if X is not a data frame.
    folds : int, optional
        Number of folds of held-out signals; 0 does not rank.
    time_limit : float or str, optional
        Cut off each method after this time, in seconds or such as "5m".
    n_jobs, progress, options, **keywords
        As in `GraphLearner`: kernels, n_edges, season, difference, rows, scores, bad_sensors and random_state apply to comparisons.

    Returns
    -------
    pandas.DataFrame, or a list of dicts without pandas
        A row for each method, the best first, with the keys that the manual lists. ``held_out_share`` is the gain as
        a share of the best one. The rest of the comparison is in ``attrs`` of the data frame:
        ``attrs["recommendation"]`` has the recommended method, the rule that decided, and why in a sentence.
    """
    signals = source(X, names)
    progress = progress if progress == "auto" else switch("progress", progress)
    own = {"truth": truth, "methods": methods, "folds": folds, "time_limit": time_limit}
    run = run_of({**keywords, **own}, options, "compare")
    run.setdefault("compare", {})
    with (
        Scratch(signals.size) as here,
        Progress(progress) as line,
    ):
        out = here / "comparison.json"
        run["write"] = {**run.get("write", {}), "comparison": str(out)}
        interrupted = carry_out(run, signals, here, line, n_jobs)
        if interrupted and not out.is_file():
            raise KeyboardInterrupt
        comparison = json.loads(out.read_bytes())
    for words in comparison.get("warnings") or []:
        warnings.warn(in_python(words), NervureWarning, stacklevel=outside())
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
        name
        for name in ("method", "recommended", "rank", "held_out_gain", "held_out_share", "edges", "f1", "seconds")
        if name in table
    ]
    table = table[front + [name for name in table.columns if name not in front]].set_index("method")
    if "rank" in table:
        table["rank"] = table["rank"].astype("Int64")
    table.attrs.update(comparison)
    return table
