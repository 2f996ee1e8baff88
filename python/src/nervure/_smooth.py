"""Signals that are smooth along the edges of a graph, for methods without codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Signals, read_npy, write_names, write_npy
from ._errors import InvalidSignals
from ._graph import Floats, LearnedGraph
from ._program import run
from ._scratch import Scratch


def smooth(graph: LearnedGraph, signals: Signals, mean: Floats, smoothing: float, offset: float | None) -> Floats:
    """The signals x that minimise ‖x − y‖² + smoothing · xᵀLx around the mean; what is missing counts as the mean.

    Vertices without edges stay as they are: L has 1 on its diagonal there, which would shrink them to the mean.
    """
    if graph.directed:
        raise InvalidSignals(
            f"the method {graph.method} learns a directed graph, and signals are smoothed along undirected edges only"
        )
    values = signals.floats(offset) - mean
    values[np.isnan(values)] = 0
    if graph.n_edges and smoothing != 0:
        joined = np.unique(graph.edges)
        values[:, joined] = _filtered(graph, values, smoothing)[:, joined]
    values += mean
    return values if offset is None else np.exp(values) - offset


def _filtered(graph: LearnedGraph, values: Floats, smoothing: float) -> Floats:
    with Scratch(values.nbytes) as here:
        graph.write(here / "graph.json")
        write_npy(here / "signals.npy", values)
        command: list[Any] = ["filter", here / "graph.json", here / "signals.npy", "--out", here / "out.npy"]
        command += ["--names", write_names(here, graph.names)]
        run(
            [
                *map(str, command),
                "--denoise",
                repr(float(smoothing)),
                "--laplacian",
                "normalised",
                "--center",
                "no",
                "--quiet",
            ]
        )
        return read_npy(here / "out.npy")
