"""Charts and pictures as the report holds them: each twice, for wide screens and paper, and for a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from seedrank.output.charts.chart import Chart
from seedrank.output.charts.panels import panels
from seedrank.output.charts.plot import Size
from seedrank.output.charts.render import as_svg
from seedrank.output.report.answers import ShownRanking, cores_of
from seedrank.output.report.picture import Picture, core_picture, host_map
from seedrank.session import Session

__all__ = ["Drawn", "drawn", "pictures"]

_NARROW = Size(width=340, font=13)
"""Charts on a phone: as wide as its screen, so that their text is as large as that of the page."""


_SMALL = Size(width=260, height=200, font=14)
"""Charts of the first screen: as wide as a card, so that their text is not made smaller."""


@dataclass(frozen=True)
class Drawn:
    """A drawing, its variant for a narrow screen, and what to look for."""

    wide: Markup
    narrow: Markup
    """As SVG."""
    caption: str
    """What to look for, or what is shown."""
    title: str = ""
    """Of a drawing that does not hold its own."""
    narrow_caption: str = ""
    """Where the narrow variant shows less."""


def drawn(charts: Sequence[Chart]) -> tuple[list[Drawn], list[str]]:
    """Charts with their captions, and a sentence for each that has no data; every text in a drawing is escaped."""
    some, without_data = panels(charts)
    made = [
        Drawn(Markup(as_svg(one, bare=True)), Markup(as_svg(one, _NARROW, bare=True)), one.chart.caption)  # noqa: S704
        for one in some
    ]
    return made, without_data


def drawn_small(chart: Chart | None) -> Drawn | None:
    """A chart for a card, on all screens as wide as that; `None` where it has no data."""
    some, _ = panels([chart] if chart else [])
    if not some:
        return None
    text = Markup(as_svg(some[0], _SMALL, bare=True))  # noqa: S704  (escaped)
    return Drawn(text, text, "")


def pictures(session: Session, rankings: Sequence[ShownRanking]) -> list[Drawn]:
    """A map of the largest hosts, and the first core, where there are such."""
    graph, level, made = session.graph, session.level, []
    wide, narrow = (host_map(session.stored_graph, narrow=narrow) for narrow in (False, True))
    if wide is not None and narrow is not None:
        made.append(_pair("The largest hosts", wide, narrow))
    for one in rankings:
        members = cores_of(session.runs, one.run) if one.level == level else None
        if members is not None and int(np.max(members["id"].to_numpy())) < graph.pages:
            first = int(np.min(members["n"].to_numpy()))
            both = [core_picture(graph, members, first, level, narrow=narrow) for narrow in (False, True)]
            made.append(_pair(f"The first core of {one.run.method.removeprefix('seeds ')}", *both))
            break
    return made


def _pair(title: str, wide: Picture, narrow: Picture) -> Drawn:
    return Drawn(Markup(wide.svg), Markup(narrow.svg), wide.caption, title, narrow.caption)  # noqa: S704  (escaped)
