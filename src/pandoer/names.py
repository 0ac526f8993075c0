"""Dutch and Swiss names of bids that text input accepts (RULES.md section 8)."""

from __future__ import annotations

import re
import unicodedata

_SYNONYMS = {
    "omver": "misere-ouvert",
    "misere ouverte": "misere-ouvert",
    "misere ouvert": "misere-ouvert",
    "kleine omver": "piccolo-ouvert",
    "piccolo omver": "piccolo-ouvert",
    "piccolo misere ouverte": "piccolo-ouvert",
    "piccolo misere ouvert": "piccolo-ouvert",
    "misere imperiale": "praatje",
    "misere imperial": "praatje",
    "klein praatje": "piccolo-praatje",
    "piccolo misere imperiale": "piccolo-praatje",
    "kleine misere": "piccolo",
    "piccolo misere": "piccolo",
    "pandoer prive": "prive",
    "pandoer kereltje": "kereltje",
    "zwabber solo": "solo-zwabber",
}
_TENS = ("tien", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig")
_HUNDREDS = ("honderd", "tweehonderd", "driehonderd", "vierhonderd", "vijfhonderd")
_NUMBERS = {
    hundred + ten: str(100 * (h + 1) + 10 * t)
    for h, hundred in enumerate(_HUNDREDS)
    for t, ten in enumerate(("", *_TENS))
}


def plain(text: str) -> str:
    """Lower case without accents, with single blanks for blanks, hyphens and underscores."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    return re.sub(r"[\s_-]+", " ", letters).strip()


def split_bid(text: str) -> tuple[str, int | None]:
    """The canonical name of a bid and what is added to it: ``"Pandoer + 20"`` is ``("pandoer", 20)``."""
    if re.search(r"[-\u2212]\s*\d", text):
        return text, None
    match = re.fullmatch(r"(.*?[^\d\s+])\s*\+?\s*(\d{1,4})", plain(text))
    name, extra = (match[1], int(match[2])) if match else (plain(text), None)
    name = _SYNONYMS.get(name, name)
    return _NUMBERS.get(name, name).replace(" ", "-"), extra
