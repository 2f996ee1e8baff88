"""Draws studies of groups, and what rivals make of them: groups.py rows|subjects|common|nilearn|score DIRECTORY

rows      a row a person: rows/CELL/study-000.csv with a column `group`, and CELL/truth.csv, the edges that differ
subjects  a file a subject: subjects/CELL/study-000/s01.csv ..., groups.csv, and CELL/truth.csv as above
common    subjects on one graph: common/CELL/study-000/s01.csv ..., and truth.csv, the edges that all have
nilearn   lets GroupSparseCovarianceCV learn from DIRECTORY/common, to DIRECTORY/nilearn.csv; what is there stays
score     tells how often NetworkComparisonTest (nct.R) saw a difference in DIRECTORY/rows, to DIRECTORY/nct.csv

Needs numpy 2 and scipy 1.17, and for nilearn scikit-learn 1.9 and nilearn 0.14. Methods may be tuned on other seeds
alone.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import pathlib
import time
import warnings
import zlib
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial import cKDTree

Pair = tuple[int, int]
Table = list[dict[str, str]]
Change = tuple[int, int, str, float, float]

CHANGES = ("removed", "added", "sign")  # what happens to an edge from one group to the other, in turn
CHANGED = (0.25, 0.35)  # partial correlations of edges that differ
KEPT = (0.15, 0.35)  # and of those that do not
DEGREE = 1.5  # edges for each vertex
MARGIN = 0.2  # smallest eigenvalue of a group's precision matrix, whose diagonal is one
VARIED = 0.05  # standard deviation of a partial correlation from one subject to another
OWN = 0.1  # edges of a subject that others do not have, for each that all have
SCALED = 0.3  # standard deviation of the logarithm of a weight, between subjects on one graph
ANCHOR = 0.1  # added to the diagonal of a Laplacian


def differing(n: int, changes: int, study: int, r: np.random.Generator) -> tuple[np.ndarray, np.ndarray, list[Change]]:
    """Precision matrices of two groups, and the edges that differ: partial correlation in the first, in the second."""
    while True:
        made = attempt(n, changes, study, r)
        if made is not None:
            return made


def attempt(
    n: int, changes: int, study: int, r: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, list[Change]] | None:
    """Draw two groups. Edges that do not differ give way until both matrices are well conditioned; None if in vain."""
    pairs = [(i, j) for i in range(n) for j in range(i)]
    order = [pairs[k] for k in r.permutation(len(pairs))]
    changed = capped(order, n, 3, changes, [])
    kept = capped([p for p in order if p not in changed], n, 4, max(round(DEGREE * n) - changes, n // 2), changed)
    if len(changed) < changes:
        return None
    first, second = np.eye(n), np.eye(n)
    table: list[Change] = []
    for k, (i, j) in enumerate(changed):
        kind = CHANGES[(study + k) % len(CHANGES)]
        value = r.uniform(*CHANGED) * r.choice((-1, 1))
        before, after = {"removed": (value, 0.0), "added": (0.0, value), "sign": (value, -value)}[kind]
        first[i, j] = first[j, i] = -before
        second[i, j] = second[j, i] = -after
        table.append((j, i, kind, before, after))
    rest = np.zeros((n, n))
    for i, j in kept:
        rest[i, j] = rest[j, i] = r.uniform(*KEPT) * r.choice((-1, 1))
    for shrunk in 0.9 ** np.arange(10):
        one, two = first - shrunk * rest, second - shrunk * rest
        if min(smallest(one), smallest(two)) >= MARGIN:
            return one, two, table
    return None


def capped(order: Iterable[Pair], n: int, cap: int, count: int, there: Iterable[Pair]) -> list[Pair]:
    """Return the first pairs that leave no vertex more than so many edges, with those that are there."""
    degree = np.bincount([v for pair in there for v in pair], minlength=n)
    taken: list[Pair] = []
    for i, j in order:
        if len(taken) < count and max(degree[i], degree[j]) < cap:
            taken.append((i, j))
            degree[[i, j]] += 1
    return taken


def smallest(precision: np.ndarray) -> float:
    """Smallest eigenvalue."""
    return float(np.linalg.eigvalsh(precision)[0])


def varied(precision: np.ndarray, r: np.random.Generator) -> np.ndarray:
    """Return the precision matrix of a subject: the group's with other weights on the same edges."""
    noise = np.triu(VARIED * r.standard_normal(precision.shape) * (precision != 0), 1)
    noise += noise.T
    while smallest(precision + noise) < MARGIN / 4:
        noise /= 2
    return precision + noise


def signals(precision: np.ndarray, count: int, correlation: float, r: np.random.Generator) -> np.ndarray:
    """Gaussian rows with a precision matrix, each correlated with the one before."""
    rows = solve_triangular(np.linalg.cholesky(precision).T, r.standard_normal((len(precision), count))).T
    for t in range(1, count if correlation else 0):
        rows[t] = correlation * rows[t - 1] + (1 - correlation**2) ** 0.5 * rows[t]
    return rows


def laid(kind: str, n: int, r: np.random.Generator) -> list[Pair]:
    """Edges of a graph: a grid, as many as twice the vertices at random, or the four nearest of sensors in a plane."""
    if kind == "grid":
        wide = next(k for k in range(int(n**0.5), 0, -1) if n % k == 0)
        return [(v, v + 1) for v in range(n) if (v + 1) % wide] + [(v, v + wide) for v in range(n - wide)]
    if kind == "random":
        pairs = [(i, j) for j in range(n) for i in range(j)]
        return sorted(pairs[k] for k in r.choice(len(pairs), 2 * n, replace=False))
    places = r.random((n, 2))
    near = cKDTree(places).query(places, 5)[1][:, 1:]
    return sorted({(min(i, j), max(i, j)) for i, row in enumerate(near.tolist()) for j in row})


def on_graph(n: int, edges: Sequence[Pair], weights: np.ndarray, r: np.random.Generator) -> np.ndarray:
    """Return the precision matrix of a subject on a graph that all share, with other weights and edges of its own."""
    free = [(i, j) for j in range(n) for i in range(j) if (i, j) not in set(edges)]
    own = [free[k] for k in r.choice(len(free), round(OWN * len(edges)), replace=False)]
    adjacency = np.zeros((n, n))
    for (i, j), weight in zip(
        [*edges, *own],
        [*weights * np.exp(SCALED * r.standard_normal(len(edges))), *r.uniform(0.5, 1.5, len(own))],
        strict=True,
    ):
        adjacency[i, j] = adjacency[j, i] = weight
    return np.diag(adjacency.sum(0) + ANCHOR) - adjacency


def write(path: pathlib.Path, header: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    """Write a table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows([f"{x:.6g}" if isinstance(x, float) else x for x in line] for line in lines)


def read(path: pathlib.Path) -> Table:
    """Read a table."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def names(n: int) -> list[str]:
    """Return the names of vertices."""
    return [f"v{k}" for k in range(n)]


def draw_rows(asked: argparse.Namespace) -> None:
    """Draw studies of two groups with a row a person, in shuffled order."""
    for n, m, changes in itertools.product(asked.vertices, asked.rows, asked.changes):
        cell = f"n{n}-m{m}-c{changes}"
        truth: list[tuple[object, ...]] = []
        for study in range(asked.studies):
            r = np.random.default_rng([asked.seed, zlib.crc32(cell.encode()), study])
            one, two, table = differing(n, changes, study, r)
            rows = [(g, *row) for g, k in (("a", one), ("b", two)) for row in signals(k, m, 0, r).tolist()]
            shuffled = [rows[k] for k in r.permutation(len(rows))]
            write(asked.directory / "rows" / cell / f"study-{study:03d}.csv", ["group", *names(n)], shuffled)
            truth += told(study, table)
        write(asked.directory / "rows" / cell / "truth.csv", TRUTH, truth)


TRUTH = ("study", "source", "target", "kind", "before", "after")


def told(study: int, table: Iterable[Change]) -> list[tuple[object, ...]]:
    """Lines of the truth of a cell."""
    return [(f"study-{study:03d}", f"v{i}", f"v{j}", kind, before, after) for i, j, kind, before, after in table]


def draw_subjects(asked: argparse.Namespace) -> None:
    """Draw studies of two groups with a file a subject, whose weights vary around those of the group."""
    for n, m, ar, changes in itertools.product(asked.vertices, asked.rows, asked.autoregression, asked.changes):
        cell = f"n{n}-s{asked.subjects}-m{m}-ar{ar:g}-c{changes}"
        truth: list[tuple[object, ...]] = []
        for study in range(asked.studies):
            r = np.random.default_rng([asked.seed, zlib.crc32(cell.encode()), study])
            one, two, table = differing(n, changes, study, r)
            folder = asked.directory / "subjects" / cell / f"study-{study:03d}"
            members: list[tuple[object, ...]] = []
            for k in range(2 * asked.subjects):
                name = f"s{k + 1:02d}"
                precision = varied(one if k < asked.subjects else two, r)
                write(folder / f"{name}.csv", names(n), signals(precision, m, ar, r).tolist())
                members.append((f"{name}.csv", "a" if k < asked.subjects else "b", name, int(r.integers(20, 71))))
            write(folder / "groups.csv", ("file", "group", "subject", "age"), members)
            truth += told(study, table)
        write(asked.directory / "subjects" / cell / "truth.csv", TRUTH, truth)


def draw_common(asked: argparse.Namespace) -> None:
    """Draw studies of subjects on a graph that all share."""
    for kind, n, m in itertools.product(("grid", "random", "sensors"), asked.vertices, asked.rows):
        cell = f"{kind}-n{n}-m{m}"
        for study in range(asked.studies):
            r = np.random.default_rng([asked.seed, zlib.crc32(cell.encode()), study])
            folder = asked.directory / "common" / cell / f"study-{study:03d}"
            edges = laid(kind, n, r)
            weights = r.uniform(0.5, 1.5, len(edges))
            for k in range(asked.subjects):
                rows = signals(on_graph(n, edges, weights, r), m, 0, r).tolist()
                write(folder / f"s{k + 1:02d}.csv", names(n), rows)
            lines = ((f"v{i}", f"v{j}", float(w)) for (i, j), w in zip(edges, weights, strict=True))
            write(folder / "truth.csv", ("source", "target", "weight"), lines)


def nilearn(asked: argparse.Namespace) -> None:
    """Let nilearn learn from each study on a graph that all share; an edge is one that any subject has."""
    from nilearn.connectome import GroupSparseCovarianceCV

    warnings.simplefilter("ignore")  # of convergence: what comes of it counts
    header = ("cell", "study", "edges", "found", "f1", "f1_true_count", "alpha", "seconds")
    output = asked.directory / "nilearn.csv"
    lines: list[tuple[object, ...]] = [tuple(e.values()) for e in read(output)] if output.exists() else []
    folders = (asked.directory / "common").glob("*/study-*")
    for folder in sorted(folders, key=lambda path: (path.name, path.parent.name)):
        if (folder.parent.name, folder.name) in {line[:2] for line in lines}:
            continue
        subjects = [np.loadtxt(file, delimiter=",", skiprows=1) for file in sorted(folder.glob("s*.csv"))]
        model = GroupSparseCovarianceCV(n_jobs=1)  # all else by its own choice
        begin = time.process_time()
        model.fit([(y - y.mean(0)) / y.std(0) for y in subjects])  # it warns unless they have unit variance
        seconds = time.process_time() - begin
        truth = {(e["source"], e["target"]) for e in read(folder / "truth.csv")}
        strength = np.triu(np.abs(partial(model.precisions_)).mean(2), 1)
        found = edges_of(strength, int(np.count_nonzero(strength)))
        fits = f1(found, truth), f1(edges_of(strength, len(truth)), truth)
        lines.append((folder.parent.name, folder.name, len(truth), len(found), *fits, float(model.alpha_), seconds))
        write(output, header, lines)
        print(*lines[-1], flush=True)


def partial(precisions: np.ndarray) -> np.ndarray:
    """Partial correlations of each subject, from precision matrices along the last axis."""
    scale = np.sqrt(np.einsum("iis->is", precisions))
    return -precisions / scale[:, None] / scale[None]


def edges_of(strength: np.ndarray, count: int) -> set[tuple[str, str]]:
    """Return the strongest pairs, by name."""
    order = np.argsort(-strength, axis=None, kind="stable")[:count]
    return {(f"v{i}", f"v{j}") for i, j in (np.unravel_index(k, strength.shape) for k in order)}


def f1(found: set[tuple[str, str]], truth: set[tuple[str, str]]) -> float:
    """Harmonic mean of precision and recall."""
    return 2 * len(found & truth) / max(1, len(found) + len(truth))


def score(asked: argparse.Namespace) -> None:
    """Tell how often NetworkComparisonTest saw a difference at .05, and which edges it named."""
    header = ["cell", "gamma", "kind", "studies", "maximum", "strength"]
    header += ["recall_p", "false_p", "recall_bh", "false_bh", "seconds"]
    lines: list[tuple[object, ...]] = []
    for path in sorted((asked.directory / "rows").glob("*/nct-*-edges.csv")):
        tests = read(path.with_name(path.name.replace("-edges", "")))
        pairs, truth = read(path), read(path.parent / "truth.csv")
        lines.append((path.parent.name, path.stem.split("-")[1], "all", *rates(tests, pairs, truth)))
        for kind in CHANGES if path.parent.name.endswith("-c1") else ():
            these = {e["study"] for e in truth if e["kind"] == kind}
            parts = ([e for e in table if e["study"] in these] for table in (tests, pairs, truth))
            lines.append((path.parent.name, path.stem.split("-")[1], kind, *rates(*parts)))
    write(asked.directory / "nct.csv", header, lines)


def rates(tests: Table, pairs: Table, truth: Table) -> list[object]:
    """Shares of studies that each test rejects, of the changed edges that are named and of those named in error."""
    line: list[object] = [
        len(tests),
        *(mean(float(t[name]) <= 0.05 for t in tests) for name in ("maximum", "strength")),
    ]
    changed = {(e["study"], e["source"], e["target"]) for e in truth}
    for name in ("p", "q"):  # as they are, and adjusted
        named = [(e["study"], e["source"], e["target"]) for e in pairs if float(e[name]) <= 0.05]
        line.append(mean(c in named for c in changed if c[0] in {t["study"] for t in tests}))
        in_error = ([e not in changed for e in named if e[0] == t["study"]] for t in tests)
        line.append(mean(mean(errors) for errors in in_error))
    return [*line, mean(float(t["seconds"]) for t in tests)]


def mean(values: Iterable[float]) -> float:
    """Mean, 0 of nothing."""
    listed = list(values)
    return sum(listed) / max(1, len(listed))


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = {"rows": draw_rows, "subjects": draw_subjects, "common": draw_common, "nilearn": nilearn, "score": score}
    parser.add_argument("command", choices=commands)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--vertices", type=int, nargs="+", default=[10])
    parser.add_argument("--rows", type=int, nargs="+", default=[250], help="of each group or subject")
    parser.add_argument("--changes", type=int, nargs="+", default=[0, 1, 3, 10], help="edges that differ")
    parser.add_argument("--autoregression", type=float, nargs="+", default=[0.0])
    parser.add_argument("--subjects", type=int, default=20, help="of each group")
    parser.add_argument("--studies", type=int, default=60, help="of each cell")
    parser.add_argument("--seed", type=int, default=33)
    asked = parser.parse_args()
    commands[asked.command](asked)


if __name__ == "__main__":
    main()
