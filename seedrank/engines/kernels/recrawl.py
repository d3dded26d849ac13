"""Loops over visits and over pages that are fetched again: change rates, rates of fetches, and recrawls replayed.

Random numbers are hashes of what they are for, so that any thread draws the same ones.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix

__all__ = [
    "AZAR",
    "CHANGED",
    "DATED",
    "HARMONIC",
    "IMPORTANCE",
    "OPTIMUM",
    "PROPORTIONAL",
    "UNCHANGED",
    "UNIFORM",
    "UNKNOWN",
    "change_rates",
    "drawn_freshness",
    "fetch_rates",
    "mixed_means",
    "recorded_freshness",
    "scores",
]

UNKNOWN, UNCHANGED, CHANGED, DATED = range(4)
"""What a visit says of the time since the one before it; `DATED`: the page changed, and for the last time `age` days
before the visit."""
HARMONIC, OPTIMUM, AZAR, IMPORTANCE, UNIFORM, PROPORTIONAL = range(6)
"""How often pages are fetched, in the order of `seedrank.methods.recrawl.methods`."""
_RUN = 1 << 14
"""Pages a worker takes at a time; sums are taken run by run, whatever the number of threads."""
_FEW = 16
"""Hosts a worker takes at a time."""
_STEPS = 100
_CLOSE = 1e-7
"""Relative size of the last of Newton's steps: behind it the error is of the order of its square."""
_MOST_MEAN = 30.0
"""Changes of an interval beyond which a larger number of them makes no difference."""


@numba.njit(cache=True, nogil=True, parallel=True)
def change_rates(
    offsets: np.ndarray,
    kind: np.ndarray,
    days: np.ndarray,
    age: np.ndarray,
    events: np.ndarray,
    exposure: np.ndarray,
    imaginary: float,
    rates: np.ndarray,
    information: np.ndarray,
) -> None:
    """Write the change rate a day of each group of visits that is the likeliest, and the information on it.

    It solves ``Σ changed t/(e^{Δt} - 1) + (dated + events)/Δ = Σ unchanged t + Σ ages + exposure``; times Δ, the left
    side less the right one is convex and falls, so that Newton's steps from below never pass the root.

    Parameters
    ----------
    offsets
        Visits of group g are those from ``offsets[g]`` to ``offsets[g + 1]``.
    kind, days, age
        Per visit.
    events, exposure
        Of the gamma prior of each group.
    imaginary
        Days of one more interval of each kind, changed and unchanged; 0 for none.
    """
    groups = len(offsets) - 1
    for run in numba.prange((groups + _RUN - 1) // _RUN):
        for g in range(run * _RUN, min((run + 1) * _RUN, groups)):
            found, quiet = events[g], exposure[g] + imaginary
            changed, between = (1.0, imaginary) if imaginary > 0 else (0.0, 0.0)
            for i in range(offsets[g], offsets[g + 1]):
                if kind[i] == UNCHANGED:
                    quiet += days[i]
                elif kind[i] == CHANGED:
                    changed += 1.0
                    between += days[i]
                elif kind[i] == DATED:
                    found += 1.0
                    quiet += age[i]
            rate = (found + changed) / (quiet + between / 2)
            if changed > 0:
                for _ in range(_STEPS):
                    value, slope = found - rate * quiet, -quiet
                    for i in range(offsets[g] - 1, offsets[g + 1]):
                        # The place before the first visit stands for the imaginary interval.
                        t = imaginary if i < offsets[g] else (days[i] if kind[i] == CHANGED else 0.0)
                        if t > 0:
                            y = rate * t
                            f = y / math.expm1(y) if y < 700 else 0.0
                            value += f
                            slope += t * (f / y * (1 - y - f) if y > 1e-5 else -0.5)
                    step = -value / slope
                    rate += step
                    if abs(step) <= _CLOSE * rate:
                        break
            held = found / (rate * rate)
            for i in range(offsets[g] - 1, offsets[g + 1]):
                t = imaginary if i < offsets[g] else (days[i] if kind[i] == CHANGED else 0.0)
                if t > 0 and rate * t < 700:
                    q = 1 / math.expm1(rate * t)
                    held += t * t * q * (1 + q)
            rates[g], information[g] = rate, held


@numba.njit(cache=True, nogil=True, parallel=True)
def scores(
    offsets: np.ndarray, kind: np.ndarray, days: np.ndarray, age: np.ndarray, rates: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Per group, at its rate: Σ s_i s_j and Σ k_i k_j over pairs of different visits.

    s is the slope of the log-likelihood of a visit in the logarithm of the rate, k the changes expected of it.
    """
    groups = len(offsets) - 1
    slopes, expected = np.zeros(groups), np.zeros(groups)
    for run in numba.prange((groups + _RUN - 1) // _RUN):
        for g in range(run * _RUN, min((run + 1) * _RUN, groups)):
            s_sum, s_squares, k_sum, k_squares = 0.0, 0.0, 0.0, 0.0
            for i in range(offsets[g], offsets[g + 1]):
                if kind[i] == UNKNOWN:
                    continue
                y = rates[g] * days[i]
                if kind[i] == DATED:
                    s, k = 1 - rates[g] * age[i], -math.expm1(-y)
                else:
                    f = y / math.expm1(y) if y < 700 else 0.0
                    s, k = (f if kind[i] == CHANGED else -y), y * f
                s_sum += s
                s_squares += s * s
                k_sum += k
                k_squares += k * k
            slopes[g], expected[g] = s_sum * s_sum - s_squares, k_sum * k_sum - k_squares
    return slopes, expected


@numba.njit(cache=True, nogil=True, parallel=True)
def mixed_means(offsets: np.ndarray, kind: np.ndarray, days: np.ndarray, spread: np.ndarray, means: np.ndarray) -> None:
    """Move the mean rate of each group to where as many visits find no change as its gamma distribution makes likely.

    A visit after t days finds none with the chance ``(1 + spread · mean · t)^(-1/spread)``; convex in the mean, so that
    Newton's steps from below never pass the root.

    Parameters
    ----------
    spread
        Variance of the rates over their squared mean.
    means
        No larger than what is sought.
    """
    groups = len(offsets) - 1
    for run in numba.prange((groups + _FEW - 1) // _FEW):
        for g in range(run * _FEW, min((run + 1) * _FEW, groups)):
            for _ in range(_STEPS):
                value, slope = 0.0, 0.0
                for i in range(offsets[g], offsets[g + 1]):
                    if kind[i] == UNKNOWN or not days[i] < np.inf:
                        continue
                    base = 1 + spread[g] * means[g] * days[i]
                    chance = base ** (-1 / spread[g])
                    value += chance - (1.0 if kind[i] == UNCHANGED else 0.0)
                    slope -= days[i] * chance / base
                if slope >= 0 or value <= 0:
                    break
                step = -value / slope
                means[g] += step
                if step <= 1e-6 * means[g]:
                    break


# -- how often pages are fetched


@numba.njit(cache=True, nogil=True)
def _ratio(c: float) -> float:
    """The x of ``1 - (1 + x) e^{-x} = c``, 0 < c < 1: ``x - ln(1 + x) = -ln(1 - c)``, by Newton."""
    wanted = -math.log1p(-c)
    s = math.sqrt(2 * wanted)
    x = s + s * s / 3
    for _ in range(_STEPS):
        step = (x - math.log1p(x) - wanted) * (1 + x) / x
        x -= step
        if abs(step) <= _CLOSE * x:
            break
    return x


@numba.njit(cache=True, nogil=True)
def _fetches(policy: int, weight: float, change: float, level: float) -> float:
    """Fetches a day of a page at a level, the price of a fetch: the higher, the fewer."""
    if policy == HARMONIC:
        both = 4 * weight * change / level
        return both / (2 * (change + math.sqrt(change * change + both)))
    if policy == OPTIMUM:
        c = level * change / weight
        return change / _ratio(c) if 0 < c < 1 else 0.0
    if policy == AZAR:
        return max(0.0, math.sqrt(weight * change / level) - change)
    if policy == IMPORTANCE:
        return weight / level
    return 1 / level if policy == UNIFORM else change / level


@numba.njit(cache=True, nogil=True, parallel=True)
def fetch_rates(
    policy: int,
    weight: np.ndarray,
    change: np.ndarray,
    level: np.ndarray,
    group: np.ndarray,
    least: np.ndarray,
    most: np.ndarray,
    rates: np.ndarray,
) -> float:
    """Write the fetches a day of each page, from `least` to `most`; returns their sum.

    Parameters
    ----------
    level
        The price of a fetch per group, in `group` per page; of all pages where that is empty.
    """
    pages = len(weight)
    runs = (pages + _RUN - 1) // _RUN
    sums = np.zeros(runs)
    for run in numba.prange(runs):
        total = 0.0
        for page in range(run * _RUN, min((run + 1) * _RUN, pages)):
            price = level[group[page]] if len(group) else level[0]
            rate = _fetches(policy, weight[page], change[page], price)
            rate = min(max(rate, least[page]), most[page])
            rates[page] = rate
            total += rate
        sums[run] = total
    return sums.sum()


# -- recrawls, replayed


@numba.njit(cache=True, nogil=True)
def _uniform(key: np.uint64, number: int) -> float:
    """A number above 0, up to 1: the `number`-th that belongs to a key."""
    bits = mix(key + np.uint64(number + 1) * GOLDEN)
    return (np.float64(bits >> np.uint64(11)) + 1.0) / 9007199254740992.0


@numba.njit(cache=True, nogil=True, parallel=True)
def drawn_freshness(
    rates: np.ndarray, change: np.ndarray, days: float, repeat: int, seed: int, sums: np.ndarray, squares: np.ndarray
) -> None:
    """Add, per page, the share of `days` in which its copy is fresh, and its square, in one repeat.

    Pages are fetched at fixed intervals from a random time on, and change at random at their rates.
    """
    pages = len(rates)
    for run in numba.prange((pages + _RUN - 1) // _RUN):
        for page in range(run * _RUN, min((run + 1) * _RUN, pages)):
            if rates[page] <= 0:
                continue
            key = mix(np.uint64(seed) ^ mix(np.uint64(repeat * pages + page) * GOLDEN))
            interval, fresh, number = 1 / rates[page], 0.0, 1
            time = -_uniform(key, 0) * interval
            while time < days:
                kept = -math.log(_uniform(key, number)) / change[page]
                fresh += max(0.0, min(time + min(kept, interval), days) - max(time, 0.0))
                time += interval
                number += 1
            sums[page] += fresh / days
            squares[page] += (fresh / days) ** 2


@numba.njit(cache=True, nogil=True)
def _changes(mean: float, chance: float) -> int:
    """A number of changes, one at least, as Poisson has them: the smallest that is as likely as `chance`."""
    mean = min(mean, _MOST_MEAN)
    number, part = 1, mean / math.expm1(mean)
    whole = part
    while whole < chance and number < 200:
        number += 1
        part *= mean / number
        whole += part
    return number


@numba.njit(cache=True, nogil=True, parallel=True)
def recorded_freshness(
    rates: np.ndarray,
    change: np.ndarray,
    offsets: np.ndarray,
    kind: np.ndarray,
    days: np.ndarray,
    seed: int,
    fresh: np.ndarray,
) -> None:
    """Write, per page, the days in which its copy would have been fresh between its recorded visits.

    Pages are fetched at fixed intervals from a random time on. A page changes between two visits where the record says
    so, at random times, and then as often as its rate makes likely.
    """
    pages = len(rates)
    for run in numba.prange((pages + _RUN - 1) // _RUN):
        for page in range(run * _RUN, min((run + 1) * _RUN, pages)):
            fresh[page] = 0.0
            if rates[page] <= 0:
                continue
            key = mix(np.uint64(seed) ^ mix(np.uint64(page) * GOLDEN))
            interval = 1 / rates[page]
            since = _uniform(key, 0) * interval
            is_fresh = -math.log(_uniform(key, 1)) / change[page] > since
            next_fetch, cursor, start, number, total = interval - since, 0.0, 0.0, 2, 0.0
            for i in range(offsets[page], offsets[page + 1]):
                if kind[i] == UNKNOWN:
                    continue
                end = start + days[i]
                left = 0
                if kind[i] != UNCHANGED:
                    left = _changes(change[page] * days[i], _uniform(key, number))
                    number += 1
                event, pending = start, False
                while True:
                    if left > 0 and not pending:
                        # The least of `left` times that are evenly spread over what remains.
                        event += (end - event) * (1 - _uniform(key, number) ** (1 / left))
                        number, left, pending = number + 1, left - 1, True
                    time = min(event if pending else end, next_fetch, end)
                    if is_fresh:
                        total += time - cursor
                    cursor = time
                    if next_fetch <= time and next_fetch < end:
                        is_fresh = True
                        next_fetch += interval
                    elif pending and event <= time:
                        is_fresh, pending = False, False
                    else:
                        break
                start = end
            fresh[page] = total
