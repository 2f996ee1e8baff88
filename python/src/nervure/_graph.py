"""A learned graph, and the forms that other packages take it in."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._notebook import embedded
from ._program import run
from ._scratch import Scratch
from ._types import Switch

if TYPE_CHECKING:
    import networkx
    import pandas
    import pygsp
    import scipy.sparse
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]

PICTURES = (".svg", ".png", ".pdf", ".html")

NUMBERS = ("confidence", "partial", "low", "high", "q")  # of edges, besides their weight, in the order of files


@dataclass(repr=False, eq=False)
class Codes:
    """Sparse codes: only what is not zero is kept."""

    shape: tuple[int, int]  # signals × atoms
    signals: npt.NDArray[np.intp]
    atoms: npt.NDArray[np.intp]
    values: Floats

    @classmethod
    def of(cls, dense: Floats) -> Codes:
        """Keep the codes of an array that has a row for each atom, as the program writes them."""
        signals, atoms = np.nonzero(dense.T)
        return cls((dense.shape[1], dense.shape[0]), signals, atoms, dense[atoms, signals])

    def dense(self) -> Floats:
        """The codes as an array."""
        codes = np.zeros(self.shape)
        codes[self.signals, self.atoms] = self.values
        return codes


@dataclass(repr=False, eq=False)  # arrays have no single answer to ==
class LearnedGraph:
    """A graph that was learned from signals.

    Attributes
    ----------
    names : list of str
        The vertices.
    edges : ndarray of shape (n_edges, 2)
        The numbers of the two vertices of each edge, from source to target if directed.
    weights : ndarray of shape (n_edges,)
        Negative where two vertices move against each other, if the graph is signed.
    confidence : ndarray of shape (n_edges,), or None
        How likely each edge is to be a true one; None if it was not computed.
    partial : ndarray of shape (n_edges,), or None
        The partial correlation of the two vertices of each edge given all others; None if it was not computed, and
        then there are no low, high and q either.
    low, high : ndarray of shape (n_edges,), or None
        The 90 % interval of each partial correlation.
    q : ndarray of shape (n_edges,), or None
        The false discovery rate at which each edge passes the test of being stronger than a floor.
    directed : bool
    summary : dict
        What `nervure learn --summary` writes. The manual lists its keys.
    interrupted : bool
        The run was stopped: this is the best graph so far.
    report : str or None
        The HTML report, if it was asked for or the graph was learned in a notebook.
    """

    names: list[str]
    edges: npt.NDArray[np.intp]
    weights: Floats
    confidence: Floats | None
    directed: bool
    summary: dict[str, Any]
    interrupted: bool = False
    report: str | None = None
    partial: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None
    q: Floats | None = None
    _codes: Codes | None = field(default=None)
    _model: str | None = field(default=None)  # what encode takes
    _matrices: dict[str, Floats] = field(default_factory=dict)  # computed when asked for
    _attributes: list[dict[str, Any]] = field(default_factory=list)  # of each vertex, as a table of them said

    @classmethod
    def parse(cls, node_link: bytes, summary: dict[str, Any]) -> LearnedGraph:
        """Read a graph as the program writes it, in node-link JSON."""
        document = json.loads(node_link)
        names = [str(node["id"]) for node in document["nodes"]]
        number = {name: k for k, name in enumerate(names)}
        listed = document["edges"]
        edges = np.array([(number[e["source"]], number[e["target"]]) for e in listed], dtype=np.intp).reshape(-1, 2)
        weights = np.array([e["weight"] for e in listed], dtype=np.float64)

        def known(name: str) -> Floats | None:
            if (listed and all(name in e for e in listed)) or (not listed and name in summary):
                return np.array([e[name] for e in listed], dtype=np.float64)
            return None

        graph = cls(names, edges, weights, known("confidence"), bool(document["directed"]), summary)
        graph.partial, graph.low, graph.high, graph.q = (known(name) for name in NUMBERS[1:])
        if any(len(node) > 1 for node in document["nodes"]):
            graph._attributes = [{k: v for k, v in node.items() if k != "id"} for node in document["nodes"]]
        return graph

    # ---- what was found

    @property
    def method(self) -> str:
        """The method that learned the graph."""
        return str(self.summary["method"])

    @property
    def verdict(self) -> str:
        """How far to trust the graph: exact, supported, weak, no structure or not checked."""
        return str(self.summary["verdict"])

    @property
    def reasons(self) -> list[str]:
        """The reasons for the verdict, a sentence each."""
        return list(self.summary.get("verdict_reasons") or [])

    @property
    def warnings(self) -> list[str]:
        """What is doubtful, a sentence each."""
        return list(self.summary.get("warnings") or [])

    @property
    def notes(self) -> list[str]:
        """What was noticed when the signals were read, such as a column of row labels, a sentence each."""
        return list(self.summary.get("notes") or [])

    @property
    def faults(self) -> list[dict[str, Any]]:
        """What is wrong with sensors, by vertex and time, a dict for each fault; `pandas.DataFrame` makes a table of it.

        The keys are vertex, kind, from and to, the first and the last observation counted from 1, begun and ended,
        their times if they are known, values, how many are at fault, evidence, and for a copy its origin.
        """
        return [dict(fault) for fault in (self.summary.get("sensors") or {}).get("faults") or []]

    @property
    def kernels(self) -> list[str]:
        """The kernels, as the parameter takes them; none for methods without kernels."""
        return [str(k["name"]) for k in self.summary.get("kernels") or []]

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return len(self.names)

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.weights)

    @property
    def signed(self) -> bool:
        """Whether edges have negative weights, between vertices that move against each other."""
        return bool((self.weights < 0).any())

    @property
    def codes(self) -> Floats:
        """The codes of the signals, a row for each signal and a column for each atom."""
        if self._codes is None:
            raise AttributeError(
                f"the method {self.method} has no codes"
                if self.method != "sparse"
                else "codes are not kept of this many signals: GraphLearner.transform with output='codes' computes them"
            )
        return self._codes.dense()

    @property
    def adjacency(self) -> Floats:
        """The weights as a matrix; row is source, column is target."""
        return self._matrix("adjacency", lambda: self._fill(self.weights))

    @property
    def confidence_matrix(self) -> Floats | None:
        """The confidence of each edge as a matrix, 0 where there is no edge; None if not computed."""
        confidence = self.confidence
        return None if confidence is None else self._matrix("confidence", lambda: self._fill(confidence))

    @property
    def laplacian(self) -> Floats:
        """The normalised Laplacian, with 1 on all of its diagonal; degrees are sums of the sizes of weights."""
        self._undirected("The Laplacian")
        return self._matrix("laplacian", self._normalised)

    def _normalised(self) -> Floats:
        weights = self.adjacency
        degrees = np.abs(weights).sum(axis=1)
        scale = np.divide(1, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
        laplacian: Floats = -scale[:, None] * weights * scale
        np.fill_diagonal(laplacian, 1)
        laplacian += 0.0  # -0 becomes 0
        return laplacian

    def _fill(self, values: Floats) -> Floats:
        matrix = np.zeros((self.n_vertices, self.n_vertices))
        i, j = self.edges.T
        matrix[i, j] = values
        if not self.directed:
            matrix[j, i] = values
        return matrix

    def _matrix(self, name: str, compute: Callable[[], Floats]) -> Floats:
        if name not in self._matrices:
            matrix = compute()
            matrix.flags.writeable = False  # it is kept
            self._matrices[name] = matrix
        return self._matrices[name]

    # ---- where it is drawn

    @property
    def positions(self) -> Floats:
        """Where the program draws the vertices, x and y of each; y points up.

        If a table of vertices has coordinates (``options={"read": {"vertices": ...}}``), they are there.
        """
        return self._matrix("positions", lambda: self._placed()[0])

    @property
    def communities(self) -> npt.NDArray[np.intp]:
        """The number of each vertex's community, from 1, the largest first: parts with many edges within."""
        return self._matrix("communities", lambda: self._placed()[1]).astype(np.intp)

    def _placed(self) -> tuple[Floats, Floats]:
        with Scratch() as here:
            self.write(here / "graph.json")
            run(["convert", "graph.json", "--layout", "--out", "placed.json"], here)
            nodes = json.loads((here / "placed.json").read_bytes())["nodes"]
        places = np.array([(node["x"], node["y"]) for node in nodes], dtype=np.float64).reshape(-1, 2)
        communities = np.array([node["community"] for node in nodes], dtype=np.float64)
        return self._matrices.setdefault("positions", places), self._matrices.setdefault("communities", communities)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        color: Any = "community",
        names: Switch = "auto",
        positions: Mapping[str, Sequence[float]] | npt.ArrayLike | None = None,
    ) -> Axes:
        """Draw the graph with matplotlib: heavy edges are wide, doubtful ones faint, negative ones blue.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; None makes a figure.
        color : "community", or colours as `matplotlib.axes.Axes.scatter` takes them
            The colours of the vertices: "community" gives each of the `communities` its own.
        names : "auto" or bool, default="auto"
            Whether to write the names of the vertices; "auto" does so for up to 60 of them. No name lies on
            another: a name without room is left out.
        positions : dict or array of shape (n_vertices, 2), optional
            Where the vertices are, by name or in order; None means where the program draws them, `positions`.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from ._draw import draw

        return draw(self, ax, color, names, positions)

    def _undirected(self, what: str) -> None:
        if self.directed:
            raise ValueError(f"{what} is of undirected graphs, and the method {self.method} learns a directed one")

    # ---- what others take

    def to_networkx(self) -> networkx.Graph:
        """The graph as a networkx.Graph, or DiGraph, with weight, confidence and partial correlation of each edge."""
        import networkx as nx

        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(zip(self.names, self._attributes or ({} for _ in self.names), strict=True))
        for k, (i, j) in enumerate(self.edges.tolist()):
            about = {name: float(values[k]) for name, values in self._numbers().items()}
            graph.add_edge(self.names[i], self.names[j], weight=float(self.weights[k]), **about)
        return graph

    def to_pandas(self) -> pandas.DataFrame:
        """The edges as a pandas.DataFrame with the columns source, target, weight.

        If they are known, the columns confidence, partial, low, high and q follow.
        """
        import pandas as pd

        columns: dict[str, Any] = {
            "source": [self.names[i] for i in self.edges[:, 0]],
            "target": [self.names[j] for j in self.edges[:, 1]],
            "weight": self.weights,
            **self._numbers(),
        }
        return pd.DataFrame(columns)

    def _numbers(self) -> dict[str, Floats]:
        """What is known of each edge besides its weight, by name."""
        known = {name: getattr(self, name) for name in NUMBERS}
        return {name: values for name, values in known.items() if values is not None}

    def to_scipy(self) -> scipy.sparse.csr_array:
        """The adjacency matrix as a scipy.sparse.csr_array."""
        from scipy import sparse

        i, j = self.edges.T
        values = self.weights
        if not self.directed:
            i, j, values = np.concatenate([i, j]), np.concatenate([j, i]), np.concatenate([values, values])
        return sparse.csr_array((values, (i, j)), shape=(self.n_vertices, self.n_vertices))

    def to_pygsp(self) -> pygsp.graphs.Graph:
        """The graph as a pygsp.graphs.Graph."""
        self._undirected("A graph of PyGSP")
        if self.signed:
            raise ValueError("A graph of PyGSP has weights from 0 up, and this one has negative ones")
        from pygsp import graphs
        from scipy import sparse

        return graphs.Graph(sparse.csr_matrix(self.to_scipy()))

    def edge_index(self) -> tuple[npt.NDArray[np.int64], Floats]:
        """The edges as PyTorch Geometric takes them: edge_index of shape (2, E), and edge_weight.

        An undirected edge is there both ways.

        >>> index, weight = graph.edge_index()
        >>> data = Data(edge_index=torch.from_numpy(index), edge_weight=torch.from_numpy(weight))
        """
        index = self.edges.T.astype(np.int64)
        if self.directed:
            return np.ascontiguousarray(index), self.weights.copy()
        return np.hstack([index, index[::-1]]), np.concatenate([self.weights, self.weights])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to a file, in the format of its extension.

        .csv, .tsv, .json, .graphml, .gexf, .dot, .mtx, .npy and .mat are graphs that other software reads; .svg,
        .png (300 dpi) and .pdf are pictures, and .html is a page to explore: the report, if there is one, and
        otherwise the graph with its table of edges.
        """
        out = os.path.abspath(path)
        kind = os.path.splitext(out)[1].lower()
        if kind == ".html" and self.report is not None:
            Path(out).write_text(self.report, encoding="utf-8", newline="\n")
            return
        with Scratch() as here:
            self.write(here / "graph.json")
            title = ["--title", "The learned graph"] if kind == ".html" else []
            run(["plot" if kind in PICTURES else "convert", "graph.json", "--out", out, *title], here)

    def write(self, path: Path) -> None:
        """Write the graph in node-link JSON, without the program."""
        numbers = {name: values.tolist() for name, values in self._numbers().items()}
        edges = zip(self.edges.tolist(), self.weights.tolist(), strict=True)
        write_node_link(
            path,
            self.names,
            ((self.names[i], self.names[j], w) for (i, j), w in edges),
            numbers,
            self.directed,
            self._attributes,
        )

    # ---- how it shows itself

    def __str__(self) -> str:
        kind = "directed graph" if self.directed else "signed graph" if self.signed else "graph"
        return f"{self.verdict}: {'; '.join(self.reasons)} ({kind} of {self.n_vertices} vertices and {self.n_edges} edges, method {self.method})"

    def __repr__(self) -> str:
        return f"<LearnedGraph: {self.verdict}, {self.n_vertices} vertices, {self.n_edges} edges, method {self.method}>"

    def _repr_html_(self) -> str:
        if self.report is not None:
            return embedded(self.report)
        return f"<p>{html.escape(str(self))}</p><p><small>With <code>report=True</code> there is an interactive picture.</small></p>"


def write_node_link(
    path: Path,
    names: list[str],
    edges: Iterable[tuple[Any, Any, float]],
    numbers: Mapping[str, list[float]] | None = None,
    directed: bool = False,
    attributes: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write a graph as NetworkX and the program read it."""
    listed: list[dict[str, Any]] = [{"source": str(i), "target": str(j), "weight": float(w)} for i, j, w in edges]
    for name, values in (numbers or {}).items():
        for edge, value in zip(listed, values, strict=True):
            edge[name] = value
    document = {
        "directed": directed,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": name, **about} for name, about in zip(names, attributes or [{}] * len(names), strict=True)],
        "edges": listed,
    }
    path.write_text(json.dumps(document), encoding="utf-8")
