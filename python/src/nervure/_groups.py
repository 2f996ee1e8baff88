"""Graphs of several recordings, and whether those of groups differ."""

from __future__ import annotations

import csv
import html
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._arrays import File
from ._document import switch, threads
from ._errors import InvalidSignals
from ._flags import flags
from ._graph import NUMBERS, Floats, LearnedGraph
from ._keys import KEYS
from ._learn import run_of
from ._notebook import Progress
from ._program import in_python, run_lines
from ._recordings import Recordings, table_of, write_table
from ._scratch import Scratch
from ._stack import warn
from ._types import BadSensors, Kernels, Method, Rows, Season, Seed, Switch

if TYPE_CHECKING:
    import pandas


LISTED = 20  # pairs that a notebook shows


@dataclass(repr=False, eq=False)
class GroupComparison:
    """Whether the graphs of groups differ, and where.

    Attributes
    ----------
    answer : str
        What was found, a sentence.
    p : float
        The p-value of the whole graph: does any edge differ?
    graphs : dict of LearnedGraph
        The graph of each group, by its name; confidence is the share of its members that have an edge.
    edges : list of dict
        The pairs that differ at a false discovery rate of 0.1, the clearest first, with means, difference, interval, p
        and q.
    vertices : list of dict
        Whether the edges of each vertex differ.
    notes : list of str
        What was left out, and what to know, a sentence each.
    summary : dict
        All that `nervure batch --groups` writes to groups.json.
    """

    summary: dict[str, Any]
    graphs: dict[str, LearnedGraph]
    _pairs: list[dict[str, Any]] = field(default_factory=list)

    answer: str = field(init=False)
    p: float = field(init=False)
    edges: list[dict[str, Any]] = field(init=False)
    vertices: list[dict[str, Any]] = field(init=False)
    notes: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.answer, self.p = str(self.summary["answer"]), float(self.summary["p"])
        self.edges, self.vertices = list(self.summary["edges"] or []), list(self.summary["vertices"] or [])
        self.notes = list(self.summary.get("notes") or [])

    def to_pandas(self) -> pandas.DataFrame:
        """All pairs of vertices as a data frame: means, difference with its interval, p-values and q."""
        import pandas as pd

        return pd.DataFrame(self._pairs)

    def __str__(self) -> str:
        return self.answer

    def __repr__(self) -> str:
        return f"<GroupComparison: {self.answer}>"

    def _repr_html_(self) -> str:
        groups = [str(group["name"]) for group in self.summary["groups"] or []]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in ("vertex", "vertex", *groups, "statistic", "q"))
        rows = []
        for edge in self.edges[:LISTED]:
            numbers = [*(edge.get("means") or []), edge["statistic"], edge["q"]]
            cells = [html.escape(edge["source"]), html.escape(edge["target"]), *(f"{number:.3g}" for number in numbers)]
            rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
        more = len(self.edges) - len(rows)
        return f"<p>{html.escape(self.answer)}</p>{table}" + (f"<p>and {more} more</p>" if more > 0 else "")


@dataclass(repr=False, eq=False)
class LearnedGraphs(Mapping[str, LearnedGraph]):
    """The graphs of several recordings, by name, all on the same vertices in the same order.

    Attributes
    ----------
    names : list of str
        The recordings, in order, also those without a graph.
    vertices : list of str
        The vertices of all recordings.
    errors : dict of str
        Why a recording has no graph.
    comparison : GroupComparison or None
        Whether the graphs of groups differ, if there are groups.
    index : dict
        What `nervure batch` writes to index.json, such as the model that was chosen from all recordings.
    """

    names: list[str]
    vertices: list[str]
    errors: dict[str, str]
    comparison: GroupComparison | None
    index: dict[str, Any]
    _graphs: dict[str, LearnedGraph]

    def __getitem__(self, name: str) -> LearnedGraph:
        return self._graphs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._graphs)

    def __len__(self) -> int:
        return len(self._graphs)

    @property
    def adjacencies(self) -> Floats:
        """The weights of all graphs, of shape (n_graphs, n_vertices, n_vertices)."""
        return np.array([graph.adjacency for graph in self._graphs.values()]).reshape(
            -1, len(self.vertices), len(self.vertices)
        )

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each recording: verdict, method, edges, seconds, and why there is no graph."""
        import pandas as pd

        rows = [{**row, "name": name} for name, row in zip(self.names, self.index["graphs"], strict=True)]
        return pd.DataFrame(rows).drop(columns=["file", "input"]).set_index("name")

    def _repr_html_(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        said = f"<p>{len(self)} graphs of {len(self.vertices)} vertices{failed}</p>"
        return said + (self.comparison._repr_html_() if self.comparison else "")

    def __repr__(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        compared = f": {self.comparison.answer}" if self.comparison else ""
        return f"<LearnedGraphs: {len(self)} graphs of {len(self.vertices)} vertices{failed}{compared}>"


def learn_graphs(
    X: Any,
    groups: Any = None,
    *,
    by: str | None = None,
    paired: Any = None,
    covariate: Any = None,
    permutations: int | None = None,
    subjects: Sequence[Any] | None = None,
    each: bool = False,
    out: str | os.PathLike[str] | None = None,
    method: Method = "auto",
    kernels: Kernels | None = None,
    n_edges: int | None = None,
    threshold: float | Literal["auto"] | None = None,
    params: Mapping[str, float] | None = None,
    season: Season = "auto",
    difference: Switch = "auto",
    rows: Rows = "auto",
    scores: Switch = "auto",
    bad_sensors: BadSensors = "mask",
    confidence: Switch = "auto",
    time_limit: float | str | None = None,
    random_state: Seed | None = None,
    names: Sequence[str] | None = None,
    n_jobs: int | None = None,
    progress: Switch = "auto",
    options: Mapping[str, Any] | None = None,
) -> LearnedGraphs:
    """Learn a graph from each of several recordings, and find out whether those of groups differ.

    What is left open, such as the method, is chosen once from all recordings, so that graphs differ because subjects
    do. Groups are compared by permutation tests of whole recordings.

    Parameters
    ----------
    X : list, dict or array of shape (n_subjects, n_signals, n_vertices)
        The recordings, as nilearn has them: arrays, data frames, or paths of files. Recordings may differ in length,
        and their vertices are matched by name.
    groups : sequence, Series, dict or data frame, optional
        The group of each recording, in order or by its name. A data frame has more columns: see `by`.
    by : str, optional
        The column of the groups, if `groups` is a data frame.
    paired : sequence or str, optional
        Whose each recording is, if subjects have several, such as before and after: values, or a column of `groups`.
    covariate : sequence or str, optional
        A number for each recording that groups are adjusted for, such as age; without groups, graphs are compared by
        it. Values, or a column of `groups`.
    permutations : int, optional
        Number of permutations; None means 999.
    subjects : sequence of str, optional
        The names of the recordings, if X is no dict.
    each : bool, default=False
        Whether to choose method, kernels and preprocessing for each recording by itself.
    out : path, optional
        A folder for all that `nervure batch` writes: tables, figures and the pages index.html and groups.html.
    method, kernels, n_edges, threshold, params, season, difference, rows, scores, bad_sensors, confidence
        As in `learn_graph`.
    time_limit : float or str, optional
        End the learning of each graph after this time, in seconds or such as "2m".
    random_state : int, RandomState or Generator, optional
        The seed. None and 0 are 1: results do not change from run to run.
    names : sequence of str, optional
        The names of the vertices, if recordings are arrays.
    n_jobs : int, optional
        Number of cores, None or -1 for all. The result does not depend on it.
    progress : "auto" or bool, default="auto"
        Whether to show a bar of progress; "auto" means in terminals and notebooks.
    options : dict, optional
        All other options, in the shape of the document that `nervure run` takes, as in `learn_graph`.

    Returns
    -------
    LearnedGraphs
        A dict of the graphs by name, with ``comparison`` and ``adjacencies``. A recording that cannot be learned from
        is in ``errors``, with a warning.
    """
    given = {name: value for name, value in locals().items() if name in KEYS}
    progress = progress if progress == "auto" else switch("progress", progress)
    recordings = Recordings.of(X, names, subjects)
    columns, roles = table_of(recordings, groups, by, paired, covariate)
    if roles.keys() == {"paired"}:
        raise InvalidSignals("paired: there are no groups to compare within subjects")
    with Scratch(recordings.size) as here, Progress(progress) as line:
        files = recordings.write(here)
        made = here / "made"
        command = ["batch", *files, "--out", str(made), "--progress", "plain"]
        command += flags(run_of(given, options), recordings.signals[0], here)
        command += ["--each"] if switch("each", each, words=False) else []
        command += ["--report"] if out is not None else []
        command += [] if n_jobs is None else ["--threads", str(threads(n_jobs))]
        if roles:
            write_table(here / "table.csv", files, columns)
            command += ["--groups", str(here / "table.csv"), *(f"--{role}={name}" for role, name in roles.items())]
            command += [] if permutations is None else [f"--permutations={permutations}"]
        run_lines(command, made / "index.json", _follow(line, len(files)))
        graphs = _read(made, recordings)
        if out is not None:
            shutil.copytree(made, out, dirs_exist_ok=True)
    return _told(graphs)


def _follow(line: Progress, count: int) -> Any:
    """Show how many recordings are done: the program prints a line for each."""
    done = 0
    line.follow({"event": "begin", "what": f"learning {count} graphs"})

    def follow(_: str) -> None:
        nonlocal done
        done += 1
        line.follow({"event": "task", "done": min(done, count), "of": count})

    return follow


def _told(graphs: LearnedGraphs) -> LearnedGraphs:
    """Warn about what is missing or doubtful, with how many recordings it is about."""
    for name, error in graphs.errors.items():
        warn(f"recording {name} has no graph: {error}")
    about: dict[str, int] = {}
    for graph in graphs.values():
        for words in graph.warnings:
            about[words] = about.get(words, 0) + 1
    for words, count in about.items():
        warn(in_python(words) + (f" ({count} of {len(graphs.names)} recordings)" if len(graphs.names) > 1 else ""))
    if why := graphs.index.get("unanswered"):
        warn(f"groups were not compared: {in_python(why)}")
    return graphs


# ---- what the program has written


def _read(made: Path, recordings: Recordings) -> LearnedGraphs:
    index = json.loads((made / "index.json").read_bytes())
    learned: dict[str, LearnedGraph] = {}
    errors: dict[str, str] = {}
    edges = {}
    for name, row in zip(recordings.names, index["graphs"], strict=True):
        if row.get("error"):
            errors[name] = in_python(row["error"])
        else:
            edges[name] = (_rows(made / f"{row['name']}.csv"), json.loads((made / f"{row['name']}.json").read_bytes()))
    listed: dict[str, None] = {}
    for one, name in zip(recordings.signals, recordings.names, strict=True):
        if not isinstance(one, File) and name in edges and len(one.labels) == edges[name][1]["vertices"]:
            listed |= dict.fromkeys(one.labels)
    for name in edges:
        row = next(row for row, its in zip(index["graphs"], recordings.names, strict=True) if its == name)
        described = made / f"{row['name']}.correlations.json"
        if described.is_file():
            listed |= dict.fromkeys(json.loads(described.read_bytes())["names"])
        listed |= dict.fromkeys(cell for edge in edges[name][0] for cell in (edge["source"], edge["target"]))
    vertices = list(listed)
    for name, (cells, summary) in edges.items():
        learned[name] = _graph(vertices, cells, summary)
    comparison = _comparison(made, vertices)
    return LearnedGraphs(recordings.names, vertices, errors, comparison, index, learned)


def _comparison(made: Path, vertices: list[str]) -> GroupComparison | None:
    file = made / "groups.json"
    if not file.is_file():
        return None
    summary = json.loads(file.read_bytes())
    compared = [place["name"] for place in summary["vertices"] or []] or vertices
    graphs = {}
    for group in summary["groups"] or []:
        if group.get("graph"):
            about = {
                "method": summary["method"],
                "verdict": "not checked",
                "verdict_reasons": ["it is the graph of a group"],
            }
            graphs[group["name"]] = _graph(compared, _rows(made / group["graph"]), about)
    pairs = [
        {name: cell if name in ("source", "target") else _number(cell) for name, cell in row.items()}
        for row in _rows(made / "differences.csv")
    ]
    return GroupComparison(summary, graphs, pairs)


def _rows(file: Path) -> list[dict[str, str]]:
    with open(file, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def _number(cell: str) -> float:
    return float(cell) if cell else float("nan")


def _graph(vertices: list[str], cells: list[dict[str, str]], summary: dict[str, Any]) -> LearnedGraph:
    """A graph from an edge list of the program."""
    number = {name: k for k, name in enumerate(vertices)}
    directed = bool(summary.get("directed"))
    edges = np.array([(number[edge["source"]], number[edge["target"]]) for edge in cells], dtype=np.intp).reshape(-1, 2)
    weights = np.array([float(edge["weight"]) for edge in cells], dtype=np.float64)
    graph = LearnedGraph(vertices, edges, weights, None, directed, summary)
    for name in NUMBERS:
        if cells and all(edge.get(name) for edge in cells):
            setattr(graph, name, np.array([float(edge[name]) for edge in cells]))
    return graph
