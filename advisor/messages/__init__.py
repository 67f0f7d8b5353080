"""The message catalogue: every sentence a user reads, in every language.

One JSON file a language, one sentence a key; the values in braces are filled in. English is
complete by definition, and a test holds the others to the same keys and values.
"""

from __future__ import annotations

import json
import locale
import os
import re
import string
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any, Final

from advisor.errors import MESSAGES as ADVISOR_MESSAGES
from advisor.messages.system import key_for, key_of
from engine.errors import MESSAGES as ENGINE_MESSAGES
from engine.errors import PistiError
from vision.errors import MESSAGES as VISION_MESSAGES
from vision.sources.errors import MESSAGES as SOURCE_MESSAGES

#: The English sentences of all errors; they stand where the errors do.
RAISED: Final = ADVISOR_MESSAGES | ENGINE_MESSAGES | VISION_MESSAGES | SOURCE_MESSAGES
LANGUAGES: Final = ("en", "tr", "fr", "pt", "es")
#: Where the sign of per cent stands, in the languages where it does not follow at once.
_PERCENT: Final = {"tr": "%{}", "fr": "{}\u00a0%", "es": "{}\u00a0%"}
#: Letters of a value in a sentence; no path that people type is longer.
_LONGEST: Final = 300
#: Windows calls languages by their English names.
_WINDOWS_NAMES: Final = {
    "turkish": "tr",
    "french": "fr",
    "portuguese": "pt",
    "spanish": "es",
}


class Catalogue:
    """The sentences of one language.

    Attributes:
        language: its two-letter code, one of `LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._sentences = _load(language)
        self._formatter = _Formatter(self.decimal)

    @property
    def sentences(self) -> dict[str, str]:
        """All sentences by key, with the places of their values in braces."""
        return dict(self._sentences)

    def text(self, key: str, **values: object) -> str:
        """Return the sentence *key* with *values* filled in.

        Raises:
            KeyError: there is no such sentence, or it needs a value that is not given.
        """
        return self._formatter.vformat(self._sentences[key], (), values)

    def decimal(self, number: str) -> str:
        """Return *number*, written with a point, as this language writes it."""
        return number if self.language == "en" else number.replace(".", ",")

    def percent(self, share: float) -> str:
        """Return *share* (0.42) as this language writes it: 42%, in Turkish %42."""
        return _PERCENT.get(self.language, "{}%").format(f"{100 * share:.0f}")

    def error(self, error: PistiError) -> str:
        """Return what *error* says, in this language."""
        values = {name: self._value(name, value) for name, value in error.values.items()}
        return self.text(error.key, **values)

    def _value(self, name: str, value: object) -> object:
        """Return a value of an error as its sentence says it: what is an error itself is said."""
        if isinstance(value, PistiError):
            return self.error(value)
        key = key_for(value) if name == "reason" else None
        return self.text(key) if key else _short(value)

    def system(self, error: OSError) -> str:
        """Return what the system says with *error*, with the file that it says it of."""
        key = key_of(error)
        reason = self.text(key) if key else error.strerror or str(error)
        if error.filename is None:
            return self.text("cli.system", reason=reason)
        return self.text("cli.file", file=error.filename, reason=reason)


class _Formatter(string.Formatter):
    """Fills values into a sentence; *decimal* writes numbers with a point as the language does."""

    def __init__(self, decimal: Callable[[str], str]) -> None:
        self._decimal = decimal

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return *value* in the form that the sentence asks for."""
        text = str(super().format_field(value, format_spec))
        return self._decimal(text) if isinstance(value, float) else text


def preferred_language() -> str:
    """Return the language of $PISTI_LANGUAGE, else of the system, else English."""
    named = [os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    system = next(filter(None, named), None) or locale.getlocale()[0]
    for candidate in (os.environ.get("PISTI_LANGUAGE"), system):
        word = re.split(r"[^a-z]", (candidate or "").lower(), maxsplit=1)[0]
        code = _WINDOWS_NAMES.get(word, word)
        if code in LANGUAGES:
            return code
    return "en"


def _short(value: object) -> object:
    """Return *value* so that a sentence which repeats what was sent stays one."""
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]}…"
    return value


@cache
def _load(language: str) -> dict[str, str]:
    text = resources.files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    sentences: dict[str, str] = json.loads(text)
    return RAISED | sentences if language == "en" else sentences
