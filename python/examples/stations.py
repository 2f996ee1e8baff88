"""Weather stations: which of them tell about each other?"""

import warnings

import numpy as np
import pandas as pd
from gallery import COLORS, GREY, Panel, draw, tell
from sklearn.covariance import GraphicalLassoCV

import nervure

# Temperatures at 37 stations in every hour of a month (Météo-France).
X = pd.read_csv("examples/molene/signals.csv")
n = X.shape[1]
stations = pd.read_csv("examples/molene/vertices.csv", index_col="name")
stations = stations.loc[X.columns]

# Which stations are neighbours on the map: no third lies between them.
number = {name: k for k, name in enumerate(X.columns)}
near = np.zeros((n, n), dtype=bool)
for a, b, _ in pd.read_csv("examples/molene/truth.csv").to_numpy():
    near[number[a], number[b]] = near[number[b], number[a]] = True

graph = nervure.learn_graph(X)
tell("Stations", graph)

# The other two get the changes from hour to hour. Values are alike in all
# stations, because days are warm and nights are cold.
changes = X.diff().dropna()
Z = ((changes - changes.mean()) / changes.std()).to_numpy()
correlation = np.corrcoef(Z.T)
significant = np.abs(np.arctanh(correlation - 1e-12)) * np.sqrt(len(Z) - 3)
significant = significant > 3.97  # 5 % for all 666 pairs together
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of penalties that are far too small
    precision = GraphicalLassoCV().fit(Z).precision_

found = {
    "Nervure": graph.adjacency,
    "Correlation": np.where(significant, correlation, 0),
    "Graphical lasso": np.abs(precision),
}
places = stations[["lon", "lat"]].to_numpy()
places[:, 0] *= np.cos(np.radians(48))  # degrees of longitude are shorter
panels = []
print("\nEdges between neighbours on the map")
for name, weights in found.items():
    pairs = np.argwhere(np.triu(weights, 1))
    pairs = pairs[np.argsort(-np.abs(weights[tuple(pairs.T)]))]
    right = near[tuple(pairs.T)]
    heaviest = right[: len(graph.edges)]
    print(
        f"  {name + ':':17}{right.sum():3} of {len(pairs):3}, and of the"
        f" {len(heaviest)} heaviest {heaviest.sum()}"
    )
    colors = np.where(right, GREY, COLORS[4])
    title = f"{name}: {len(pairs)} edges"
    panels.append(Panel(title, places, pairs, colors=colors, dashed=~right))
sure = graph.confidence >= 0.9
neighbours = near[tuple(graph.edges.T)]
print(f"  Nervure is sure of {sure.sum()}: {neighbours[sure].sum()}")
draw(
    "stations.svg",
    panels,
    legend={
        "between neighbours on the map": GREY,
        "between others (dashed)": COLORS[4],
    },
    height=3.1,
)
