"""A learned graph as a figure of matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._graph import Floats, LearnedGraph

# The colours of communities, the largest first, and of edges: those of the report, on paper.
COMMUNITIES = (
    "#2f7d46",
    "#2563a8",
    "#c27c0e",
    "#8d4bb0",
    "#c2452d",
    "#16858a",
    "#a3386c",
    "#6b6f1d",
    "#4a55a8",
    "#7a5236",
)
OTHERS, EDGE, POSITIVE, NEGATIVE, INK = "#8b988f", "#48584d", "#2f7d46", "#2563a8", "#1c261f"

NAMED = 60  # vertices; the names of more would hide one another


def draw(graph: LearnedGraph, ax: Axes | None, color: Any, names: bool | str, positions: Any) -> Axes:
    """Draw a graph on axes, new ones if there are none."""
    try:
        from matplotlib import pyplot

        from ._labels import Names
    except ImportError as fault:
        raise ImportError("plot() needs matplotlib: pip install matplotlib, or use save('graph.svg')") from fault
    if ax is None:
        _, ax = pyplot.subplots(figsize=(7, 5.25), layout="constrained")
    places = _places(graph, positions)
    dots = _sizes(graph, places)
    _draw_edges(ax, graph, places, dots)
    colors = _colors(graph) if isinstance(color, str) and color == "community" else color
    ax.scatter(places[:, 0], places[:, 1], s=dots, c=colors, edgecolors="white", linewidths=0.8, zorder=3)
    if names is True or (names == "auto" and graph.n_vertices <= NAMED):
        Names(ax, graph.names, places, dots, INK)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.08)
    ax.axis("off")
    return ax


def _places(graph: LearnedGraph, positions: Any) -> Floats:
    """Where the vertices are: as they are given, by name or in order, or where the program draws them."""
    if positions is None:
        return graph.positions
    if hasattr(positions, "keys"):
        missing = [name for name in graph.names if name not in positions]
        if missing:
            raise ValueError(f"positions: there is none for vertex {missing[0]!r}")
        positions = [positions[name] for name in graph.names]
    places = np.asarray(positions, dtype=np.float64)
    if places.shape != (graph.n_vertices, 2):
        raise ValueError(f"positions: got shape {places.shape}, want {(graph.n_vertices, 2)}: x and y of each vertex")
    return places


def _sizes(graph: LearnedGraph, places: Floats) -> Floats:
    """The areas of the dots, in points squared: smaller where there are many, larger with more neighbours."""
    degrees = np.bincount(graph.edges.ravel(), minlength=len(places))
    room = 2400 / max(len(places), 1)
    sizes: Floats = min(max(room, 6.0), 90.0) * (0.5 + degrees / max(degrees.max(initial=0), 1))
    return sizes


def _colors(graph: LearnedGraph) -> list[str]:
    """The colour of each vertex's community; those of one vertex, and what comes after the last colour, are grey."""
    size = np.bincount(graph.communities)
    return [
        COMMUNITIES[number - 1] if number <= len(COMMUNITIES) and size[number] > 1 else OTHERS
        for number in graph.communities.tolist()
    ]


def _draw_edges(ax: Axes, graph: LearnedGraph, places: Floats, dots: Floats) -> None:
    """Draw edges: the heavier, the wider, and the less sure, the fainter. Arrows end at the rim of a dot."""
    weights = np.abs(graph.weights)
    widths = 0.4 + 3.2 * np.sqrt(weights / weights.max(initial=1e-300))
    opacity = 0.75 if graph.confidence is None else 0.15 + 0.75 * graph.confidence
    colors: npt.NDArray[Any] = np.where(graph.weights < 0, NEGATIVE, POSITIVE if graph.signed else EDGE)
    if graph.directed:
        from matplotlib.patches import FancyArrowPatch

        for (i, j), width, shade, color in zip(
            graph.edges, widths, np.broadcast_to(opacity, len(widths)), colors, strict=True
        ):
            arrow = FancyArrowPatch(
                tuple(places[i]),
                tuple(places[j]),
                arrowstyle="-|>",
                mutation_scale=6 + 2 * width,
                shrinkA=0,
                shrinkB=np.sqrt(dots[j]) / 2,
                linewidth=width,
                color=color,
                alpha=shade,
                connectionstyle="arc3,rad=0.08",
            )
            ax.add_patch(arrow)
    elif len(weights):
        from matplotlib.collections import LineCollection

        ax.add_collection(
            LineCollection(list(places[graph.edges]), linewidths=widths, colors=colors, alpha=opacity, zorder=1)
        )
    if graph.signed:
        from matplotlib.lines import Line2D

        lines = [Line2D([], [], color=color, linewidth=2) for color in (POSITIVE, NEGATIVE)]
        ax.legend(lines, ["positive", "negative"], loc="best", fontsize=8, frameon=False)
