"""An independent referee: scores a record from the rules alone, slowly and plainly.

It reads the JSON form of a record (`pisti-record/1`) and returns the score (`pisti-score/1`). It
shares nothing with the engine, so that the two can be compared. A record that breaks the rules
raises `ValueError`.
"""

from collections import Counter
from dataclasses import dataclass

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
DECK = [rank + suit for rank in RANKS for suit in "SHDC"]

CLASSIC = {
    "players": 4,
    "partnership": None,
    "decks": None,
    "undealt": "out",
    "target": 151,
    "win_by": 0,
    "tie_at_target": "another_deal",
    "bottom_card": "shown",
    "jack_on_centre": "turn_next",
    "centre_seen_by": "first_capturer",
    "first_play_pisti": False,
    "last_play_pisti": False,
    "double_pisti": 20,
    "jack_on_single": 0,
    "ten_of_diamonds_bonus": 0,
    "majority_points": 3,
    "no_capture_at_all": "dealer",
    "bluff": False,
    "bluff_jack_doubles": False,
}
MODERN = CLASSIC | {
    "players": 2,
    "bottom_card": "hidden",
    "jack_on_centre": "bury",
    "last_play_pisti": True,
}

NOWHERE = -1  # the side of a card that nobody has captured


@dataclass
class Slot:
    """One card that has left the stock: its text, and the side that holds it."""

    text: str
    side: int = NOWHERE

    @property
    def rank(self) -> str:
        return self.text[:-1]

    @property
    def known(self) -> bool:
        return not self.text.endswith("?")


def score(record: dict) -> dict:
    """Score a whole record."""
    rules = read_rules(record.get("rules", {}))
    totals = [0] * rules["sides"]
    winner = None
    deals = []
    dealer = rules["players"] - 2
    for deal in record["deals"]:
        dealer = deal.get("dealer", (dealer + 1) % rules["players"])
        sheet = score_deal(rules, dealer, deal)
        deals.append(sheet)
        totals = [
            total + side["points"] for total, side in zip(totals, sheet["sides"], strict=True)
        ]
        if sheet["complete"] and winner is None:
            winner = winner_of(totals, rules)
    return {
        "format": "pisti-score/1",
        "deals": deals,
        "totals": totals,
        "winner": winner,
        "problems": [],
    }


def read_rules(given: dict) -> dict:
    """The preset with its changes, every on/off field a bool, and the number of sides."""
    given = dict(given)
    sides = given.pop("sides", None)
    words = {"yes": True, "no": False, "on": True, "off": False, "allowed": True, "not": False}
    rules = dict({"classic": CLASSIC, "modern": MODERN}[given.get("preset", "classic")])
    for name, value in given.items():
        if name == "preset":
            continue
        if name not in rules:
            raise ValueError(f"unknown rule {name}")
        rules[name] = words.get(value, value) if isinstance(value, str) else value
    players = rules["players"]
    if rules["partnership"] is None:
        rules["partnership"] = players == 4
    if rules["decks"] is None:
        rules["decks"] = 2 if players > 4 else 1
    if rules["partnership"] is True:  # partners sit opposite
        rules["sides"] = players // 2
    elif rules["partnership"] is False:
        rules["sides"] = players
    else:
        raise ValueError("partnership is yes or no")
    if sides is not None:  # six players as partners may be two sides of three as well
        rules["sides"] = sides
    return rules


def winner_of(totals: list[int], rules: dict) -> int | None:
    """The side that has won at the end of a deal, if any."""
    best, second = sorted(totals, reverse=True)[:2]
    if best < rules["target"] or best == second or best - second < rules["win_by"]:
        return None
    return totals.index(best)


def score_deal(rules: dict, dealer: int, deal: dict) -> dict:
    """Play one deal through and count it."""
    players, sides = rules["players"], rules["sides"]
    deck_size = 52 * rules["decks"]
    left_over = (deck_size - 4) % (4 * players)
    centre_size = 4 + (left_over if rules["undealt"] == "centre" else 0)
    in_hands = (deck_size - centre_size) // (4 * players) * 4 * players
    undealt = deck_size - centre_size - in_hands
    if len(deal["centre"]) != centre_size or len(deal["plays"]) > in_hands:
        raise ValueError("wrong number of cards")

    slots = [Slot(text) for text in deal["centre"]]
    pile = list(slots)
    by_dealer_at_the_end = []  # what the dealer played from the last hand
    last_capturer = None
    plays = []
    bonus = [0] * sides
    pistis = [0] * sides
    double_pistis = [0] * sides
    doubtful = []  # (play number, side, the two cards) of piştis that the 10 of diamonds may raise

    for number, play in enumerate(deal["plays"]):
        text, claim = (play, None) if isinstance(play, str) else (play["card"], play.get("claim"))
        seat = (dealer + 1 + number) % players
        side = seat % sides
        card = Slot(text)
        slots.append(card)
        if seat == dealer and number >= in_hands - 4 * players:
            by_dealer_at_the_end.append(card)
        barred = (number == 0 and not rules["first_play_pisti"]) or (
            number == in_hands - 1 and not rules["last_play_pisti"]
        )
        single = pile[0] if len(pile) == 1 else None
        took = False
        points = 0

        if claim is not None:
            if not rules["bluff"] or single is None:
                raise ValueError("a claim where none is allowed")
            on_jack = rules["bluff_jack_doubles"] and single.rank == "J"
            stake = 20 if on_jack else 10
            if claim == "accepted" or (claim == "challenged" and card.rank == single.rank):
                took = True
                points = 0 if barred else stake if claim == "accepted" else 2 * stake
                if points:
                    (double_pistis if on_jack else pistis)[side] += 1
            elif claim == "challenged":
                bonus[(seat - 1) % players % sides] += 2 * stake
            else:
                raise ValueError("an unknown claim")
        elif pile and (card.rank == "J" or card.rank == pile[-1].rank):
            took = True
            if single is not None and not barred:
                if card.rank == single.rank == "J":
                    points = max(rules["double_pisti"], rules["jack_on_single"])
                elif card.rank == "J":
                    points = rules["jack_on_single"]
                else:
                    points = 10
                if points == 20:
                    double_pistis[side] += 1
                elif points:
                    pistis[side] += 1
                if points and rules["ten_of_diamonds_bonus"]:
                    doubtful.append((number, side, (single, card)))
        bonus[side] += points

        pile.append(card)
        captured = 0
        if took:
            captured = len(pile)
            for taken in pile:
                taken.side = side
            pile = []
            last_capturer = side
        plays.append({"seat": seat, "card": text, "captured": captured, "bonus": points})

    complete = len(plays) == in_hands
    if complete:
        if last_capturer is None and rules["no_capture_at_all"] == "dealer":
            last_capturer = dealer % sides
        if last_capturer is not None:
            for left in pile:
                left.side = last_capturer

    worlds = possible_worlds(rules, deal, slots, by_dealer_at_the_end, undealt, complete)
    exact = True

    for number, side, pair in doubtful:
        low, high = tens_of_diamonds(
            worlds, lambda slot, pair=pair: any(slot is card for card in pair)
        )
        if low > 0:
            plays[number]["bonus"] += rules["ten_of_diamonds_bonus"]
            bonus[side] += rules["ten_of_diamonds_bonus"]
        exact = exact and not low == 0 < high

    sheets = []
    for side in range(sides):
        mine = [slot for slot in slots if slot.side == side]
        sheet = {"cards": len(mine)}
        for name, card in [
            ("aces", "A"),
            ("jacks", "J"),
            ("two_of_clubs", "2C"),
            ("ten_of_diamonds", "10D"),
        ]:
            low, high = bounds(worlds, lambda slot, side=side: slot.side == side, card)
            if low != high:
                # Left out: all but the cards that are this one for certain.
                exact = False
                low = sum(
                    bounds(worlds, lambda slot, one=one: slot is one, card)[0] for one in mine
                )
            sheet[name] = low
        sheet["pistis"] = pistis[side]
        sheet["double_pistis"] = double_pistis[side]
        sheet["bonus"] = bonus[side]
        sheets.append(sheet)
    most = max(sheet["cards"] for sheet in sheets)
    alone = sum(sheet["cards"] == most for sheet in sheets) == 1
    for sheet in sheets:
        wins_majority = complete and alone and sheet["cards"] == most
        sheet["majority"] = rules["majority_points"] if wins_majority else 0
        sheet["points"] = (
            sheet["aces"]
            + sheet["jacks"]
            + 2 * sheet["two_of_clubs"]
            + 3 * sheet["ten_of_diamonds"]
            + sheet["bonus"]
            + sheet["majority"]
        )
    return {"complete": complete, "exact": exact, "plays": plays, "sides": sheets}


@dataclass
class World:
    """One way it may have been: what is known of every slot, and the cards still to be placed."""

    slots: list[tuple[Slot, str]]
    pool: Counter
    elsewhere: int  # unknown cards in hands, in the stock or undealt

    def possible(self) -> bool:
        for rank in RANKS:
            if self.partly(rank, lambda slot: True) > sum(
                self.pool[rank + suit] for suit in "SHDC"
            ):
                return False
        return self.elsewhere >= 0 and min(self.pool.values()) >= 0

    def partly(self, rank: str, chosen) -> int:
        return sum(chosen(slot) for slot, text in self.slots if text == rank + "?")

    def unknown(self, chosen) -> int:
        return sum(chosen(slot) for slot, text in self.slots if text == "??")

    def bounds(self, chosen, card: str) -> tuple[int, int]:
        """The fewest and the most of a card (a rank, or a face) that the chosen slots can hold."""
        rank = card.rstrip("SHDC")
        wanted = [rank + suit for suit in "SHDC"] if card == rank else [card]
        sure = sum(text in wanted for slot, text in self.slots if chosen(slot))
        of_rank = sum(self.pool[rank + suit] for suit in "SHDC")
        good = sum(self.pool[text] for text in wanted)
        bad = of_rank - good
        partly_in = self.partly(rank, chosen)
        partly_out = self.partly(rank, lambda slot: not chosen(slot))
        unknown_in = self.unknown(chosen)
        unknown_out = self.unknown(lambda slot: not chosen(slot)) + self.elsewhere
        fewest = max(0, good - partly_out - unknown_out, partly_in - bad)
        most = min(good, partly_in + unknown_in, of_rank - partly_out)
        return sure + fewest, sure + most


def bounds(worlds: list[World], chosen, card: str) -> tuple[int, int]:
    """The fewest and the most over all the ways it may have been."""
    each = [world.bounds(chosen, card) for world in worlds]
    return min(low for low, _ in each), max(high for _, high in each)


def tens_of_diamonds(worlds: list[World], chosen) -> tuple[int, int]:
    return bounds(worlds, chosen, "10D")


def possible_worlds(rules, deal, slots, by_dealer_at_the_end, undealt, complete) -> list[World]:
    """Every way to place the shown bottom card; it lies where the dealer's last hand went."""
    deck = Counter({text: rules["decks"] for text in DECK})
    total = 52 * rules["decks"]

    def world(texts: list[str], also: list[str]) -> World:
        pool = deck.copy()
        pool.subtract([text for text in texts if not text.endswith("?")] + also)
        return World(list(zip(slots, texts, strict=True)), pool, total - len(texts) - len(also))

    texts = [slot.text for slot in slots]
    bottom = deal.get("bottom")
    if bottom is None or bottom == "??":
        worlds = [world(texts, [])]
    elif undealt:
        worlds = [world(texts, [bottom])]
    else:
        worlds = []
        for card in by_dealer_at_the_end:
            if card.text in (bottom, bottom[:-1] + "?", "??"):
                worlds.append(world([bottom if slot is card else slot.text for slot in slots], []))
        if len(by_dealer_at_the_end) < 4:
            worlds.append(world(texts, [bottom]))
    worlds = [each for each in worlds if each.possible()]
    if not worlds:
        raise ValueError("these cards cannot come from the deck")
    return worlds
