"""Change rates and fetches, so slow and plain that they are right at sight."""

from __future__ import annotations

import math


def likelihood_slope(rate, visits, events=0.0, exposure=0.0, imaginary=0.0):
    """Slope of the log-likelihood of a page's visits: ``(kind, days, age)`` each, kinds by their words."""
    visits = [*visits]
    if imaginary:
        visits += [("changed", imaginary, 0.0), ("unchanged", imaginary, 0.0)]
    slope = events / rate - exposure
    for kind, days, age in visits:
        if kind == "changed":
            slope += days / math.expm1(rate * days) if rate * days < 700 else 0.0
        elif kind == "unchanged":
            slope -= days
        elif kind == "dated":
            slope += 1 / rate - age
    return slope


def likeliest(visits, events=0.0, exposure=0.0, imaginary=0.0):
    """The rate at which the slope is 0, by halving."""
    low, high = 1e-12, 1e12
    for _ in range(400):
        middle = math.sqrt(low * high)
        low, high = (
            (middle, high) if likelihood_slope(middle, visits, events, exposure, imaginary) > 0 else (low, middle)
        )
    return low


def fixed(fetches, change):
    """Share of the time in which a copy is fresh, fetched at fixed intervals."""
    return fetches / change * (1 - math.exp(-change / fetches)) if fetches > 0 else 0.0


def gain(policy, weight, change, fetches):
    """What one more fetch a day of a page would bring, in the objective that a policy maximises."""
    if policy == "harmonic":  # -w ln((ρ + Δ)/ρ)
        return weight * change / (fetches * (fetches + change))
    if policy == "azar":  # w ρ/(ρ + Δ)
        return weight * change / (fetches + change) ** 2
    if fetches == 0:
        return weight / change
    y = change / fetches
    return weight / change * (1 - (1 + y) * math.exp(-y))
