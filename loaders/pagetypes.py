"""What a URL names by the look of its path: a page, or an image, a style, a script and so on."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["types_of_paths"]

_ENDINGS = {
    "image": "avif bmp gif ico jpeg jpg png svg tif tiff webp",
    "style": "css xsl xslt",
    "script": "js map mjs wasm",
    "font": "eot otf ttf woff woff2",
    "media": "avi flac m4a m4v mov mp3 mp4 mpeg mpg oga ogg ogv swf wav webm wmv",
    "document": "doc docx epub odp ods odt pdf ppt pptx ps rtf xls xlsx",
    "data": "7z bin bz2 csv deb dmg exe gz iso jar json msi rar rpm tar tgz tsv war xml xz zip zst",
    "feed": "atom rdf rss",
}
_KNOWN = pa.array([ending for endings in _ENDINGS.values() for ending in endings.split()])
_TYPES = pa.array([kind for kind, endings in _ENDINGS.items() for _ in endings.split()])


def types_of_paths(paths: pa.Array) -> pa.Array:
    """The type (`seedrank.core.model.PAGE_COLUMNS`) of each path, as it stands in a URL; null for a page."""
    encoded = paths.dictionary_encode()
    names = pc.replace_substring_regex(pc.ascii_lower(encoded.dictionary), r"[?#].*$", "")
    endings = pc.struct_field(pc.extract_regex(names, r"\.(?P<ending>[a-z0-9]+)$"), "ending")
    found = _TYPES.take(pc.index_in(endings, _KNOWN))
    found = pc.if_else(pc.match_substring_regex(names, r"/sitemap[^/]*\.xml(\.gz)?$"), "sitemap", found)
    found = pc.if_else(pc.match_substring_regex(names, r"^/robots\.txt$"), "robots", found)
    return found.take(encoded.indices)
