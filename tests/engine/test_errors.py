"""Errors: every sentence can be said, is said somewhere, and survives a process boundary."""

import pickle
import re
from pathlib import Path
from string import Formatter

import pytest

import engine
from engine import CardParseError, IllegalPlayError, PistiError, RecordError, RuleSet, RuleSetError
from engine.errors import MESSAGES

ROOT = Path(engine.__file__).parents[1]
SOURCE = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("engine", "vision", "advisor", "models")
    for path in (ROOT / package).rglob("*.py")
    if path.name != "errors.py"
)
KINDS = {
    "card": CardParseError,
    "match": IllegalPlayError,
    "play": IllegalPlayError,
    "record": RecordError,
    "rules": RuleSetError,
}


def fields_of(key: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(MESSAGES[key]) if name}


@pytest.mark.parametrize("key", MESSAGES)
def test_every_sentence_is_used(key):
    uses = re.findall(rf'"{re.escape(key)}"', SOURCE)
    assert uses


def test_every_key_in_the_source_has_a_sentence():
    keys = set(re.findall(rf'"((?:{"|".join(KINDS)})\.(?!py")[a-z_]+)"', SOURCE))
    assert keys - set(MESSAGES) == set()


@pytest.mark.parametrize("key", MESSAGES)
def test_every_sentence_formats_and_ends_with_a_full_stop(key):
    values = {name: f"<{name}>" for name in fields_of(key)}
    error = KINDS[key.partition(".")[0]](key, **values)
    assert all(value in str(error) or repr(value) in str(error) for value in values.values())
    assert str(error).endswith(".")
    assert "\n" not in str(error)


@pytest.mark.parametrize("kind", sorted(set(KINDS.values()), key=str))
def test_every_error_is_a_value_error_of_this_project(kind):
    assert issubclass(kind, PistiError)
    assert issubclass(kind, ValueError)


@pytest.mark.parametrize("key", MESSAGES)
def test_errors_survive_pickling(key):
    values = {name: [name, 1] for name in fields_of(key)}
    error = KINDS[key.partition(".")[0]](key, **values)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.key, again.values, str(again)) == (error.key, error.values, str(error))


def test_a_raised_error_survives_pickling():
    with pytest.raises(RuleSetError) as caught:
        RuleSet.classic(players=9)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
