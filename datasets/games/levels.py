"""How recorded games look and are played, in five levels, and the twenty fixed games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine import RuleSet

Range = tuple[float, float]


@dataclass(frozen=True)
class Manner:
    """How one level of difficulty looks. Times are seconds, lengths centimetres, angles degrees.

    Attributes:
        card: range of the height in pixels of a card at the pile, seen squarely, in 720p.
        elevation: range of the camera's angle above the table.
        azimuth: how far the camera may stand to the side.
        think: range of the pause before a play.
        hurry: chance that a player does not wait for the hand before to be gone.
        approach: range of the time in which a hand comes.
        rest: range of the time that a hand stays on a played card.
        styles: weights of captures: rests, under the hand, one movement.
        slop: spread of the cards of the pile.
        light: brightness of the room, 1 is bright.
        lamp: how uneven the light is, 0 to 1.
        glare: strength of a reflection on the cards, 0 to 255.
        blur: of the lens, in pixels.
        noise: of the sensor, in grey levels.
        flicker: how much the brightness wanders.
        bumps: mean number of times that somebody bumps into the camera.
        things: how many things stand around.
        odd: chance before a play that something happens that is no play.
        shown_hand: chance that the cards of a seat lie face up before it.
        crf: how much the video is compressed.
        slips: how many times the camera slips: it turns, zooms and shifts, and stays so.
    """

    card: Range
    elevation: Range
    azimuth: float
    think: Range
    hurry: float
    approach: Range
    rest: Range
    styles: tuple[float, float, float]
    slop: float
    light: float
    lamp: float
    glare: float
    blur: float
    noise: float
    flicker: float
    bumps: float
    things: int
    odd: float
    shown_hand: float
    crf: int
    slips: int = 0


@dataclass(frozen=True)
class Game:
    """A game to be recorded; all of it follows from these.

    Attributes:
        name: file name without ending.
        level: 1 (easy) to 5 (where a person has to look twice); 0 is the sample's.
        manner: how it looks and is played.
        rules: the rule set.
        seed: of the cards, the players, the table and the camera.
        deals: how many deals are played.
        size: width and height of the picture.
        fps: frames a second.
        deck: name of its deck; any that was held out from training by default.
    """

    name: str
    level: int
    manner: Manner
    rules: RuleSet
    seed: int
    deals: int = 1
    size: tuple[int, int] = (1280, 720)
    fps: int = 15
    deck: str | None = None

    @property
    def drawn(self) -> tuple[int, int]:
        """Width and height of what is drawn: more than the picture where the camera slips."""
        if not self.manner.slips:
            return self.size
        width, height = (2 * round(side * (1 + _MARGIN) / 2) for side in self.size)
        return width, height


#: How much more is drawn of the table where the camera slips, so that there is something to see
#: where it turns to or zooms out.
_MARGIN: Final = 0.3

LEVELS: Final = (
    Manner(
        card=(112, 130), elevation=(80, 90), azimuth=8,
        think=(0.7, 1.5), hurry=0.0, approach=(0.6, 0.85), rest=(0.1, 0.3),
        styles=(0.7, 0.2, 0.1),
        slop=0.5, light=1.0, lamp=0.25, glare=0, blur=0.6, noise=1.4, flicker=0.01, bumps=0,
        things=0, odd=0.0, shown_hand=0.0, crf=25,
    ),
    Manner(
        card=(100, 120), elevation=(62, 75), azimuth=20,
        think=(0.5, 1.3), hurry=0.1, approach=(0.5, 0.75), rest=(0.08, 0.25),
        styles=(0.5, 0.2, 0.3),
        slop=0.8, light=0.95, lamp=0.35, glare=0, blur=0.7, noise=1.8, flicker=0.02, bumps=0.5,
        things=2, odd=0.03, shown_hand=0.0, crf=25,
    ),
    Manner(
        card=(92, 110), elevation=(48, 60), azimuth=28,
        think=(0.35, 1.1), hurry=0.25, approach=(0.4, 0.6), rest=(0.06, 0.2),
        styles=(0.35, 0.2, 0.45),
        slop=0.9, light=0.85, lamp=0.45, glare=40, blur=0.8, noise=2.2, flicker=0.04, bumps=1,
        things=3, odd=0.06, shown_hand=0.3, crf=26,
    ),
    Manner(
        card=(90, 106), elevation=(42, 50), azimuth=32,
        think=(0.3, 1.0), hurry=0.35, approach=(0.35, 0.55), rest=(0.06, 0.15),
        styles=(0.25, 0.2, 0.55),
        slop=1.1, light=0.7, lamp=0.55, glare=110, blur=0.9, noise=3.0, flicker=0.05, bumps=2,
        things=4, odd=0.08, shown_hand=0.4, crf=26,
    ),
    Manner(
        card=(96, 106), elevation=(35, 40), azimuth=35,
        think=(0.3, 0.9), hurry=0.4, approach=(0.33, 0.5), rest=(0.05, 0.12),
        styles=(0.15, 0.15, 0.7),
        slop=1.2, light=0.5, lamp=0.6, glare=60, blur=1.0, noise=4.0, flicker=0.06, bumps=3,
        things=5, odd=0.1, shown_hand=0.5, crf=27,
    ),
)  # fmt: skip


#: The sample that ships: quick, from above; its deck's artwork is in the public domain (CC0).
SAMPLE: Final = Game(
    "sample",
    0,
    replace(
        LEVELS[0], card=(118, 118), elevation=(70, 70), think=(0.25, 0.7), approach=(0.45, 0.6),
        styles=(0.5, 0.2, 0.3), crf=26,
    ),
    RuleSet.classic(players=2),
    seed=7,
    deck="react-2color",
)  # fmt: skip


def _games() -> tuple[Game, ...]:
    kinds = (
        RuleSet.classic(players=2),
        RuleSet.modern(players=2),
        RuleSet.classic(players=3),
        RuleSet.classic(players=4),
        RuleSet.modern(players=4),
    )
    return tuple(
        Game(
            f"level{level}-{number}",
            level,
            manner,
            kinds[(4 * level + number) % len(kinds)],
            seed=1000 * level + number,
        )
        for level, manner in enumerate(LEVELS, 1)
        for number in range(1, 5)
    )


#: What `pisti bench score` is run on.
GAMES: Final = _games()


#: Two more, as the second level, in which the camera slips three times; scored when named.
SLIPPING: Final = tuple(
    Game(f"slip-{number}", 2, replace(LEVELS[1], slips=3), rules, seed=2100 + number)
    for number, rules in enumerate((RuleSet.classic(players=2), RuleSet.modern(players=3)), 1)
)
