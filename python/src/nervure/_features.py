"""The names and the number of columns: kept by fit, checked afterwards as scikit-learn does."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Signals
from ._stack import outside


@dataclass
class Features:
    """The columns of signals."""

    names: list[str] | None  # only if all of them are strings

    @classmethod
    def of(cls, signals: Signals) -> Features:
        """The columns of a data frame, or of an array."""
        if signals.columns is None:
            return cls(None)
        kinds = sorted({type(name).__qualname__ for name in signals.columns})
        if len(kinds) > 1 and "str" in kinds:
            raise TypeError(
                "Feature names are only supported if all input features have string names, "
                f"but your input has {kinds} as feature name / column name types. "
                "If you want feature names to be stored and validated, you must convert them all to strings, "
                "by using X.columns = X.columns.astype(str) for example. Otherwise you can remove feature / column names "
                "from your input data, or convert them all to a non-string data type."
            )
        return cls(signals.columns if kinds == ["str"] else None)

    def keep(self, estimator: Any, signals: Signals) -> list[Any]:
        """Have an estimator know its columns, and return those that are no vertices."""
        estimator.n_features_in_ = estimator.graph_.n_vertices
        if self.names is None:
            if hasattr(estimator, "feature_names_in_"):
                del estimator.feature_names_in_
            return signals.left_out
        learned = set(estimator.graph_.names)
        estimator.feature_names_in_ = np.array([name for name in self.names if name in learned], dtype=object)
        return [*signals.left_out, *(name for name in self.names if name not in learned)]

    def check(self, estimator: Any) -> None:
        """Refuse other columns than an estimator was fitted with."""
        known = getattr(estimator, "feature_names_in_", None)
        who, level = type(estimator).__name__, outside()
        if known is None and self.names is not None:
            warnings.warn(f"X has feature names, but {who} was fitted without feature names", stacklevel=level)
        elif known is not None and self.names is None:
            warnings.warn(
                f"X does not have valid feature names, but {who} was fitted with feature names", stacklevel=level
            )
        elif known is not None and self.names != list(known):
            raise ValueError(_difference(list(known), self.names or []))

    @staticmethod
    def out(estimator: Any, given: Sequence[str] | None) -> list[str]:
        """The names of columns that stand for vertices."""
        known = getattr(estimator, "feature_names_in_", None)
        if given is None:
            return list(known) if known is not None else [f"x{k}" for k in range(estimator.n_features_in_)]
        if known is not None and list(given) != list(known):
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(given) != estimator.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({estimator.n_features_in_}), got {len(given)}"
            )
        return list(given)


def _difference(known: list[str], names: list[str]) -> str:
    lines = ["The feature names should match those that were passed during fit."]
    unseen, missing = sorted(set(names) - set(known)), sorted(set(known) - set(names))
    for title, listed in (
        ("Feature names unseen at fit time:", unseen),
        ("Feature names seen at fit time, yet now missing:", missing),
    ):
        if listed:
            lines += [title, *(f"- {name}" for name in listed[:5]), *(["- ..."] if len(listed) > 5 else [])]
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"
