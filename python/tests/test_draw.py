"""Pictures of graphs, and pages."""

import numpy as np
import pytest
from conftest import need

import nervure
from nervure import _draw

pytestmark = pytest.mark.filterwarnings("ignore::nervure.NervureWarning")


@pytest.fixture(autouse=True)
def pyplot():
    need("matplotlib").use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture(scope="module")
def signed():
    """A path of eight vertices, every third edge negative."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 8))
    for k in range(1, 8):
        X[:, k] += 1.5 * (-1) ** (k % 3 == 0) * X[:, k - 1]
    return nervure.learn_graph(X)


def _lines(ax):
    from matplotlib.collections import LineCollection

    (lines,) = [part for part in ax.collections if isinstance(part, LineCollection)]
    return lines


def test_vertices_are_where_the_program_draws_them(leaf):
    graph = nervure.learn_graph(leaf.X)
    ax = graph.plot()
    dots = ax.collections[-1]
    assert np.array_equal(dots.get_offsets(), graph.positions)
    ends = np.array(_lines(ax).get_segments())
    assert np.array_equal(ends, graph.positions[graph.edges])
    assert sorted(text.get_text() for text in ax.texts) == sorted(graph.names)
    near = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).mean()
    far = np.linalg.norm(graph.positions[:, None] - graph.positions[None], axis=2).mean()
    assert near < far / 2  # joined vertices lie near one another


def test_no_name_lies_on_another(pyplot):
    rng = np.random.default_rng(3)
    names = [f"station {k:03d} of $10" for k in range(90)]
    graph = nervure.learn_graph(rng.normal(size=(60, 90)), names=names, method="knn", confidence="no")
    ax = graph.plot(names=True)
    written = []
    for inches in (7, 20):
        ax.figure.set_size_inches(inches, inches)
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.texts if text.get_visible()]
        written.append(len(boxes))
        for k, box in enumerate(boxes):
            assert box.count_overlaps(boxes[:k]) == 0
    assert 5 < written[0] < written[1]


def test_communities_and_negative_edges_have_colours(signed):
    from matplotlib.colors import to_hex

    assert signed.signed
    ax = signed.plot()
    drawn = [to_hex(color) for color in _lines(ax).get_colors()]
    assert drawn == [_draw.NEGATIVE if weight < 0 else _draw.POSITIVE for weight in signed.weights]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["positive", "negative"]
    sizes = np.bincount(signed.communities)[1:]
    assert sizes.sum() == 8
    assert list(sizes) == sorted(sizes, reverse=True)
    shades = [to_hex(color) for color in ax.collections[-1].get_facecolors()]
    for number in range(1, len(sizes) + 1):
        assert len({shade for shade, its in zip(shades, signed.communities, strict=True) if its == number}) == 1


def test_axes_places_and_colours_can_be_given(signed, pyplot):
    _, ax = pyplot.subplots()
    places = {name: (k, k % 2) for k, name in enumerate(signed.names)}
    assert signed.plot(ax, positions=places, color="orange", names=False) is ax
    assert np.array_equal(ax.collections[-1].get_offsets(), np.array(list(places.values()), dtype=float))
    assert not ax.texts
    with pytest.raises(ValueError, match="positions: there is none for vertex 'v0'"):
        signed.plot(positions={"v1": (0, 0)})
    with pytest.raises(ValueError, match=r"positions: got shape \(2, 2\), want \(8, 2\)"):
        signed.plot(positions=[(0, 0), (1, 1)])


def test_directed_graphs_have_arrows():
    rng = np.random.default_rng(3)
    X = np.zeros((600, 3))
    for t in range(1, 600):
        X[t] = rng.normal(size=3) + np.array([0.9 * X[t - 1, 2], 0.9 * X[t - 1, 0], 0])
    graph = nervure.learn_graph(X, method="causal", n_edges=2)
    assert graph.directed
    assert len(graph.plot().patches) == 2


def test_a_graph_without_edges_is_drawn():
    rng = np.random.default_rng(4)
    graph = nervure.learn_graph(rng.normal(size=(200, 5)))
    assert graph.n_edges == 0
    ax = graph.plot()
    assert len(ax.collections[-1].get_offsets()) == 5
    ax.figure.canvas.draw()


def test_without_matplotlib_the_error_says_what_to_do(signed, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install matplotlib, or use save\('graph.svg'\)"):
        signed.plot()


@pytest.mark.parametrize(
    ("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF"), (".html", b"<!doctype html>")]
)
def test_pictures_and_pages_are_saved(signed, tmp_path, ending, start):
    files = [tmp_path / f"{name}{ending}" for name in ("one", "two")]
    for file in files:
        signed.save(file)
    saved = [file.read_bytes() for file in files]
    assert saved[0].startswith(start)
    assert saved[0] == saved[1]
    assert str(tmp_path).encode() not in saved[0]


def test_the_report_is_saved_where_there_is_one(leaf, tmp_path):
    graph = nervure.learn_graph(leaf.X, method="knn", report=True)
    graph.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == graph.report


def test_other_endings_are_refused(signed, tmp_path):
    with pytest.raises(nervure.InvalidSignals, match=r"graph\.jpg"):
        signed.save(tmp_path / "graph.jpg")
    assert not list(tmp_path.iterdir())
