"""Brain regions: from epochs × regions × times to a graph."""

import numpy as np
from gallery import COLORS, Panel, clusters, draw, tell

import nervure

# Simulated recordings, in the shape of mne.Epochs.get_data():
# 24 regions in four modules, most edges within a module.
rng = np.random.default_rng(1)
n_epochs, n_regions, n_times = 24, 24, 10
module = np.repeat(np.arange(4), n_regions // 4)
chance = np.where(module[:, None] == module, 0.5, 0.02)
true = np.triu(rng.random((n_regions, n_regions)) < chance, 1)
true = true | true.T
precision = np.diag(true.sum(0) + 0.3) - true
mix = np.linalg.cholesky(np.linalg.inv(precision))
data = mix @ rng.normal(size=(n_epochs, n_regions, n_times))
for t in range(1, n_times):  # a region resembles itself a moment ago
    data[:, :, t] = 0.6 * data[:, :, t - 1] + 0.8 * data[:, :, t]
data = data.round(6)  # the same on all machines

# Rows are observations: all moments of all epochs.
X = data.transpose(0, 2, 1).reshape(-1, n_regions)
names = [f"{'ABCD'[m]}{k % 6 + 1}" for k, m in enumerate(module)]

# Moments of an epoch are alike: keep them together to check edges.
whole = {"check": {"block": n_times}}
graph = nervure.learn_graph(X, names=names, options=whole)
tell("Regions", graph)

right = true[tuple(graph.edges.T)]
sure = graph.confidence >= 0.9
missed = true.sum() // 2 - right.sum()
print(f"\nConfident: {sure.sum()} edges, {right[sure].sum()} of them true")
print(f"Others: {(~sure).sum()} edges, {right[~sure].sum()} of them true")
print(f"Missed: {missed} of {true.sum() // 2} true edges\n")

# A control: shift region k by k epochs. Now no two regions were
# recorded at the same time, and there is nothing to find.
shifted = [np.roll(data[:, k], k, axis=0) for k in range(n_regions)]
X = np.stack(shifted, axis=2).reshape(-1, n_regions)
tell("Control", nervure.learn_graph(X, names=names, options=whole))

places = clusters(module)
pairs = np.argwhere(np.triu(true))
title = "Learned, lines wide if confident"
draw(
    "brain.svg",
    [
        Panel("True", places, pairs, groups=module),
        Panel(title, places, graph.edges, graph.confidence, module),
    ],
    legend={f"Module {'ABCD'[m]}": COLORS[m] for m in range(4)},
)
