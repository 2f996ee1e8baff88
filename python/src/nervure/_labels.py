"""Names beside the dots of a graph, so that none lies on another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

    from ._graph import Floats

GAP = 1.5  # points between a dot and its name

# Where a name may stand, the best place first: beside, above and below its dot, and at its corners.
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


class Names(Artist):
    """Places names whenever the axes are drawn: how much room there is depends on the size they have then.

    The names of larger dots come first, and those that find no free place are not shown.
    """

    def __init__(self, ax: Axes, names: list[str], places: Floats, dots: Floats, ink: str) -> None:
        super().__init__()
        self.places = places
        self.radii: Floats = np.sqrt(dots) / 2
        self.labels: list[Annotation] = []
        self.set_zorder(3.5)  # before the names, which are drawn after the dots
        for name, place in zip(names, places, strict=True):
            label = Annotation(
                name,
                place,
                (0, 0),
                textcoords="offset points",
                fontsize=8,
                color=ink,
                zorder=4,
                ha="center",
                va="center",
            )
            label.set_path_effects([withStroke(linewidth=2, foreground="white", alpha=0.85)])
            label.set_parse_math(False)  # a dollar is a dollar
            ax.add_artist(label)
            self.labels.append(label)
        ax.add_artist(self)

    def draw(self, renderer: RendererBase) -> None:
        """Give each name its place."""
        if self.axes is None:
            return
        point: float = np.asarray(renderer.points_to_pixels(1.0), dtype=np.float64).item()
        centres: Floats = np.asarray(self.axes.transData.transform(self.places), dtype=np.float64) / point
        low, high = centres - self.radii[:, None], centres + self.radii[:, None]
        for k in np.argsort(-self.radii, kind="stable"):
            label = self.labels[k]
            wide, tall, _ = renderer.get_text_width_height_descent(
                label.get_text(), label.get_fontproperties(), ismath=False
            )
            half = np.array([wide, tall]) / (2 * point) + 0.5
            for side in SIDES:
                away = np.array(side) * (self.radii[k] * (0.8 if all(side) else 1.0) + GAP + half)
                start, end = centres[k] + away - half, centres[k] + away + half
                if not ((start < high) & (low < end)).all(axis=1).any():
                    low, high = np.vstack([low, start]), np.vstack([high, end])
                    _set(label, away, visible=True)
                    break
            else:
                _set(label, None, visible=False)


def _set(label: Annotation, away: Floats | None, *, visible: bool) -> None:
    """Change a name only if that makes a difference: a change asks for another drawing."""
    if away is not None and not np.allclose(label.xyann, away):
        label.xyann = (float(away[0]), float(away[1]))
    if label.get_visible() != visible:
        label.set_visible(visible)
