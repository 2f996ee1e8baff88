"""Graphs that are known beforehand, and the files that the program reads them from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import File, Signals, column_names, names_of
from ._errors import InvalidSignals
from ._graph import LearnedGraph, write_node_link


def graph_file(option: str, graph: Any, signals: Signals | File, directory: Path) -> str:
    """A file of a graph that is given as a file, a learned graph, one of NetworkX, or a matrix."""
    if isinstance(graph, (str, os.PathLike)):
        return os.fspath(graph)
    path = directory / f"{option}.json"
    if isinstance(graph, LearnedGraph):
        graph.write(path)
        return str(path)
    names = signals.labels
    if hasattr(graph, "edges") and hasattr(graph, "nodes"):
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
