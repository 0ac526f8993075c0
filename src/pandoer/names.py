"""Dutch and Swiss names of bids: those that text input accepts (RULES.md section 8), and those that are written."""

from __future__ import annotations

import re
import unicodedata

from pandoer.cards import language

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
    "misere ohne trumpf": "misere-ohne",
    "misere mit trumpf": "misere-mit",
    "pandur ohne trumpf": "pandur-ohne",
    "pandur mit trumpf": "pandur-mit",
}
_SWISS = {
    "misere-ohne": "Misère ohne",
    "misere-mit": "Misère mit",
    "pandur-ohne": "Pandur ohne",
    "pandur-mit": "Pandur mit",
}
_NUMBER_WORDS = (
    (
        ("honderd", "tweehonderd", "driehonderd", "vierhonderd", "vijfhonderd"),
        ("tien", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"),
    ),
    (
        ("hundert", "zweihundert", "dreihundert", "vierhundert", "funfhundert"),
        ("zehn", "zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
    ),
)
_NUMBERS = {
    hundred + ten: str(100 * (h + 1) + 10 * t)
    for hundreds, tens in _NUMBER_WORDS
    for h, hundred in enumerate(hundreds)
    for t, ten in enumerate(("", *tens))
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


def bid_in(name: str, lang: str = "en") -> str:
    """The name of a bid in a language: the Swiss name where it has one, else the name in problems.

    >>> bid_in("misere-ohne", "ch"), bid_in("misere-ohne", "nl"), bid_in("150", "ch")
    ('Misère ohne', 'misere-ohne', '150')
    """
    return _SWISS.get(name, name) if language(lang) == "ch" else name
