"""The policies that share a budget of fetches out over pages. A new one is a row here and a formula in the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.questions.methods import Method

if TYPE_CHECKING:
    import numpy as np

    from seedrank.methods.recrawl.policies import Sharing

__all__ = ["POLICIES", "policy_named"]


def _harmonic(sharing: Sharing) -> np.ndarray:
    from seedrank.engines.kernels.recrawl import HARMONIC

    return sharing.rates(HARMONIC)


def _optimum(sharing: Sharing) -> np.ndarray:
    from seedrank.engines.kernels.recrawl import OPTIMUM

    return sharing.rates(OPTIMUM)


def _azar(sharing: Sharing) -> np.ndarray:
    from seedrank.engines.kernels.recrawl import AZAR

    return sharing.rates(AZAR)


def _importance(sharing: Sharing) -> np.ndarray:
    from seedrank.engines.kernels.recrawl import IMPORTANCE

    return sharing.rates(IMPORTANCE)


def _uniform(sharing: Sharing) -> np.ndarray:
    from seedrank.engines.kernels.recrawl import UNIFORM

    return sharing.rates(UNIFORM)


def _proportional(sharing: Sharing) -> np.ndarray:
    from seedrank.engines.kernels.recrawl import PROPORTIONAL

    return sharing.rates(PROPORTIONAL)


POLICIES = (
    Method(
        "harmonic",
        "The least harmonic staleness: nearly as fresh as the best, and every page is fetched again.",
        "Kolobov et al. 2019",
        _harmonic,
        {},
    ),
    Method(
        "optimum",
        "The freshest at fixed intervals: pages that change too often for what they are worth are never fetched again.",
        "Cho and Garcia-Molina 2003",
        _optimum,
        {},
    ),
    Method(
        "azar",
        "The freshest at random intervals: such pages are never fetched again either.",
        "Azar et al. 2018",
        _azar,
        {},
    ),
    Method("importance", "In proportion to what pages are worth.", "", _importance, {}),
    Method("uniform", "Every page as often.", "", _uniform, {}),
    Method("proportional", "In proportion to how often pages change.", "", _proportional, {}),
)
"""In the order people see them."""


def policy_named(name: str) -> Method:
    """A policy; questions refuse other names."""
    return next(one for one in POLICIES if one.name == name)
