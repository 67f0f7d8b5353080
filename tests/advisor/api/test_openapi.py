"""The description of the API: the file is up to date, and the server does what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from advisor.api.openapi import description
from tests.advisor.api.conftest import Running

#: No server error, and nothing that the description does not hold.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
FILE = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_file_is_up_to_date() -> None:
    """`python -m advisor.api.openapi` writes it anew."""
    assert FILE.read_text(encoding="utf-8") == description()


PATHS = json.loads(FILE.read_text(encoding="utf-8"))["paths"]
OPERATIONS = [
    (path, method)
    for path, methods in sorted(PATHS.items())
    for method in methods
    # The video does not end by itself.
    if not path.endswith("/video")
]


@pytest.fixture(scope="module")
def described(running: Running) -> Any:
    return schemathesis.openapi.from_url(f"{running.address}api/v1/openapi.json")


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_server_does_what_the_description_says(
    described: Any, running: Running, begun: str, path: str, method: str
) -> None:
    running.client.post(f"/games/{begun}/plays", json={"card": "7H"})

    @given(described[path][method.upper()].as_strategy())
    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    def check(case: Any) -> None:
        if "game" in case.path_parameters and method != "delete":
            # Most requests are about a game that there is.
            case.path_parameters["game"] = begun
        case.call_and_validate(checks=CHECKS)

    check()
