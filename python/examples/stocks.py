"""Stock returns: which shares move together beyond the market?"""

import numpy as np
import pandas as pd
from gallery import COLORS, Panel, clusters, draw, tell

import nervure

# Simulated prices of 30 shares in five sectors over 500 days. News of
# the market, of a sector and of a company all have heavy tails.
rng = np.random.default_rng(3)
sectors = ["Energy", "Banks", "Health", "Software", "Food"]
sector = np.repeat(np.arange(5), 6)
market = rng.standard_t(4, size=(500, 1)) * rng.uniform(0.6, 1.4, size=30)
shared = rng.standard_t(4, size=(500, 5))[:, sector]
own = rng.standard_t(4, size=(500, 30))
news = 0.010 * market + 0.005 * shared + 0.009 * own
names = [f"{sectors[s]} {k % 6 + 1}" for k, s in enumerate(sector)]
prices = 100 * np.exp(news.cumsum(axis=0)).round(4)
prices = pd.DataFrame(prices, columns=names)


def learn(what: str, X, **options) -> nervure.LearnedGraph:
    """Learn a graph, and tell how many edges are within a sector."""
    graph = nervure.learn_graph(X, **options)
    tell(what, graph)
    i, j = sector[graph.edges.T]
    print(f"  within a sector: {np.mean(i == j):.0%} of the edges\n")
    return graph


# Prices wander. Their logarithms change by the returns.
wandering = learn("Prices", prices, difference=False, confidence=False)
logs = {"prepare": {"log": True}}
graph = learn("Returns", prices, difference=True, options=logs)

# The same without the market: subtract the mean of all returns.
returns = np.log(prices).diff().dropna()
less = learn("Less the market", returns.sub(returns.mean(axis=1), axis=0))

both = set(map(tuple, graph.edges)) & set(map(tuple, less.edges))
print(f"In both graphs of returns: {len(both)} edges")

places = clusters(sector)
draw(
    "stocks.svg",
    [
        Panel("Prices", places, wandering.edges, groups=sector),
        Panel("Returns", places, graph.edges, graph.confidence, sector),
    ],
    legend=dict(zip(sectors, COLORS, strict=False)),
)
