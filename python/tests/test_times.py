"""Times of observations, and what is done with signals in the order of time."""

import re
import warnings

import numpy as np
import pytest
from conftest import need, nervure_command

import nervure
from nervure import GraphLearner
from nervure._arrays import as_signals

FAST = {"method": "correlation", "confidence": False}
NAMES = list("abcdefgh")


@pytest.fixture(scope="module")
def hourly(field):
    """Measurements of two weeks with a daily cycle, and a sensor that is stuck for a day."""
    X = np.vstack([field, field[:36] + 0.1])
    X = X + 5 * np.sin(2 * np.pi * np.arange(len(X)) / 24)[:, None]
    X[100:124, 3] = X[100, 3]
    return X


@pytest.fixture
def frame(hourly):
    pd = need("pandas")
    return pd.DataFrame(hourly, columns=NAMES)


def hours(frame, **options):
    return need("pandas").date_range("2024-03-30", periods=len(frame), freq="h", **options)


@pytest.mark.filterwarnings("ignore::nervure.NervureWarning")
def test_times_reach_the_program_and_are_no_vertex(frame):
    pl = need("polars")
    when = hours(frame)
    zurich = when.tz_localize("UTC").tz_convert("Europe/Zurich")  # across a change of the clock
    known = {
        "index": frame.set_index(when),
        "index with a zone": frame.set_index(zurich),
        "index of periods": frame.set_index(when.to_period("h")),
        "column": frame.assign(when=when),
        "column with a zone": frame.assign(when=zurich),
        "column of periods": frame.assign(when=when.to_period("h")),
        "column of Arrow": frame.assign(when=when).astype({"when": "timestamp[ms][pyarrow]"}),
        "column of objects": frame.assign(when=frame.assign(when=when).when.dt.to_pydatetime().astype(object)),
        "seconds since 1970": frame.assign(timestamp=when.astype("M8[s]").astype(np.int64)),
        "milliseconds": frame.assign(**{"Time (UTC)": when.astype("M8[ms]").astype(np.int64)}),
        "texts": frame.assign(time=when.astype(str)),
        "texts in front": frame.set_axis(when.astype(str), axis=0).rename_axis("when").reset_index(),
        "Polars": pl.DataFrame(frame).with_columns(pl.Series("when", when.to_numpy())),
        "Polars with a zone": pl.DataFrame(frame)
        .with_columns(pl.Series("when", when.to_numpy()))
        .with_columns(pl.col("when").dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Kolkata")),
    }
    expected = when.to_numpy()
    for what, X in known.items():
        if "seconds" not in what and "texts" not in what:  # which the program finds
            assert as_signals(X).names == NAMES, what
            assert np.array_equal(as_signals(X).times, expected), what
        graph = nervure.learn_graph(X, **FAST)
        assert graph.names == NAMES, what
        assert [(f["vertex"], f["kind"], f["begun"], f["ended"]) for f in graph.faults] == [
            ("d", "stuck", "2024-04-03 04:00", "2024-04-04 03:00")
        ], what
    days = frame.assign(when=when.date)[::24]
    assert np.array_equal(as_signals(days).times, expected[::24])
    assert np.array_equal(as_signals(pl.DataFrame(days)).times, expected[::24])


@pytest.mark.filterwarnings("ignore::nervure.NervureWarning")
def test_the_answer_is_that_of_a_table_with_times(frame, tmp_path):
    timed = frame.set_index(hours(frame))
    timed.to_csv(tmp_path / "signals.csv")
    nervure_command("learn", tmp_path / "signals.csv", "--out", tmp_path / "graph.csv", "--method", "ggl")
    edges = (tmp_path / "graph.csv").read_text().splitlines()[1:]
    graph = nervure.learn_graph(timed, method="ggl")
    assert [line.split(",")[:2] for line in edges] == [[NAMES[i], NAMES[j]] for i, j in graph.edges]
    assert np.array_equal([float(line.split(",")[2]) for line in edges], graph.weights)


def test_numbers_are_times_as_in_a_table(tmp_path):
    """What a column of numbers is, by its name and values, is what the program takes it for in a .csv file."""
    pd = need("pandas")
    rng = np.random.default_rng(2)
    count = np.arange(40.0)
    epochs = 1706659200 + 3600 * count
    days = pd.date_range("2024-01-01", periods=40)
    columns = {
        "epochs": epochs,
        "milliseconds": 1e3 * epochs,
        "rising": np.cumsum(rng.uniform(1, 2, 40)),
        "falling": -count / 4,
        "days": days.strftime("%Y%m%d").astype(int),
        "minutes": days.strftime("%Y%m%d%H%M").astype(np.int64),
        "no such days": 20240130 + count,
        "noise": rng.normal(size=40),
        "steps": np.repeat(np.arange(20.0), 2),
    }
    others = rng.normal(size=(40, 3))
    for name in ("time", "Timestamp (UTC)", "t_ms", "travel time", "station"):
        for what, values in columns.items():
            X = pd.DataFrame({"a": others[:, 0], name: values, "b": others[:, 1], "c": others[:, 2]})
            X.to_csv(tmp_path / "x.csv", index=False)
            nervure_command("learn", tmp_path / "x.csv", "--method", "tree", "--out", tmp_path / "graph.json")
            vertices = re.findall(r'"id": ?"([^"]*)"', (tmp_path / "graph.json").read_text())
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", nervure.NervureWarning)
                assert nervure.learn_graph(X, method="tree").names == vertices, (name, what)


def test_what_is_left_out_is_told(frame):
    pd = need("pandas")
    when = hours(frame)
    sentence = '^column 9, "time", rises throughout and is treated as row labels$'
    with pytest.warns(nervure.NervureWarning, match=sentence) as told:
        assert nervure.learn_graph(frame.assign(time=np.arange(len(frame)) / 10), **FAST).names == NAMES
    assert told[0].filename == __file__
    with pytest.warns(nervure.NervureWarning, match=r"^column 'begun' holds dates or times and is left out"):
        assert as_signals(frame.set_index(when).assign(begun=when)).names == NAMES
    gap = when.to_series()
    gap.iloc[4] = pd.NaT
    for X, what in (
        (frame.set_index(pd.DatetimeIndex(gap)), "the index of X"),
        (frame.assign(w=gap.to_numpy()), "column 'w'"),
    ):
        with pytest.warns(
            nervure.NervureWarning, match=f"^{what} has no time for observation 5: the times are left out$"
        ):
            signals = as_signals(X)
        assert signals.times is None
        assert signals.names == NAMES


def test_times_that_go_back_are_refused(frame):
    pd, pl = need("pandas"), need("polars")
    when = hours(frame).to_series(index=range(len(frame)))
    when.iloc[[6, 7]] = when.iloc[[7, 6]].to_numpy()
    column = frame.assign(when=when)
    for X, sentence in (
        (
            frame.set_index(pd.DatetimeIndex(when)),
            r"the index of X goes .* observation 7: sort it first, with X.sort_index\(\)",
        ),
        (column, r"column 'when' goes .* observation 7: sort it first, with X.sort_values\('when'\)"),
        (pl.DataFrame(column), r"column 'when' goes .* observation 7: sort it first, with X.sort\('when'\)"),
    ):
        for use in (nervure.learn_graph, nervure.compare, GraphLearner().fit):
            with pytest.raises(nervure.InvalidSignals, match=f"^{sentence}$"):
                use(X)


@pytest.mark.filterwarnings("ignore::nervure.NervureWarning")
def test_an_estimator_leaves_the_same_columns_out_again(frame):
    X = frame.assign(time=np.arange(len(frame)) / 10, when=hours(frame))
    learner = GraphLearner("ggl", confidence=False).fit(X)
    assert learner.n_features_in_ == 8
    assert learner.feature_names_in_.tolist() == NAMES
    few = X.iloc[[9, 2, 5]]  # in any order, and too few for numbers that rise
    assert learner.transform(few).shape == (3, 8)
    assert np.array_equal(learner.transform(few), learner.transform(frame.iloc[[9, 2, 5]]))
    assert np.isfinite(learner.score(X[:100]))
    kept = GraphLearner("ggl", confidence=False).fit(frame.rename(columns={"a": "time"}))
    assert kept.feature_names_in_.tolist() == ["time", *NAMES[1:]]
    rising = frame.rename(columns={"a": "time"}).sort_values("time")
    assert kept.transform(rising).shape == rising.shape


@pytest.mark.filterwarnings("ignore::nervure.NervureWarning")
def test_cycles_trends_and_differences_are_removed_as_asked(hourly):
    def done(**options):
        return nervure.learn_graph(hourly, **FAST, **options).summary["preparation"]

    assert [c["period"] for c in done()["cycles"]] == [24]
    assert [c["period"] for c in done(season=np.array([24, 168]))["cycles"]] == [24, 168]
    assert [c["period"] for c in done(season=12.5)["cycles"]] == [12.5]
    for none in (False, "no", np.False_):
        assert done(season=none)["cycles"] == []
    assert done(options={"prepare": {"detrend": "yes"}})["trend"]
    assert done(difference="yes")["difference"]
    table = nervure.compare(hourly, methods=["correlation", "knn"], season=24, folds=0, bad_sensors="drop")
    assert set(table.index) == {"correlation", "knn"}


def test_values_are_smoothed_where_innovations_were_learned_from():
    rng = np.random.default_rng(5)
    walk = rng.normal(size=(400, 8))
    for k in range(1, 8):
        walk[:, k] = 0.8 * walk[:, k - 1] + 0.6 * walk[:, k]
    walk = np.cumsum(walk, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = GraphLearner("ggl", confidence=False, season=False, options={"prepare": {"detrend": "no"}}).fit(walk)
        assert learner.difference == "auto"
        assert learner.summary_["preparation"]["autoregression"]
        assert learner.summary_["rows"]["taken"] == "time"
        smooth = learner.transform(walk)
        assert smooth.shape == walk.shape
        assert np.allclose(smooth.mean(axis=0), walk.mean(axis=0), atol=walk.std())
        with pytest.raises(ValueError, match="differences cannot be undone"):
            learner.set_params(difference=True).fit(walk).transform(walk)


def test_rows_are_what_they_are_said_to_be():
    rng = np.random.default_rng(6)
    noise = rng.normal(size=(100, 6))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for said, taken in (("auto", "independent"), ("time", "time"), ("independent", "independent")):
            graph = nervure.learn_graph(noise, rows=said, **FAST)
            assert graph.summary["rows"]["taken"] == taken
        with pytest.raises(ValueError, match=r"^rows"):
            nervure.learn_graph(noise, rows="sometimes")


@pytest.mark.filterwarnings("ignore::nervure.NervureWarning")
def test_faults_of_sensors_are_listed(hourly):
    graph = nervure.learn_graph(hourly, **FAST)
    (fault,) = graph.faults
    assert {key: fault[key] for key in ("vertex", "kind", "from", "to")} == {
        "vertex": "v3",
        "kind": "stuck",
        "from": 101,
        "to": 124,
    }
    assert fault["evidence"]
    assert "begun" not in fault  # times are not known
    assert graph.summary["sensors"]["masked"] > 0
    told = nervure.learn_graph(hourly, bad_sensors="report", **FAST)
    assert told.faults == graph.faults
    assert told.summary["sensors"]["masked"] == 0
    assert GraphLearner(**FAST).fit(hourly).faults_ == graph.faults


def test_a_time_limit_is_kept(leaf):
    for limit in (0.05, "50ms"):
        with pytest.warns(nervure.NervureWarning, match="time"):
            graph = nervure.learn_graph(leaf.X, time_limit=limit)
        assert graph.n_vertices == 24
    assert nervure.learn_graph(leaf.X, time_limit=60).verdict == "exact"
