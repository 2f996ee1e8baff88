"""GraphLearner, an estimator in the manner of scikit-learn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._arrays import Signals, as_signals, read_npy
from ._errors import InvalidSignals
from ._features import Features
from ._graph import Floats, LearnedGraph
from ._keys import KEYS
from ._learn import learn, run_of
from ._program import run
from ._scratch import Scratch
from ._sklearn import BaseEstimator, NotFittedError, TransformerMixin
from ._smooth import smooth
from ._types import BadSensors, Kernels, Method, Output, Rows, Season, Seed, SignalsLike, Switch


class GraphLearner(TransformerMixin, BaseEstimator):
    """Learn the graph behind a set of signals.

    Rows of X are observations, columns are vertices. A data frame may have times and labels of rows. No parameter
    needs to be set: what is None or "auto" is chosen from the signals, and `summary_` tells what was chosen.

    Parameters
    ----------
    method : str, default="auto"
        "auto" chooses between "sparse", the method of the paper, and "field", a Gaussian model. All other
        methods of the program can be named: `nervure learn --help` lists them.
    kernels : str or list of str, optional
        Kernels such as "heat:2"; with "auto" among them their scales are learned, "free" learns polynomials.
        "matern:2" alone implies the method "field".
    n_edges : int, optional
        Keep only this many edges, the heaviest.
    threshold : float or "auto", optional
        Keep edges of this weight or more.
    params : dict, optional
        Parameters of the method, such as ``{"k": 4}`` for "knn".
    season : "auto", False, number or list of numbers, default="auto"
        Periods of cycles to remove, in observations, such as 24 or [24, 168]; "auto" removes those that are clear.
    difference : "auto" or bool, default="auto"
        Whether to take differences between consecutive observations. "auto" removes an autoregression from rows in
        time if the halves of the recording then agree better on the graph; False keeps values.
    rows : "auto", "time" or "independent", default="auto"
        What the rows are to each other: moments in time, or independent, so that their order says nothing. "auto"
        finds out: `graph_.summary["rows"]`.
    scores : "auto" or bool, default="auto"
        Whether methods for Gaussian fields learn from normal scores. "auto" does so where values are far from normal,
        or have only a few levels as survey answers do.
    bad_sensors : "mask", "report" or "drop", default="mask"
        How to treat readings that look like sensor faults: they are missing, they are only listed, or all values
        of the vertex are missing. `graph_.faults` lists them.
    confidence : "auto" or bool, default="auto"
        Whether to compute the confidence of each edge.
    time_limit : float or str, optional
        End after this time, in seconds or such as "2m", with the best graph so far.
    random_state : int, RandomState or Generator, optional
        The seed. None and 0 are 1: results do not change from run to run.
    n_jobs : int, optional
        Number of cores, None or -1 for all. The result does not depend on it.
    options : dict, optional
        All other options, in the shape of the document that `nervure run` takes, such as
        ``{"prepare": {"log": True}, "method": {"sparsity": 3}}``. The manual lists the keys, and the program checks
        them. Graphs at ``known`` are files, graphs such as a `LearnedGraph` or one of NetworkX, or symmetric matrices,
        also of scipy.sparse. A data frame goes by the names of its rows and columns. If the signals have no names,
        whole numbers as nodes of NetworkX are numbers of columns.
    output : "denoised" or "codes", default="denoised"
        What `transform` returns.
    smoothing : float, default=1.0
        How much `transform` smooths along the edges if the method is neither sparse nor field.
    progress : "auto" or bool, default="auto"
        Whether to show a bar of progress; "auto" means in terminals and notebooks.
    report : "auto" or bool, default="auto"
        Whether to make the HTML report, `graph_.report`; "auto" means in notebooks.

    Attributes
    ----------
    graph_ : LearnedGraph
        All that was learned, with `to_networkx`, `to_pandas`, `save` and others.
    adjacency_, laplacian_ : ndarray of shape (n_vertices, n_vertices)
        Weights, and the normalised Laplacian.
    edges_, weights_, confidence_ : ndarray
        For each edge the numbers of its vertices, its weight and its confidence, which may be None.
    codes_ : ndarray of shape (n_signals, n_atoms)
        The sparse codes of the signals. Only the method sparse has them.
    kernels_ : list of str
        The kernels that were used.
    verdict_ : str
        How far to trust the graph: exact, supported, weak, no structure, or not checked.
    warnings_ : list of str
        What is doubtful. They are also raised as Python warnings.
    faults_ : list of dict
        What is wrong with which sensor, and when: `LearnedGraph.faults`.
    summary_ : dict
        What `nervure learn --summary` writes.
    n_features_in_ : int
        Number of vertices.
    feature_names_in_ : ndarray of str
        The names of the vertices, if X was a data frame.
    """

    graph_: LearnedGraph
    n_features_in_: int

    def __init__(
        self,
        method: Method = "auto",
        *,
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
        n_jobs: int | None = None,
        output: Output = "denoised",
        smoothing: float = 1.0,
        progress: Switch = "auto",
        report: Switch = "auto",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.kernels = kernels
        self.n_edges = n_edges
        self.threshold = threshold
        self.params = params
        self.season = season
        self.difference = difference
        self.rows = rows
        self.scores = scores
        self.bad_sensors = bad_sensors
        self.confidence = confidence
        self.time_limit = time_limit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.output = output
        self.smoothing = smoothing
        self.progress = progress
        self.report = report
        self.options = options

    # ---- learning

    def fit(self, X: SignalsLike, y: Any = None) -> GraphLearner:
        """Learn the graph behind signals. y is ignored.

        If it is interrupted, by Ctrl-C or a notebook's stop button, the best graph so far is kept and a
        warning says so. If there is none yet, KeyboardInterrupt is raised.
        """
        if self.output not in ("denoised", "codes"):
            raise InvalidSignals(f"output: got {self.output!r}, want 'denoised' or 'codes'")
        signals = as_signals(X, who=type(self).__name__)
        features = Features.of(signals)
        _enough(signals, type(self).__name__)
        given = {name: value for name, value in self.get_params(deep=False).items() if name in KEYS}
        run = run_of(given, self.options)
        self.graph_ = learn(signals, run, self.n_jobs, self.progress, self.report)
        self._left_out = features.keep(self, signals)
        return self

    def _offset(self) -> float | None:
        """What was added before logarithms were taken, None if they were not."""
        done = self.summary_["preparation"]
        return float(done.get("log_offset") or 0) if done["log"] else None

    # ---- using what was learned

    def transform(self, X: SignalsLike) -> Floats:
        """Return the denoised signals, or their codes (`output`).

        With the method sparse, denoised signals are sums of few atoms, the codes tell of which, and missing
        values are filled in. With the method field, denoised signals are what is expected of the field that was
        learned, and missing values are filled in. With other methods, they are smooth along the edges: x minimises
        ‖x − y‖² + smoothing · xᵀLx, where L is the normalised Laplacian and y a signal less the mean of the
        signals that were learned from. Vertices without edges stay as they are. Directed graphs smooth nothing:
        they are refused.
        """
        signals = self._new(X)
        has_field = self.graph_.method == "field" and "field" in json.loads(self._model())
        if self.graph_.method != "sparse" and not has_field and self.output == "denoised":
            if self.summary_["preparation"]["difference"]:
                raise InvalidSignals("differences cannot be undone: there are no denoised signals")
            prepared = json.loads(self._model())["preparation"]
            mean = np.array(prepared.get("level") or prepared["mean"])  # innovations have means of their own
            return smooth(self.graph_, signals, mean, self.smoothing, self._offset())
        if self.output == "codes":
            return np.ascontiguousarray(self._encode(signals, "codes").T)
        return self._encode(signals, "out")

    def score(self, X: SignalsLike, y: Any = None) -> float:
        """Return how much better the edges predict signals than no edges do. y is ignored.

        It is the log-likelihood of a Gaussian model that has only the learned edges, fitted to the signals
        that were learned from, less that of one without edges, in nats per signal; with the method field, that of
        the field if this explains them better. It is the held-out gain of `nervure.compare`. Denser graphs nearly
        always gain a little more, so `nervure.compare` does not recommend what gains most: for its rule in
        `GridSearchCV`, pass ``scoring=nervure.graph_scores, refit=nervure.best_graph``.
        """
        return float(self._judged(X)["score"])

    def _judged(self, X: Any) -> dict[str, Any]:
        """What the program says of new signals under what was learned."""
        signals = self._new(X)
        with Scratch(signals.size) as here:
            printed = run([*self._encoding(signals, here), "--json"])
        judged: dict[str, Any] = json.loads(printed)
        if judged["score"] is None:
            raise InvalidSignals(json.loads(self._model()).get("unscored") or "there is no score for this graph")
        return judged

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> npt.NDArray[np.object_]:
        """The names of the columns that `transform` returns."""
        self._fitted()
        names = Features.out(self, input_features)
        if self.output == "codes":
            names = [f"{kernel}@{vertex}" for kernel in self.kernels_ for vertex in names]
        return np.array(names, dtype=object)

    def _new(self, X: Any) -> Signals:
        """New signals, of the same vertices as those that were learned from."""
        self._fitted()
        signals = as_signals(X, who=type(self).__name__, left_out=self._left_out)
        Features.of(signals).check(self)
        if signals.shape[1] != self.n_features_in_:
            raise InvalidSignals(
                f"X has {signals.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input"
            )
        signals.names = self.graph_.names
        return signals

    def _model(self) -> str:
        if self.graph_._model is None:
            raise InvalidSignals("the run was interrupted before there was a model: fit again")
        return self.graph_._model

    def _encoding(self, signals: Signals, here: Path) -> list[str]:
        """The command that uses what was learned on signals."""
        model = here / "model.json"
        model.write_text(self._model(), encoding="utf-8")
        path, names = signals.write_array(here)
        return ["encode", str(path), *(["--names", str(names)] if names else []), "--model", str(model)]

    def _encode(self, signals: Signals, what: str) -> Floats:
        with Scratch(signals.size) as here:
            file = here / f"{what}.npy"
            run([*self._encoding(signals, here), f"--{what}", str(file)])
            return read_npy(file)

    # ---- what was learned

    def _fitted(self) -> LearnedGraph:
        if "graph_" not in self.__dict__:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."
            )
        return self.graph_

    @property
    def adjacency_(self) -> Floats:
        """The weights as a matrix."""
        return self._fitted().adjacency

    @property
    def laplacian_(self) -> Floats:
        """The normalised Laplacian."""
        return self._fitted().laplacian

    @property
    def edges_(self) -> npt.NDArray[np.intp]:
        """The numbers of the vertices of each edge."""
        return self._fitted().edges

    @property
    def weights_(self) -> Floats:
        """The weight of each edge."""
        return self._fitted().weights

    @property
    def confidence_(self) -> Floats | None:
        """The confidence of each edge, None if it was not computed."""
        return self._fitted().confidence

    @property
    def codes_(self) -> Floats:
        """The codes of the signals."""
        return self._fitted().codes

    @property
    def kernels_(self) -> list[str]:
        """The kernels."""
        return self._fitted().kernels

    @property
    def verdict_(self) -> str:
        """How far to trust the graph."""
        return self._fitted().verdict

    @property
    def warnings_(self) -> list[str]:
        """What is doubtful."""
        return self._fitted().warnings

    @property
    def faults_(self) -> list[dict[str, Any]]:
        """What is wrong with sensors."""
        return self._fitted().faults

    @property
    def summary_(self) -> dict[str, Any]:
        """The summary of the run."""
        return self._fitted().summary

    # ---- scikit-learn and notebooks

    def __sklearn_is_fitted__(self) -> bool:
        return "graph_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        return tags

    def _repr_html_(self) -> str:
        if "graph_" in self.__dict__:
            return self.graph_._repr_html_()
        return f"<pre>{self!r}</pre>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        if "graph_" not in self.__dict__ and hasattr(super(), "_repr_mimebundle_"):
            return super()._repr_mimebundle_()  # type: ignore[misc,no-any-return]
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _enough(signals: Signals, who: str) -> None:
    """Refuse what no graph can be learned from, in the words that scikit-learn has for it."""
    for count, what in zip(signals.shape, ("sample", "feature"), strict=True):
        if count < 2:
            raise InvalidSignals(
                f"Found array with {count} {what}(s) (shape={signals.shape}) while a minimum of 2 is required by {who}."
            )
