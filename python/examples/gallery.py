"""What the examples share: what is printed and drawn of a graph.

Figures are SVG for light and dark pages, the same in every run.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np

import nervure

try:
    import matplotlib.pyplot as plt
except ImportError:  # the examples run without figures, too
    plt = None

GREY = "#7d8590"  # legible on white and on black
# Those of Okabe and Ito, which all eyes tell apart.
COLORS = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#0072b2"]

warnings.simplefilter("ignore", nervure.NervureWarning)  # tell prints them


def tell(what: str, graph: nervure.LearnedGraph) -> None:
    """Print the verdict on a graph, its reasons, and the warnings."""
    print(fill(f"{what}: {graph}", 76, subsequent_indent="  "))
    for words in graph.warnings:
        print(fill(f"  warning: {words}", 76, subsequent_indent="    "))


@dataclass
class Panel:
    """A graph to draw."""

    title: str
    places: np.ndarray  # x and y of each vertex
    edges: np.ndarray  # pairs of vertices
    widths: Sequence[float] | None = None  # of the edges, from 0 to 1
    groups: Sequence[int] | None = None  # colours of the vertices
    colors: Sequence[str] | None = None  # of the edges
    dashed: Sequence[bool] | None = None  # edges
    labels: dict[int, str] | None = None  # words beside vertices


def draw(
    path: str,
    panels: Sequence[Panel],
    legend: dict[str, str] | None = None,
    height: float = 3.8,
) -> None:
    """Draw graphs side by side, and write them to an SVG file."""
    if plt is None:
        return
    plt.rcParams.update(
        {
            "svg.hashsalt": "nervure",
            "svg.fonttype": "none",
            "font.family": "sans-serif",
            "font.size": 9,
        }
    )
    columns = len(panels) if len(panels) < 4 else 2
    figure, axes = plt.subplots(
        -(-len(panels) // columns),
        columns,
        figsize=(7.2, height),
        squeeze=False,
        layout="constrained",
    )
    for ax, panel in zip(axes.flat, panels, strict=True):
        _graph(ax, panel)
    if legend:
        dot = {"marker": "o", "linestyle": "", "markersize": 6}
        colors = legend.values()
        dots = [plt.Line2D([], [], color=color, **dot) for color in colors]
        figure.legend(
            dots,
            legend,
            loc="outside lower center",
            ncols=len(legend),
            frameon=False,
            labelcolor=GREY,
        )
    figure.savefig(
        path, transparent=True, metadata={"Date": None, "Creator": None}
    )
    plt.close(figure)


def _graph(ax, panel: Panel) -> None:
    count = len(panel.edges)
    widths = [0.4] * count if panel.widths is None else panel.widths
    widths = np.round(widths, 1)
    colors = [GREY] * count if panel.colors is None else panel.colors
    dashed = [False] * count if panel.dashed is None else panel.dashed
    # Edges that look alike are one path, so that files are small.
    paths: dict[tuple, list] = {}
    looks = zip(widths, colors, dashed, strict=True)
    for (i, j), look in zip(panel.edges, looks, strict=True):
        line = [panel.places[i], panel.places[j], (np.nan, np.nan)]
        paths.setdefault(look, []).extend(line)
    for (width, color, dash), lines in paths.items():
        ax.plot(
            *np.transpose(lines),
            color=color,
            linestyle=(0, (2, 2)) if dash else "-",
            linewidth=0.5 + 2.5 * width,
            alpha=0.35 + 0.55 * width,
            zorder=1,
            clip_on=False,
        )
    groups = (
        [0] * len(panel.places) if panel.groups is None else panel.groups
    )
    ax.scatter(
        *panel.places.T,
        s=36,
        c=[COLORS[group] for group in groups],
        edgecolors=GREY,
        linewidths=0.6,
        zorder=2,
        clip_on=False,
    )
    # Words go outwards, where there are fewer lines.
    for vertex, words in (panel.labels or {}).items():
        east = panel.places[vertex, 0] > panel.places[:, 0].mean()
        ax.annotate(
            words,
            panel.places[vertex],
            xytext=(7 if east else -7, 0),
            textcoords="offset points",
            ha="left" if east else "right",
            va="center",
            color=GREY,
        )
    ax.set_title(panel.title, color=GREY, fontsize=10, fontweight="bold")
    ax.set_aspect("equal")
    ax.margins(0.08)
    ax.axis("off")


def clusters(groups: np.ndarray) -> np.ndarray:
    """Return places on small circles, one for each group."""

    def circle(turns: np.ndarray) -> np.ndarray:
        angles = 2 * np.pi * turns
        return np.column_stack([np.cos(angles), np.sin(angles)])

    sizes = np.bincount(groups)
    # The number of a vertex in its group.
    number = np.array(
        [np.sum(groups[:k] == g) for k, g in enumerate(groups)]
    )
    centres = circle((groups + 0.5) / len(sizes))
    return centres + 0.42 * circle((number + 0.25) / sizes[groups])
