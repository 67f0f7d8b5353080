"""Every sentence exists in every language, with the same values, and nothing else does."""

import re
import string
from pathlib import Path

import pytest

from advisor.messages import LANGUAGES, RAISED, Catalogue, _load, preferred_language
from engine import RecordError
from engine.errors import MESSAGES
from vision.sources import SourceError

ROOT = Path(__file__).parents[2]
ENGLISH = _load("en")
OTHERS = [language for language in LANGUAGES if language != "en"]
SOURCES = {
    package: "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != "errors.py"
    )
    for package in ("engine", "vision", "advisor")
}
#: The page says sentences too.
PAGE = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "advisor" / "page").rglob("*.js"))
)
SOURCES["page"] = PAGE
_AREAS = "|".join(sorted({key.split(".")[0] for key in ENGLISH}))
_KEY = re.compile(rf'"((?:{_AREAS})\.(?!py")[a-z_]+)"')


def values_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_has_the_same_sentences(language: str) -> None:
    assert _load(language).keys() == ENGLISH.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_has_the_same_values_and_is_not_empty(language: str) -> None:
    for key, sentence in _load(language).items():
        assert sentence.strip() == sentence != "", key
        assert values_of(sentence) == values_of(ENGLISH[key]), key
        assert "\n" not in sentence, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_can_be_said(language: str) -> None:
    catalogue = Catalogue(language)
    for key, sentence in ENGLISH.items():
        values = {
            name: 12.5 if spec else f"<{name}>"
            for _, name, spec, _ in string.Formatter().parse(sentence)
            if name is not None
        }
        said = catalogue.text(key, **values)
        assert "{" not in said
        for value in values.values():
            assert str(value) in said or catalogue.decimal(str(value)) in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_by_the_language_alone(language: str) -> None:
    """A share comes with its sign, and nothing is installed by a name of its own."""
    for key, sentence in _load(language).items():
        assert not re.search(r"%\s?\{|\}\s?%", sentence), key
        assert "pip install" not in sentence, key


def test_a_number_in_a_sentence_has_the_decimal_sign_of_the_language() -> None:
    error = SourceError("source.truncated", path="game.1.mp4", time=3.25, duration=10.0)
    assert "3.2 s of 10.0 s" in Catalogue("en").error(error)
    for language in OTHERS:
        said = Catalogue(language).error(error)
        assert "3,2" in said
        assert "10,0" in said
        assert "game.1.mp4" in said


def test_shares() -> None:
    assert [Catalogue(language).percent(0.55) for language in ("en", "tr", "fr", "pt", "es")] == [
        "55%",
        "%55",
        "55\u00a0%",
        "55%",
        "55\u00a0%",
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_are_translated(language: str) -> None:
    """Sentences of one word, and those that are all values, may be the same."""
    same = {key for key, said in _load(language).items() if said == ENGLISH[key] and " " in said}
    alike = {
        "api.wrong_place",
        "game.lay",
        "page.pisti_points",
        "page.plus_points",
        "page.risk_pisti",
    }
    assert same <= {"cli.file"} | alike


def test_the_sentences_of_errors_stand_where_the_errors_do_alone() -> None:
    own = (ROOT / "advisor" / "messages" / "en.json").read_text(encoding="utf-8")
    assert not [key for key in RAISED if f'"{key}"' in own]


def test_every_key_in_the_code_has_a_sentence() -> None:
    for package, source in SOURCES.items():
        unknown = set(_KEY.findall(source)) - ENGLISH.keys()
        assert unknown == set(), package


def test_the_engine_knows_the_sentences_of_its_own_errors() -> None:
    assert set(_KEY.findall(SOURCES["engine"])) <= MESSAGES.keys()


def test_every_sentence_is_used() -> None:
    used = {key for source in SOURCES.values() for key in _KEY.findall(source)}
    # Keys put together from a name.
    used |= {f"sheet.{name}" for name in ("aces", "jacks")}
    assert ENGLISH.keys() - used == set()


def test_errors_are_said_in_the_language_asked_for() -> None:
    error = RecordError("record.too_large", most=5)
    said = {Catalogue(language).error(error) for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert Catalogue("en").error(error) == str(error)
    with pytest.raises(KeyError):
        Catalogue("tr").text("no.such_sentence")


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"PISTI_LANGUAGE": "tr", "LANG": "fr_FR.UTF-8"}, "tr"),
        ({"PISTI_LANGUAGE": "TR"}, "tr"),
        ({"PISTI_LANGUAGE": "xx", "LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "tr_TR.UTF-8"}, "tr"),
        ({"LANG": "pt_BR"}, "pt"),
        ({"LANG": "es"}, "es"),
        ({"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr_CH", "LANG": "tr_TR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "tree"}, "en"),
    ],
)
def test_preferred_language(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
) -> None:
    for name in ("PISTI_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert preferred_language() == language


@pytest.mark.parametrize(
    ("locale_name", "language"),
    [("Turkish_Türkiye", "tr"), ("tr_TR", "tr"), ("Polish_Poland", "en"), (None, "en")],
)
def test_preferred_language_where_no_variable_says(
    monkeypatch: pytest.MonkeyPatch, locale_name: str | None, language: str
) -> None:
    for name in ("PISTI_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("locale.getlocale", lambda: (locale_name, "UTF-8"))
    assert preferred_language() == language
