"""scikit-learn's base classes, or as much of them as is needed where it is not installed."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

__all__ = ["BaseEstimator", "NotFittedError", "TransformerMixin"]

if TYPE_CHECKING:
    from typing_extensions import Self

    class BaseEstimator:
        """scikit-learn's."""

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...

    class TransformerMixin:
        """scikit-learn's."""

        def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any: ...

    class NotFittedError(ValueError, AttributeError):
        """scikit-learn's."""

else:
    try:
        from sklearn.base import BaseEstimator, TransformerMixin
        from sklearn.exceptions import NotFittedError
    except ImportError:

        class NotFittedError(ValueError, AttributeError):
            """An estimator is used before it is fitted."""

        class BaseEstimator:
            """The parameters of an estimator: those of its constructor."""

            @classmethod
            def _names(cls) -> list[str]:
                return sorted(name for name, p in inspect.signature(cls).parameters.items() if p.kind != p.VAR_KEYWORD)

            def get_params(self, deep: bool = True) -> dict[str, Any]:
                """Return the parameters by their names."""
                return {name: getattr(self, name) for name in self._names()}

            def set_params(self, **params: Any) -> BaseEstimator:
                """Set parameters, and return the estimator."""
                for name, value in params.items():
                    if name not in self._names():
                        raise ValueError(
                            f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {self._names()!r}."
                        )
                    setattr(self, name, value)
                return self

            def __repr__(self) -> str:
                defaults = inspect.signature(type(self)).parameters
                given = [f"{k}={v!r}" for k, v in self.get_params().items() if repr(v) != repr(defaults[k].default)]
                return f"{type(self).__name__}({', '.join(given)})"

        class TransformerMixin:
            """Fit and transform in one call."""

            def fit_transform(self, X: Any, y: Any = None) -> Any:
                """Fit to signals and transform them."""
                return self.fit(X, y).transform(X)
