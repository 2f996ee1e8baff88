"""Pressures: which pipes are there between the places that are measured?"""

import numpy as np
import pandas as pd
from gallery import COLORS, GREY, Panel, draw, tell

import nervure

# The veins of a leaf as pipes, their weights as conductances.
veins = pd.read_csv("examples/leaf/truth.csv")
vertices = pd.read_csv("examples/leaf/vertices.csv", index_col="name")
names = list(vertices.index)
laplacian = 0.1 * np.eye(len(names))  # and a way out at every place
for source, target, weight in veins.itertuples(index=False):
    i, j = names.index(source), names.index(target)
    laplacian[[i, j], [i, j]] += weight
    laplacian[[i, j], [j, i]] -= weight

# Every place takes what it needs; pressures are what makes flows balance.
needs = np.random.default_rng(1).normal(size=(500, len(names)))
pressures = np.linalg.solve(laplacian, needs.T).T.round(6)

panels = []
print(f"True edges: {len(veins)}")
for method in ("ggl", "field"):
    graph = nervure.learn_graph(pressures, names=names, method=method)
    tell(method, graph)
    pairs = np.argwhere(np.triu(graph.adjacency))
    right = laplacian[tuple(pairs.T)] < 0
    missed = (laplacian < 0) & (graph.adjacency == 0)
    missed = np.argwhere(np.triu(missed))
    print(f"  {right.sum()} of {len(pairs)} edges are true")
    false = np.where(right, GREY, COLORS[4])
    panels.append(
        Panel(
            f"By {method}",
            vertices.to_numpy(),
            np.vstack([pairs, missed]),
            colors=[*false, *[COLORS[5]] * len(missed)],
            dashed=[*~right, *[True] * len(missed)],
        )
    )
draw(
    "pressures.svg",
    panels,
    legend={
        "true edges": GREY,
        "false edges (dashed)": COLORS[4],
        "missed edges (dashed)": COLORS[5],
    },
)
