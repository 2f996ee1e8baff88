"""Graphs of several recordings, and groups of them."""

import re

import numpy as np
import pytest
from conftest import need, nervure_command

import nervure
from nervure import GroupGraphLearner, learn_graphs

pytestmark = pytest.mark.filterwarnings("ignore::nervure.NervureWarning")

FAST = {"method": "ggm", "confidence": False, "rows": "independent"}


def _study(count, seed, changed):
    """Recordings of a path of six vertices; in the second half of them an edge is gone if it is changed."""
    rng = np.random.default_rng(seed)
    recordings = []
    for k in range(count):
        precision = 1.2 * np.eye(6)
        for i in range(5):
            if not (changed and k >= count / 2 and i == 2):
                precision[i, i + 1] = precision[i + 1, i] = -0.45
        recordings.append(rng.multivariate_normal(np.zeros(6), np.linalg.inv(precision), 150))
    return np.array(recordings), ["control"] * (count // 2) + ["patient"] * (count - count // 2)


@pytest.fixture(scope="module")
def study():
    return _study(12, 1, changed=True)


@pytest.fixture(scope="module")
def learned(study):
    return learn_graphs(*study, permutations=199, **FAST)


def test_there_is_a_graph_for_each_recording(study, learned):
    X, _ = study
    assert list(learned) == learned.names == [f"subject{k:02d}" for k in range(1, 13)]
    assert learned.vertices == [f"v{k}" for k in range(6)]
    assert learned.adjacencies.shape == (12, 6, 6)
    assert learned.errors == {}
    alone = learn_graphs([X[3]], **FAST)
    assert np.array_equal(alone.adjacencies[0], learned["subject04"].adjacency)
    assert learned["subject04"].verdict


def test_progress_is_a_bar_and_nothing_where_nobody_looks(study, capfd):
    X, _ = study
    learn_graphs(X[:3], progress=True, **FAST)
    shown = capfd.readouterr().err
    # The last of them may come too soon to be drawn.
    assert re.search(r"learning 3 graphs(, \d of 3)? \[[#.]{10}\]", shown)
    learn_graphs(X[:3], **FAST)
    assert capfd.readouterr() == ("", "")


def test_the_edge_that_differs_is_found(learned):
    found = learned.comparison
    assert found.p < 0.05
    assert {(edge["source"], edge["target"]) for edge in found.edges} == {("v2", "v3")}
    assert set(found.graphs) == {"control", "patient"}
    assert found.graphs["control"].adjacency[2, 3] > 0
    assert found.answer in str(found)
    shown = learned._repr_html_()
    assert shown.count("<tr>") == 1 + len(found.edges)
    assert "<th>control</th>" in shown
    assert "<td>v2</td><td>v3</td>" in shown
    assert "control" in found.answer


def test_no_difference_is_no_difference():
    X, groups = _study(12, 2, changed=False)
    assert learn_graphs(X, groups, permutations=199, **FAST).comparison.p > 0.05


def test_lists_dicts_frames_and_files_are_the_same_study(study, learned, tmp_path):
    pd = need("pandas")
    X, groups = study
    frames = {f"s{k}": pd.DataFrame(x, columns=list("abcdef")) for k, x in enumerate(X)}
    labels = pd.Series(dict(zip(frames, groups, strict=True)), name="diagnosis")[::-1]  # found by name
    files = []
    for name, frame in frames.items():
        files.append(tmp_path / f"{name}.csv")
        frame.to_csv(files[-1], index=False)
    table = pd.DataFrame({"diagnosis": groups, "age": np.arange(12) % 5}, index=list(frames))
    ways = [
        learn_graphs(list(X), groups, permutations=199, **FAST),
        learn_graphs(frames, labels, permutations=199, **FAST),
        learn_graphs(files, table, by="diagnosis", permutations=199, **FAST),
    ]
    for way in ways:
        assert np.allclose(way.adjacencies, learned.adjacencies, rtol=1e-12)
        assert way.comparison.p == learned.comparison.p
    assert ways[1].names == ways[2].names == list(frames)
    assert ways[1].vertices == list("abcdef")
    assert ways[1].comparison.summary["question"] == "diagnosis"
    assert len(ways[1].comparison.to_pandas()) == 15
    assert list(ways[1].to_pandas().index) == list(frames)


def test_pairs_and_covariates_are_those_of_the_command_line(study, tmp_path):
    X, _ = study
    subjects, age = [k // 2 for k in range(12)], [20 + (7 * k) % 11 for k in range(12)]
    when = ["before", "after"] * 6
    for k, x in enumerate(X):
        np.save(tmp_path / f"r{k:02d}.npy", x)
    (tmp_path / "table.csv").write_text(
        "file,when,who,age\n" + "".join(f"r{k:02d},{when[k]},{subjects[k]},{age[k]}\n" for k in range(12))
    )
    files = sorted(tmp_path.glob("*.npy"))
    common = ["--groups", tmp_path / "table.csv", "--method", "ggm", "--confidence", "no", "--rows", "independent"]
    for role, value, flags in [
        ("paired", subjects, ["--by", "when", "--paired", "who"]),
        ("covariate", age, ["--by", "when", "--covariate", "age"]),
    ]:
        out = tmp_path / role
        nervure_command("batch", *files, "--out", out, *common, *flags, "--permutations", 99)
        found = learn_graphs(X, when, permutations=99, **{role: value}, **FAST).comparison
        import json

        want = json.loads((out / "groups.json").read_text())
        assert (found.p, found.edges) == (want["p"], want["edges"] or [])
        assert found.summary["units"] == 12


def test_a_recording_that_fails_is_told_and_the_others_are_learned(study, recwarn):
    X, groups = study
    recordings = [*X[:11], np.full((150, 6), np.nan)]
    with pytest.warns(nervure.NervureWarning, match="recording subject12 has no graph"):
        learned = learn_graphs(recordings, groups, permutations=49, **FAST)
    assert list(learned.errors) == ["subject12"]
    assert len(learned) == 11
    assert learned.comparison.summary["units"] == 11


def test_the_folder_of_the_program_can_be_kept(study, tmp_path):
    X, groups = study
    learn_graphs(X, groups, permutations=49, out=tmp_path / "study", **FAST)
    assert {"index.html", "groups.html", "groups.json", "differences.csv"} <= {
        file.name for file in (tmp_path / "study").iterdir()
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"X": np.zeros((4, 5))}, r"Expected 3D array of shape \(subjects, observations, vertices\), got 2D array"),
        ({"X": []}, "there are no recordings"),
        ({"groups": ["a"]}, "groups: got 1 values, want 12"),
        ({"groups": {"subject01": "a"}}, "groups: there is none for recording 'subject02'"),
        ({"groups": None, "paired": range(12)}, "paired: there are no groups"),
        ({"by": "diagnosis"}, "by: names a column of groups"),
        ({"subjects": ["a"]}, "subjects: got 1 names, want 12"),
        ({"covariate": ["old"] * 12}, "old"),
        ({"options": {"write": {"report": "x.html"}}}, "write.report does not apply"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(study, change, words):
    X, groups = study
    with pytest.raises(ValueError, match=words):
        learn_graphs(**{"X": X, "groups": groups, "permutations": 19, **FAST, **change})


def test_a_series_that_lacks_a_recording_is_not_taken_by_position(study):
    pandas = need("pandas")
    X, groups = study
    names = [f"subject{k + 1:02}" for k in range(len(X))]
    values = pandas.Series(list(groups), index=["Subject01", *names[1:]])
    with pytest.raises(ValueError, match="groups: there is none for recording 'subject01'"):
        learn_graphs(X, values, permutations=19, **FAST)


def test_the_estimator_takes_what_nilearn_gives(study):
    X, groups = study
    learner = GroupGraphLearner(permutations=99, **FAST)
    matrices = learner.fit_transform(list(X), groups=groups)
    assert matrices.shape == (12, 6, 6)
    assert learner.comparison_.p < 0.05
    assert np.allclose(learner.transform(X[:2]), matrices[:2], rtol=1e-9)
    rows = GroupGraphLearner(vectorize=True, **FAST).fit(X)
    assert rows.transform(X[:2]).shape == (2, 15)
    assert rows.get_feature_names_out()[0] == "v1~v0"
    assert np.allclose(rows.transform(X[:1])[0][0], matrices[0][1, 0], rtol=1e-9)


def test_a_classifier_can_follow(study):
    need("sklearn")
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    X, groups = study
    pipeline = make_pipeline(GroupGraphLearner(vectorize=True, **FAST), LogisticRegression(C=100))
    assert clone(pipeline).fit(X, groups).score(X, groups) > 0.8


def test_an_estimator_is_cloned_pickled_and_asked_too_early(study):
    import pickle

    need("sklearn")
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError

    X, _ = study
    learner = GroupGraphLearner(vectorize=True, **FAST)
    with pytest.raises(NotFittedError):
        learner.transform(X)
    assert clone(learner).get_params() == learner.get_params()
    learner.fit(X[:4])
    again = pickle.loads(pickle.dumps(learner))
    assert np.array_equal(again.adjacencies_, learner.adjacencies_)
    with pytest.raises(ValueError, match="X has 5 features, but GroupGraphLearner is expecting 6 features as input"):
        learner.transform(X[:2, :, :5])


def test_scikit_learn_checks_the_estimator():
    need("sklearn")
    from sklearn.utils.estimator_checks import check_estimator

    results = check_estimator(GroupGraphLearner("correlation", confidence=False), on_fail=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert not failed
