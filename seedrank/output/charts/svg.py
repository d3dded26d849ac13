"""SVG as we want it: small, readable in dark and light, without scripts and addresses, and by a screen reader.

What Vega draws is stripped to its shapes. Every point carries its value as a ``<title>``, so that a browser shows it on
hover even in a bare file; the report's script shows it faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from seedrank.core.sanitize import visible

__all__ = ["COLOURS", "CURVES", "FONTS", "GROUND", "INK", "STYLE", "tidy"]

INK = "#1c2128"
"""Text and axes; whoever shows an SVG chooses another by the CSS property ``color``."""
GROUND = "#ffffff"
"""What names that lie on curves are written on."""
FONTS = "Liberation Sans, Arial, Arimo, Helvetica, sans-serif"
"""The first comes with the renderer, so that files are the same on every machine; the next ones are as wide."""

COLOURS = ("#006cd8", "#cc480c", "#244824", "#b45484", "#542478", "#000000", "#6b6b00", "#555b66")
"""4.5 : 1 on white or more. The first six are those of curves: told apart by colour-blind readers of every kind."""
CURVES = COLOURS[:6]
_DARK = ("#5484d8", "#e45430", "#6cfca8", "#b46c84", "#f0d824", "#cce4fc", "#e8e04a", "#b4bac4")

STYLE = (
    f".sr-chart{{color:{INK};font-family:{FONTS};font-size:12px}}"
    ".sr-chart .back{fill:#fff}.sr-chart .title{font-weight:600}"
    "@media (prefers-color-scheme:dark){.sr-chart{color:#e6e9ee}.sr-chart .back{fill:#14171c}"
    + "".join(
        f'.sr-chart [fill="{light}"]{{fill:{dark}}}.sr-chart [stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in zip(COLOURS, _DARK, strict=True)
    )
    + "}"
)
"""What a chart needs of CSS, all of it under ``.sr-chart``."""

_SVG = "{http://www.w3.org/2000/svg}"
_LONG_NUMBER = re.compile(r"-?\d*\.\d{3,}(?:e-?\d+)?|-?\d+e-\d+")
_SHAPE = ("d", "transform", "x", "y", "dx", "dy", "x1", "x2", "y1", "y2", "width", "height", "font-size")
_LOOKS = ("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "fill-opacity",
          "stroke-opacity", "text-anchor")  # fmt: skip
_SAYS_NOTHING = {"opacity": "1", "transform": "translate(0,0)", "text-anchor": "start", "x2": "0", "y2": "0",
                 "stroke-width": "1"}  # fmt: skip
_CIRCLE = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0Z?")
_PLACE = re.compile(r"translate\(([-\d.]+),([-\d.]+)\)")


def tidy(drawn: str, title: str, caption: str, *, unit: str = "", style: bool = True, back: bool = True) -> str:
    """What Vega drew as an SVG document that stands alone; the same drawing gives the same text.

    Parameters
    ----------
    title, caption
        What a screen reader says.
    unit
        Of its width and height.
    style
        With its own colours for dark and light; without, for a page that has `STYLE`, or for paper.
    back
        With its own background, which a bare file needs: viewers that know of dark do not agree on what lies behind it.
    """
    root = ElementTree.fromstring(drawn)  # noqa: S314  (what Vega drew a moment ago, every text escaped)
    label = ". ".join(part for part in (title.rstrip("."), caption) if part)
    width, height = (_short(root.attrib[name]) for name in ("width", "height"))
    whole = ElementTree.Element(
        "svg",
        {
            "xmlns": _SVG[1:-1], "class": "sr-chart", "viewBox": f"0 0 {width} {height}",
            "width": width + unit, "height": height + unit, "role": "img", "aria-label": visible(label), "color": INK,
            "font-family": FONTS, "font-size": "12",
        },
    )  # fmt: skip
    ElementTree.SubElement(whole, "title").text = visible(title)
    if caption:
        ElementTree.SubElement(whole, "desc").text = visible(caption)
    if style:
        ElementTree.SubElement(whole, "style").text = STYLE
    if back:
        ElementTree.SubElement(whole, "rect", {"class": "back", "width": "100%", "height": "100%", "fill": "#fff"})
    for part in root:
        if part.tag != f"{_SVG}rect":  # Vega's own background
            whole.extend(_stripped(part, False))
    return ElementTree.tostring(whole, encoding="unicode") + "\n"


def _stripped(part: ElementTree.Element, heads: bool) -> Iterator[ElementTree.Element]:
    """A shape, or those of a group that says nothing itself; `heads` where they are the title of the chart."""
    kind = part.get("class", "")
    if kind in ("background", "foreground"):
        return
    heads = heads or "role-title" in kind
    looks = {name: _short(part.attrib[name]) for name in (*_SHAPE, *_LOOKS) if name in part.attrib}
    looks = {name: "currentColor" if value == INK else value for name, value in looks.items()}
    looks = {name: value for name, value in looks.items() if _SAYS_NOTHING.get(name) != value}
    if "stroke" not in looks:
        looks.pop("stroke-width", None)
    tag, looks = _circle(part.tag.removeprefix(_SVG), looks)
    made = ElementTree.Element(tag, looks)
    made.text = part.text
    if part.get("aria-roledescription") in ("point", "bar"):
        made.set("class", "point")
        ElementTree.SubElement(made, "title").text = part.get("aria-label")
    if looks.get("fill") == GROUND:
        made.set("class", "back")
    if tag == "text" and heads:
        made.set("class", "title")
    for below in part:
        made.extend(_stripped(below, heads))
    if tag != "g":
        yield made
    elif len(made):
        yield from made if not looks else (made,)


def _circle(tag: str, looks: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A circle that is drawn as a path of two arcs as what it is, in a third of the text; others as they are."""
    arcs, place = _CIRCLE.fullmatch(looks.get("d", "")), _PLACE.fullmatch(looks.get("transform", ""))
    if arcs is None or place is None:
        return tag, looks
    rest = {name: value for name, value in looks.items() if name not in ("d", "transform")}
    return "circle", {"cx": place[1], "cy": place[2], "r": arcs[1], **rest}


def _short(text: str) -> str:
    """Lengths to hundredths of a pixel."""
    return _LONG_NUMBER.sub(lambda found: f"{round(float(found[0]), 2) + 0.0:g}", text)
