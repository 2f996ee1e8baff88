"""A graph neural network needs a graph: learn it from signals."""

import numpy as np
from gallery import COLORS, Panel, draw, tell

import nervure

# Simulated sensors in three rooms. Those near each other read alike,
# but not through a wall.
rng = np.random.default_rng(2)
n = 45
room = np.repeat(np.arange(3), n // 3)
places = rng.random((n, 2)) + np.outer(room, [1.25, 0])
apart = np.linalg.norm(places[:, None] - places, axis=-1)
near = (apart < 0.4) & (room[:, None] == room) & ~np.eye(n, dtype=bool)
precision = np.diag(near.sum(0) + 0.5) - near
mix = np.linalg.cholesky(np.linalg.inv(precision))
readings = (rng.normal(size=(500, n)) @ mix.T).round(6)

# The graph as PyTorch Geometric takes it: each edge in both directions.
graph = nervure.learn_graph(readings)
edge_index, edge_weight = graph.edge_index()
edge_weight /= edge_weight.mean()  # beside self-loops of weight 1
tell("Sensors", graph)
walls = np.count_nonzero(np.diff(room[graph.edges]))
print(f"Edges through a wall: {walls}")
print(f"edge_index: {edge_index.dtype} {edge_index.shape}")
print(f"edge_weight: {edge_weight.dtype} {edge_weight.shape}\n")


def convolve(x: np.ndarray) -> np.ndarray:
    """Do as GCNConv does: D^-1/2 (A + I) D^-1/2 x, without weights."""
    A = np.eye(n)
    A[edge_index[1], edge_index[0]] += edge_weight
    scale = 1 / np.sqrt(A.sum(1, keepdims=True))
    return scale * (A @ (scale * x))


# A task: which room is a sensor in? Features are noisy, and only three
# sensors of each room are labelled.
features = np.eye(3)[room] + rng.normal(size=(n, 3))
labelled = np.zeros(n, dtype=bool)
for r in range(3):
    labelled[rng.choice(np.flatnonzero(room == r), 3, replace=False)] = True


def accuracy(x: np.ndarray) -> float:
    """Say how many others are nearest to the mean of their room."""
    means = np.stack([x[labelled & (room == r)].mean(0) for r in range(3)])
    nearest = np.linalg.norm(x[:, None] - means, axis=-1).argmin(1)
    return float(np.mean((nearest == room)[~labelled]))


once = convolve(features)
print("Sensors in the right room")
print(f"  without the graph:      {accuracy(features):.0%}")
print(f"  after one convolution:  {accuracy(once):.0%}")
print(f"  after two:              {accuracy(convolve(once)):.0%}")

title = "Sensors in three rooms, lines wide if the weight is large"
widths = graph.weights / graph.weights.max()
draw(
    "gnn.svg",
    [Panel(title, places, graph.edges, widths, groups=room)],
    legend={f"Room {r + 1}": COLORS[r] for r in range(3)},
    height=2.8,
)
