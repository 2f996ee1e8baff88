"""The rule of compare for scikit-learn's searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

_AS_SPARSE = 1.1  # numbers of edges up to this factor apart count as the same, as in compare


def graph_scores(estimator: Any, X: Any, y: Any = None) -> dict[str, float]:
    """Score a `GraphLearner`, or a pipeline that ends with one, for `best_graph`. y is ignored.

    Pass it as ``scoring`` of `GridSearchCV`. ``gain`` is what `GraphLearner.score` returns, ``edges`` the number of
    edges; ``direct`` and ``exact`` are 1 if all edges are direct and if the graph proves itself, and
    ``share_needed`` is the share of the best gain with which such a graph may be chosen.
    """
    if hasattr(estimator, "steps"):
        X = estimator[:-1].transform(X) if len(estimator.steps) > 1 else X
        estimator = estimator[-1]
    judged = estimator._judged(X)
    return {
        "gain": float(judged["score"]),
        "edges": float(judged["edges"]),
        "direct": float(judged["direct"]),
        "exact": float(estimator.verdict_ == "exact"),
        "share_needed": float(judged["share_needed"]),
    }


def best_graph(results: Mapping[str, Any]) -> int:
    """Choose among the candidates of a search by the rule of `nervure.compare`, and return the number of the one chosen.

    Pass it as ``refit`` of `GridSearchCV` together with ``scoring=graph_scores``. A graph that proves itself is
    chosen, or else the graph of direct edges with the highest gain, if that is enough of the best gain, or else the
    sparsest of the graphs that keep nearly all of it. If no graph gains anything, the best is chosen all the same.
    """
    gain, edges, direct, exact, needed = (
        np.asarray(results[f"mean_test_{name}"], dtype=float)
        for name in ("gain", "edges", "direct", "exact", "share_needed")
    )
    gain = np.where(np.isnan(gain), -np.inf, gain)  # of candidates that failed
    best = gain.max()
    proven = exact == 1
    enough = gain >= needed * best
    if proven.any():
        chosen = proven
    elif best <= 0:
        chosen = gain == best
    elif (enough & (direct == 1)).any():
        chosen = enough & (direct == 1)
    else:
        chosen = enough & (edges <= _AS_SPARSE * edges[enough].min())
    return int(np.argmax(np.where(chosen, gain, -np.inf)))
