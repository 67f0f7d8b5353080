"""Reads the card faces of the artwork packages as plain pictures.

A source yields, for each of its decks, a picture with alpha of every card and, where it has one,
of a back. What a package calls its cards is settled here and nowhere else.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import resvg_py
from numpy.typing import NDArray

from datasets.assets import asset_dir, has_asset
from engine.cards import Card, Rank, Suit, deck

Image = NDArray[np.uint8]

#: Height in pixels to which vector cards are drawn.
_DRAWN_HEIGHT: Final = 640
_SHEET_SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
_WORDS: Final = {Suit.SPADES: "spade", Suit.HEARTS: "heart", Suit.DIAMONDS: "diamond"} | {
    Suit.CLUBS: "club"
}
_RANK_WORDS: Final = {Rank.ACE: "ace", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}


@dataclass(frozen=True)
class Artwork:
    """One deck of a package.

    Attributes:
        name: unique name of the deck.
        asset: name of the package in the manifest.
        read: yields (card, BGRA picture); the card "??" stands for the back.
        index_area: the part of a card, (width, height) as fractions, that holds the top-left index.
        letters: "english" (courts J Q K), "german" (B D K), or "other": these serve 2 to 10 only.
        bare_courts: whether the courts carry no index at all.
        four_corners: whether the top-right and bottom-left corners carry an index too.
        trim: what is cut off at each edge, as a fraction of the width: sheets draw a dark outline
            there, which printed cards do not have.
    """

    name: str
    asset: str
    read: Callable[[], Iterator[tuple[Card, Image]]] = field(repr=False)
    index_area: tuple[float, float] = (0.19, 0.30)
    letters: str = "english"
    bare_courts: bool = False
    four_corners: bool = False
    trim: float = 0.014


def _svg(path: Path, height: int = _DRAWN_HEIGHT, width: int | None = None) -> Image:
    """Draw an SVG file (plain or gzipped) to BGRA."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".svgz" else data).decode("utf-8")
    # Lengths in inches are refused by the rasteriser; the view box is what counts.
    text = text.replace('height="3.5in"', 'height="336"').replace('width="2.5in"', 'width="240"')
    if width:
        return _decode(bytes(resvg_py.svg_to_bytes(svg_string=text, width=width)))
    return _decode(bytes(resvg_py.svg_to_bytes(svg_string=text, height=height)))


def _decode(data: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise ValueError("not a picture")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGRA)
    elif image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
    return np.asarray(image, np.uint8)


def _files(
    folder: Path, name_of: Callable[[Card], str], back: str | None = None
) -> Callable[[], Iterator[tuple[Card, Image]]]:
    """A reader of decks that hold one file a card."""

    def read() -> Iterator[tuple[Card, Image]]:
        for card in deck():
            yield card, _picture(folder / name_of(card))
        if back:
            yield Card.parse("??"), _picture(folder / back)

    return read


def _picture(path: Path) -> Image:
    if path.suffix == ".pdf":
        return _pdf(path)
    return _svg(path) if path.suffix in {".svg", ".svgz"} else _decode(path.read_bytes())


def _pdf(path: Path) -> Image:
    """Draw the first page of a PDF file to BGRA."""
    document = pypdfium2.PdfDocument(path)
    page = document[0]
    bitmap = page.render(scale=_DRAWN_HEIGHT / page.get_height(), fill_color=(255, 255, 255, 0))
    pixels = bitmap.to_numpy().copy()
    document.close()
    if pixels.shape[2] == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)
    return np.asarray(pixels, np.uint8)


def _sheet(path: Path) -> Callable[[], Iterator[tuple[Card, Image]]]:
    """A reader of GNOME sheets: 13 columns Ace to King, rows ♣ ♦ ♥ ♠, then jokers and a back."""

    def read() -> Iterator[tuple[Card, Image]]:
        sheet = _svg(path, width=13 * 440)
        cell_height, cell_width = sheet.shape[0] / 5, sheet.shape[1] / 13
        for row, suit in enumerate(_SHEET_SUITS):
            for column, rank in enumerate(Rank):
                yield Card.of(rank, suit), _cell(sheet, row, column, cell_height, cell_width)
        yield Card.parse("??"), _cell(sheet, 4, 2, cell_height, cell_width)

    return read


def _cell(sheet: Image, row: int, column: int, height: float, width: float) -> Image:
    top, left = round(row * height), round(column * width)
    return sheet[top : round((row + 1) * height), left : round((column + 1) * width)]


def _letters(card: Card, ten: str) -> str:
    assert card.rank
    return ten if card.rank is Rank.TEN else str(card.rank)


def _word(card: Card) -> str:
    assert card.rank
    return _RANK_WORDS.get(card.rank, str(card.rank))


def _suit_word(card: Card) -> str:
    assert card.suit
    return _WORDS[card.suit]


def _svg_cards_name(card: Card) -> str:
    assert card.rank
    word = "1" if card.rank is Rank.ACE else _word(card)
    return f"{_suit_word(card)}_{word}.png"


def _blackjack_name(card: Card) -> str:
    second = "2" if card.rank in _RANK_WORDS and card.rank is not Rank.ACE else ""
    return f"{_word(card)}_of_{_suit_word(card)}s{second}.png"


#: GNOME decks by the letters of their courts.
_GNOME: Final = (
    "anglo",
    "anglo_bitmap",
    "anglo_modern",
    "anglo_modern_4_color",
    "anglo_poker",
    "atlasnye",
    "dondorf",
    "gnomangelo",
    "gnomangelo_bitmap",
    "guyenne-classic",
    "neoclassical",
    "neoclassical_4_color",
    "orell",
    "ornamental",
    "paris",
    "plastic",
    "simplistic",
    "tango",
    "tigullio",
)
_JEUX_SUITS: Final = {Suit.SPADES: "P", Suit.HEARTS: "C", Suit.DIAMONDS: "K", Suit.CLUBS: "T"}
_JEUX_COURTS: Final = {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"}
_GNOME_GERMAN: Final = ("berlin", "lattmann", "rheinland")
_GNOME_OTHER: Final = ("ancient_french", "slavic_costumes", "tarocco")
_GNOME_TRIXIE: Final = {
    "pixelangelo": "english",
    "pixelangelo_compact": "english",
    "adler": "german",
    "mittelalter": "german",
}
_GNOME_THICK: Final = {"dondorf", "guyenne-classic", "paris"}
_GNOME_AREAS: Final = {
    "ornamental": (0.32, 0.47),
    "tango": (0.30, 0.45),
}


def artworks() -> tuple[Artwork, ...]:
    """Every deck of the artwork packages that lie in the cache."""
    return tuple(art for art in _artworks() if has_asset(art.asset))


def _artworks() -> Iterator[Artwork]:
    images = asset_dir("react-playing-cards") / "package/src/images"
    for style in ("2color", "2color-bf", "4color", "4color-bf"):
        area = (0.30, 0.46) if style.endswith("bf") else (0.19, 0.30)
        read = _files(images / style, lambda card: f"{_letters(card, 'T')}{card.suit}.svg")
        yield Artwork(f"react-{style}", "react-playing-cards", read, area)
    cards = asset_dir("cardsjs") / "package/cards"
    read = _files(cards, lambda card: f"{_letters(card, '10')}{card.suit}.svg", "Red_Back.svg")
    yield Artwork("cardsjs", "cardsjs", read)
    read = _files(asset_dir("svg-cards") / "package/png/2x", _svg_cards_name, "back.png")
    yield Artwork("svg-cards", "svg-cards", read, trim=0.012)
    folder = asset_dir("blackjack-gui") / "blackjack_gui/images"
    yield Artwork("blackjack", "blackjack-gui", _files(folder, _blackjack_name), trim=0.004)
    folder = asset_dir("arcade") / "arcade/resources/assets/images/cards"
    name = "card{}s{}.png"
    read = _files(
        folder,
        lambda card: name.format(_suit_word(card).title(), _letters(card, "10")),
        "cardBack_red2.png",
    )
    yield Artwork("kenney", "arcade", read, (0.30, 0.34))
    folder = asset_dir("openclipart") / "usr/share/openclipart/svg/recreation/games/cards"
    for style in ("bordered", "ornamental", "simple", "white"):
        read = _clipart(folder / style, style)
        yield Artwork(f"clipart-{style}", "openclipart", read, (0.32, 0.47))
    folder = asset_dir("gnome-cards") / "usr/share/aisleriot/cards"
    for style in _GNOME:
        yield Artwork(
            f"gnome-{style}",
            "gnome-cards",
            _sheet(folder / f"{style}.svgz"),
            _GNOME_AREAS.get(style, (0.19, 0.30)),
            bare_courts=style == "guyenne-classic",
            four_corners=style == "dondorf",
            trim=0.024 if style in _GNOME_THICK else 0.014,
        )
    for letters, styles in (("german", _GNOME_GERMAN), ("other", _GNOME_OTHER)):
        for style in styles:
            read = _sheet(folder / f"{style}.svgz")
            yield Artwork(f"gnome-{style}", "gnome-cards", read, letters=letters)

    folder = asset_dir("gnome-cards-trixie") / "usr/share/aisleriot/cards"
    for style, letters in _GNOME_TRIXIE.items():
        read = _sheet(folder / f"{style}.svgz")
        yield Artwork(f"gnome-{style}", "gnome-cards-trixie", read, letters=letters)
    folder = asset_dir("jeuxcartes") / "usr/share/texlive/texmf-dist/tex/latex/jeuxcartes"
    for style in ("bic", "v2", "v3", "v5"):
        yield Artwork(f"jeux-{style}", "jeuxcartes", _files(folder, _jeux_name(style)))


def _jeux_name(style: str) -> Callable[[Card], str]:
    def name_of(card: Card) -> str:
        assert card.rank
        assert card.suit
        rank = _JEUX_COURTS.get(card.rank, str(card.rank))
        return f"CaJ-PokeR{style}-{rank}{_JEUX_SUITS[card.suit]}.pdf"

    return name_of


def _clipart(folder: Path, style: str) -> Callable[[], Iterator[tuple[Card, Image]]]:
    def name_of(card: Card) -> str:
        return f"{style}_{card.suit}_{card.rank}.svg".lower()

    return _files(folder, name_of)
