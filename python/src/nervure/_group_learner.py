"""GroupGraphLearner, an estimator in the manner of scikit-learn for recordings of several subjects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._errors import InvalidSignals
from ._graph import Floats
from ._groups import GroupComparison, LearnedGraphs, learn_graphs
from ._keys import KEYS
from ._sklearn import BaseEstimator, NotFittedError, TransformerMixin
from ._types import BadSensors, Kernels, Method, Rows, Season, Seed, Switch


class GroupGraphLearner(TransformerMixin, BaseEstimator):
    """Learn a graph from each of several recordings, and find out whether those of groups differ.

    It takes what nilearn gives: a list of arrays of shape (n_signals, n_vertices), an array of three dimensions, or a
    dict of data frames. `transform` returns the matrices of the graphs, or with ``vectorize=True`` a row of features
    for each recording, so that a classifier can follow.

    Parameters
    ----------
    method, kernels, n_edges, threshold, params, season, difference, rows, scores, bad_sensors, confidence, time_limit
        As in `learn_graph`. What is left open is chosen once by `fit`, from all recordings.
    vectorize : bool, default=False
        Whether `transform` returns the weights of pairs of vertices as rows, not matrices.
    permutations : int, optional
        Number of permutations, if there are groups; None means 999.
    random_state, n_jobs, progress, options
        As in `learn_graphs`.

    Attributes
    ----------
    graphs_ : LearnedGraphs
        The graphs by name, a dict.
    adjacencies_ : ndarray of shape (n_subjects, n_vertices, n_vertices)
        Their weights, in the order of the recordings.
    comparison_ : GroupComparison or None
        Whether the graphs of groups differ, if `fit` was given some.
    n_features_in_ : int
        Number of vertices.
    feature_names_in_ : ndarray of str
        Their names, if the recordings have names of columns.
    """

    graphs_: LearnedGraphs
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
        vectorize: bool = False,
        permutations: int | None = None,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        progress: Switch = "auto",
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
        self.vectorize = vectorize
        self.permutations = permutations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.options = options

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        groups: Any = None,
        by: str | None = None,
        paired: Any = None,
        covariate: Any = None,
        subjects: Sequence[Any] | None = None,
    ) -> GroupGraphLearner:
        """Learn the graphs of recordings, and compare groups if there are some. y is ignored.

        The arguments are those of `learn_graphs`.
        """
        given = {name: value for name, value in self.get_params(deep=False).items() if name != "vectorize"}
        learned = learn_graphs(X, groups, by=by, paired=paired, covariate=covariate, subjects=subjects, **given)
        if learned.errors:
            name, error = next(iter(learned.errors.items()))
            raise InvalidSignals(f"recording {name}: {error}")
        self.graphs_ = learned
        self.n_features_in_ = len(learned.vertices)
        if learned.vertices == [f"v{k}" for k in range(self.n_features_in_)]:
            self.__dict__.pop("feature_names_in_", None)
        else:
            self.feature_names_in_ = np.array(learned.vertices, dtype=object)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Floats:
        """Learn the graphs of recordings, and return them as `transform` does."""
        return self._form(self.fit(X, y, **fit_params).adjacencies_)

    def transform(self, X: Any) -> Floats:
        """Return the graphs of recordings, learned by the model that `fit` chose.

        Each recording is learned from by itself, so that its graph does not depend on the others.
        """
        fitted = self._fitted()
        given = {name: value for name, value in self.get_params(deep=False).items() if name in KEYS}
        given |= {"n_jobs": self.n_jobs, "progress": self.progress, "options": _chosen(fitted, self.options)}
        learned = learn_graphs(X, each=True, **given)
        if learned.errors:
            name, error = next(iter(learned.errors.items()))
            raise InvalidSignals(f"recording {name}: {error}")
        if set(learned.vertices) != set(fitted.vertices):
            raise InvalidSignals(
                f"X has {len(learned.vertices)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        order = [fitted.vertices.index(name) for name in learned.vertices]
        matrices = np.empty((len(learned), self.n_features_in_, self.n_features_in_))
        matrices[np.ix_(range(len(learned)), order, order)] = learned.adjacencies
        return self._form(matrices)

    def _form(self, matrices: Floats) -> Floats:
        if not self.vectorize:
            return matrices
        rows, columns = np.tril_indices(matrices.shape[1], -1)
        lower: Floats = matrices[:, rows, columns]
        if any(graph.directed for graph in self.graphs_.values()):
            return np.hstack([lower, matrices[:, columns, rows]])
        return lower

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns that `transform` returns with ``vectorize=True``."""
        names = self._fitted().vertices
        pairs = list(zip(*(part.tolist() for part in np.tril_indices(len(names), -1)), strict=True))
        listed = [f"{names[i]}~{names[j]}" for i, j in pairs]
        if any(graph.directed for graph in self.graphs_.values()):
            listed = [f"{names[i]}->{names[j]}" for i, j in pairs] + [f"{names[j]}->{names[i]}" for i, j in pairs]
        return np.array(listed, dtype=object)

    def _fitted(self) -> LearnedGraphs:
        if "graphs_" not in self.__dict__:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."
            )
        return self.graphs_

    @property
    def adjacencies_(self) -> Floats:
        """The weights of all graphs."""
        return self._fitted().adjacencies

    @property
    def comparison_(self) -> GroupComparison | None:
        """Whether the graphs of groups differ."""
        return self._fitted().comparison

    def __sklearn_is_fitted__(self) -> bool:
        return "graphs_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        return tags


def _chosen(fitted: LearnedGraphs, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Options with the model that was chosen from all recordings."""
    model = fitted.index.get("model") or {}
    chosen = {name: dict(model[name]) for name in ("prepare", "method", "kernels") if model.get(name)}
    for name, value in (options or {}).items():
        chosen[name] = {**chosen.get(name, {}), **value} if isinstance(value, Mapping) else value
    return chosen
