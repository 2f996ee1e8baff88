"""Learn the graph behind a set of signals.

>>> import nervure
>>> graph = nervure.learn_graph(X)  # rows are observations, columns are vertices
>>> graph.verdict, graph.adjacency

`GraphLearner` is the same as a scikit-learn estimator, and `compare` runs all methods side by
side. `learn_graphs` and `GroupGraphLearner` learn from several recordings and compare groups. The work is done by the program nervure, which comes with the package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._compare import compare as compare
    from ._errors import InvalidSignals as InvalidSignals
    from ._errors import NervureError as NervureError
    from ._errors import NervureWarning as NervureWarning
    from ._errors import ProgramNotFound as ProgramNotFound
    from ._estimator import GraphLearner as GraphLearner
    from ._graph import LearnedGraph as LearnedGraph
    from ._group_learner import GroupGraphLearner as GroupGraphLearner
    from ._groups import GroupComparison as GroupComparison
    from ._groups import LearnedGraphs as LearnedGraphs
    from ._groups import learn_graphs as learn_graphs
    from ._learn import learn_graph as learn_graph
    from ._plan import plan as plan
    from ._program import program as program
    from ._search import best_graph as best_graph
    from ._search import graph_scores as graph_scores

# Names are imported when they are asked for, so that the command nervure does not wait for NumPy.
_HOMES = {
    "GraphLearner": "_estimator",
    "GroupComparison": "_groups",
    "GroupGraphLearner": "_group_learner",
    "InvalidSignals": "_errors",
    "LearnedGraph": "_graph",
    "LearnedGraphs": "_groups",
    "NervureError": "_errors",
    "NervureWarning": "_errors",
    "ProgramNotFound": "_errors",
    "best_graph": "_search",
    "compare": "_compare",
    "graph_scores": "_search",
    "learn_graph": "_learn",
    "learn_graphs": "_groups",
    "plan": "_plan",
    "program": "_program",
}

__all__ = [
    "GraphLearner",
    "GroupComparison",
    "GroupGraphLearner",
    "InvalidSignals",
    "LearnedGraph",
    "LearnedGraphs",
    "NervureError",
    "NervureWarning",
    "ProgramNotFound",
    "best_graph",
    "compare",
    "graph_scores",
    "learn_graph",
    "learn_graphs",
    "plan",
    "program",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("nervure")
    if name not in _HOMES:
        raise AttributeError(f"module 'nervure' has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, "__version__"])
