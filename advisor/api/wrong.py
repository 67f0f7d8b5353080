"""What is wrong with a request, in the languages of the catalogue.

Pydantic says it in English; here each kind of fault has a sentence of ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

from advisor.errors import ApiError

#: Letters of a place that are repeated: names of fields are short, what was sent may not be.
_LONGEST: Final = 80
#: Parts of a place that say nothing to those who sent it: the body itself, and names of types.
_NO_PLACES: Final = frozenset({"body", "str", "int", "bool"})
#: The sentence for each kind of fault, and which of its values it says under which name.
_SAID: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "missing": ("api.wrong_missing", {}),
    "extra_forbidden": ("api.wrong_extra", {}),
    "literal_error": ("api.wrong_choice", {"expected": "known"}),
    "enum": ("api.wrong_choice", {"expected": "known"}),
    "json_invalid": ("api.wrong_json", {}),
    "greater_than_equal": ("api.wrong_least", {"ge": "least"}),
    "less_than_equal": ("api.wrong_most", {"le": "most"}),
    "greater_than": ("api.wrong_above", {"gt": "bound"}),
    "less_than": ("api.wrong_below", {"lt": "bound"}),
    "string_too_short": ("api.wrong_short", {"min_length": "least"}),
    "string_too_long": ("api.wrong_long", {"max_length": "most"}),
    "too_short": ("api.wrong_few", {"min_length": "least"}),
    "too_long": ("api.wrong_many", {"max_length": "most"}),
}
#: The same for whole families of kinds, by how their names begin.
_FAMILIES: Final = {
    "int_": "api.wrong_whole",
    "float_": "api.wrong_number",
    "finite_number": "api.wrong_number",
    "string_": "api.wrong_text",
    "bool_": "api.wrong_yes",
    "list_": "api.wrong_list",
    "dict_": "api.wrong_object",
    "model_": "api.wrong_object",
}


def wrong(faults: Sequence[Mapping[str, Any]]) -> ApiError:
    """Return the error that says the first of *faults*, as pydantic lists them."""
    place = _place(faults[0])
    # Where several types would do, there is a fault for each of them at the same place.
    reasons = [_what(each) for each in faults if _place(each) == place]
    said = {str(each): each for each in reasons}
    reason = reduce(
        lambda one, other: ApiError("api.wrong_or", one=one, other=other), said.values()
    )
    if place:
        reason = ApiError("api.wrong_place", place=place, reason=reason)
    return ApiError("api.invalid", reason=reason)


def _place(fault: Mapping[str, Any]) -> str:
    """Return where *fault* is, without the types that pydantic names where several would do."""
    parts = [str(part) for part in fault["loc"]]
    kept = [part for part in parts if part not in _NO_PLACES and "[" not in part]
    return ".".join(kept)[:_LONGEST]


def _what(fault: Mapping[str, Any]) -> ApiError:
    kind, values = str(fault["type"]), fault.get("ctx") or {}
    if kind in _SAID:
        key, names = _SAID[kind]
        if all(name in values for name in names):
            said = {ours: str(values[name]).replace(" or ", ", ") for name, ours in names.items()}
            return ApiError(key, **said)
    for family, key in _FAMILIES.items():
        if kind.startswith(family):
            return ApiError(key)
    return ApiError("api.wrong_value")
