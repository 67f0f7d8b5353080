"""Errors of the advisor, the session, the store and the API.

::

    PistiError
    ├── AdviceError(ValueError)     nothing to advise, or a position that does not say enough
    ├── ApiError                    a request that cannot be answered; carries the HTTP status
    ├── LiveError                   nothing that the camera could show
    ├── NamesError(ValueError)      names that are not those of the players
    ├── OutputError                 a file that cannot be written, or must not
    ├── SessionError(ValueError)    an event that does not fit the game, or cannot be read
    └── StoreError                  something could not be kept, or was not found
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.errors import PistiError

MESSAGES: Final[dict[str, str]] = {
    "arena.player": "There is no player {player!r}; the players are {known}.",
    "advise.centre": "Name the face-up card on the table first; a hint needs it.",
    "advise.doubt": (
        "Play {play} was not made in this deal, or the cards it may have been are not known cards "
        "with chances from 0 to 1."
    ),
    "advise.doubts": (
        "In a position, doubts is a list of plays, counted from 0, each with the cards it may have "
        "been and their chances; docs/advisor.md shows one."
    ),
    "advise.empty": "The position is empty.",
    "advise.encoding": "This is not text in UTF-8; a position is a JSON file.",
    "advise.hand": "Name the hand of player {player}; {count} of its cards are not known.",
    "advise.json": "The position is broken JSON at line {line}, column {column}.",
    "advise.large": "The position is too large; it has at most {most} bytes.",
    "advise.limit": "A limit needs a time above 0 seconds or at least one sample.",
    "advise.not_turn": "It is not the turn of player {player}, but of player {turn}.",
    "advise.over": "The deal is over; there is nothing left to decide.",
    "advise.position": "A position is an object with record, seat and hand.",
    "advise.seat": "There is no seat {seat!r}; seats are counted from 0, here to {last}.",
    "api.busy": "Too many hints are asked for at once; try again in a moment.",
    "api.conflict": "Somebody else has changed the game in the meantime; look at it again.",
    "api.dealer": "The first dealer is a seat from 0 to below {players}.",
    "api.disk": "There is no room on the disk for what was sent.",
    "api.form": "What was sent is not a form with one file called file.",
    "api.host": "This address is not served here.",
    "api.invalid": "The request is wrong: {reason}.",
    "api.job_died": "Reading the recording ended unexpectedly; try it again.",
    "api.job_failed": "The recording could not be read: {reason}.",
    "api.kind": "What is sent here is JSON, or a form with one file called file.",
    "api.layer": "There is no layer {name!r} of the picture; there are {known}.",
    "api.me": "A game against the computer needs the seat of the person.",
    "api.method": "This cannot be done at this address.",
    "api.no_job": "There is no recording {job} being read.",
    "api.no_picture": "No picture of this play is kept.",
    "api.no_seat": "Nobody gets hints in this game; name a seat.",
    "api.not_found": "There is nothing at this address.",
    "api.not_read": "The recording has not been read yet.",
    "api.opponent": "There is no computer player {name!r}; there are {known}.",
    "api.origin": "Other sites may not use this program.",
    "api.outside": "From another machine, only files in the program's data folder can be named.",
    "api.own_seat": "In a game against the computer only the person gets hints.",
    "api.stalled": "What was sent did not come to its end.",
    "api.token": "This needs the token that the program printed when it started.",
    "api.too_large": "What was sent is too large; at most {most} bytes are taken.",
    "api.wrong_above": "more than {bound} is expected",
    "api.wrong_below": "less than {bound} is expected",
    "api.wrong_choice": "one of {known} is expected",
    "api.wrong_extra": "this is not known here",
    "api.wrong_few": "at least {least} entries are expected",
    "api.wrong_json": "this is no JSON",
    "api.wrong_least": "at least {least} is expected",
    "api.wrong_list": "a list is expected",
    "api.wrong_long": "at most {most} letters are expected",
    "api.wrong_many": "at most {most} entries are expected",
    "api.wrong_missing": "this is missing",
    "api.wrong_most": "at most {most} is expected",
    "api.wrong_number": "a number is expected",
    "api.wrong_object": "an object is expected",
    "api.wrong_or": "{one}, or {other}",
    "api.wrong_place": "{place}: {reason}",
    "api.wrong_short": "at least {least} letters are expected",
    "api.wrong_text": "a text is expected",
    "api.wrong_value": "this has not the form that is expected",
    "api.wrong_whole": "a whole number is expected",
    "api.wrong_yes": "true or false is expected",
    "cluster.dask": "Dask is not installed. In the program's folder: {command}",
    "live.computer": "That game is played against the computer; there is no table to watch.",
    "live.no_picture": "There is no picture yet; try again in a moment.",
    "live.no_screen": "There is no screen for a window here; the page works all the same.",
    "live.no_source": "No camera is open.",
    "live.no_zone": "The zone for your hand is not set; draw it first.",
    "live.reading": "The cards are no longer being read ({reason}); open the camera again.",
    "live.small_zone": "The zone for your hand is too small; draw it again.",
    "names.many": "There are {count} names for {players} players.",
    "names.long": "A name has at most {most} letters; {name} has more.",
    "names.twice": "Two players are called {name}; give them different names.",
    "output.failed": "{path} cannot be written: {reason}.",
    "output.folder": "{path} is a folder; name a file to write to.",
    "output.input": "{path} is being read; name another file to write to.",
    "output.input_folder": "{path} would lie among the pictures that are to be read; name another "
    "folder.",
    "output.no_folder": "There is no folder {path} to write to.",
    "output.not_folder": "{path} is a file; name a folder to write to.",
    "output.picture": "{path} cannot be written as a picture of this kind.",
    "output.twice": "Two files would be written to {path}; name different ones.",
    "session.answer": "The computer answers a claimed pişti itself; claim it first.",
    "session.bottom_hidden": "By these rules the bottom card of the stock is hidden.",
    "session.buried": "A Jack put back into the centre lies face down in it.",
    "session.centre": "The centre holds {expected} cards, of which one lies face up, not {count}.",
    "session.centre_said": "A person has entered the centre of deal {deal}; it stays.",
    "session.computer": "Player {player} is the computer; it chooses its cards itself.",
    "session.dealt": "In a game against the computer the cards are known; nothing is corrected.",
    "session.ended": "This deal has ended; begin the next one, or take that back first.",
    "session.event": "An event of the game cannot be read: {reason}.",
    "session.jack": "The centre is topped by {card}; when play begins it is no Jack.",
    "session.no_deal": "There is no deal {deal}.",
    "session.no_play": "There is no play {play} in deal {deal}.",
    "session.nothing_to_end": "There is no deal in play to end.",
    "session.nothing_to_redo": "There is nothing to redo.",
    "session.nothing_to_undo": "There is nothing to undo.",
    "session.person_said": "A person has entered play {play} of deal {deal}; it stays.",
    "session.seat": "There is no seat {seat}; seats are counted from 0, here to {last}.",
    "store.changed": "Another program has changed this game; open it again.",
    "store.damaged": "The file of games was damaged. It was put aside as {path}, and {count} games "
    "were saved from it.",
    "store.failed": "The file of games cannot be used: {reason}.",
    "store.full": "The disk is full: new plays are remembered but not saved yet.",
    "store.locked": "Another program is using the file of games; new plays are not saved yet.",
    "store.newer": "The file of games comes from a newer version of Pişti (form {found}, here "
    "{known}); nothing is kept.",
    "store.gone": "The file of games ({path}) was taken away or replaced; the open games are kept "
    "in the one that lies there now.",
    "store.no_game": "There is no game {game}.",
    "store.reading": "This recording is being read already; what is read is kept, so try again "
    "when that has ended.",
    "store.readonly": "Nothing can be written to {path}; nothing is kept.",
    "store.taken": "Another pisti watch uses the games in {path}; end it first, or set PISTI_DATA "
    "to another folder.",
    "watch.port": "Nothing can listen at {host}:{port}: {reason}.",
}

_STATUS: Final = {
    "api.busy": 429,
    "api.conflict": 409,
    "api.disk": 507,
    "api.host": 421,
    "api.method": 405,
    "api.no_job": 404,
    "api.no_picture": 404,
    "api.not_found": 404,
    "api.not_read": 409,
    "api.origin": 403,
    "api.outside": 403,
    "api.stalled": 408,
    "api.kind": 415,
    "api.token": 401,
    "api.too_large": 413,
}


class AdviceError(PistiError, ValueError):
    """Raised when there is nothing to advise, or the position does not say enough."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES


class LiveError(PistiError):
    """Raised when the camera cannot show or do what is asked."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES


class NamesError(PistiError, ValueError):
    """Raised for names that do not fit the players; key and values as in `PistiError`."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES


class OutputError(PistiError):
    """Raised for a file that cannot be written, or must not; key and values as in `PistiError`."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES


class SessionError(PistiError, ValueError):
    """Raised for an event that does not fit the game; key and values as in `PistiError`."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES


class StoreError(PistiError):
    """Raised when something cannot be kept; key and values as in `PistiError`."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES


class ApiError(PistiError):
    """Raised for a request that cannot be answered; key and values as in `PistiError`."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES

    @property
    def status(self) -> int:
        """The HTTP status that says so."""
        return _STATUS.get(self.key, 422)
