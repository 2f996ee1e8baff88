"""Weather stations: which of them have the same weather?"""

import numpy as np
import pandas as pd
from gallery import Panel, draw, tell

import nervure

# Hourly temperatures, a column for each station; where the stations are.
temperatures = pd.read_csv("examples/molene/signals.csv")
stations = pd.read_csv("examples/molene/vertices.csv", index_col="name")
stations = stations.loc[temperatures.columns]

# Every hour is much like the one before: the changes say more.
tell("Values", nervure.learn_graph(temperatures, confidence=False))
graph = nervure.learn_graph(temperatures, difference=True)
print()
tell("Changes", graph)

edges = graph.to_pandas()
sure = edges[edges.confidence >= 0.9]
print(f"\nConfidence of 0.9 or more: {len(sure)} edges. The surest:")
print(sure.nlargest(5, "confidence").round(2).to_string(index=False))

# The tool never saw the map. Are neighbours in the graph close on it?
lat, lon = np.radians(stations.lat), np.radians(stations.lon)
places = 6371 * np.column_stack([lon * np.cos(lat.mean()), lat])
km = np.linalg.norm(places[:, None] - places, axis=-1)
edge_km, pair_km = km[tuple(graph.edges.T)], km[np.triu_indices_from(km, 1)]
print(f"\nMedian length of an edge: {np.median(edge_km):.0f} km")
print(f"Median distance of two stations: {np.median(pair_km):.0f} km")

shown = {
    "PTE_DU_RAZ": "Pointe du Raz",
    "DINARD": "Dinard",
    "NOIRMOUTIER_EN": "Noirmoutier",
    "BELLE_ILE_LE_TALUT": "Belle-Île",
}
labels = {graph.names.index(name): shown[name] for name in shown}
title = "Stations in Brittany, lines wide if confident"
map_ = Panel(title, places, graph.edges, graph.confidence, labels=labels)
draw("sensors.svg", [map_], height=4.2)
