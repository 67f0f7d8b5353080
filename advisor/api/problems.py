"""Errors as problem documents (RFC 9457), in the language that the client asks for."""

from __future__ import annotations

import json
import logging
import re
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import Response

from advisor.api.wrong import wrong
from advisor.errors import ApiError, LiveError, StoreError
from advisor.messages import LANGUAGES, Catalogue, preferred_language
from engine import PistiError

logger = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"

#: A detail that repeats what was sent is cut off here.
_LONGEST: Final = 600
_STORE_STATUS: Final = {"store.no_game": 404, "store.changed": 409, "store.full": 507}


def language_of(headers: Headers, query: QueryParams) -> str:
    """Return the language a request asks for: ``?language=``, else Accept-Language, else ours."""
    if (asked := query.get("language")) in LANGUAGES:
        return str(asked)
    ranked: list[tuple[float, str]] = []
    for part in headers.get("accept-language", "")[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        code = re.split(r"[^a-z]", name.lower(), maxsplit=1)[0]
        if code in LANGUAGES:
            ranked.append((_weight(weight), code))
    return max(ranked, key=lambda each: each[0])[1] if ranked else preferred_language()


def problem(status: int, detail: str, key: str | None = None) -> Response:
    """Return a problem document."""
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail if len(detail) <= _LONGEST else f"{detail[:_LONGEST]}…",
        "key": key,
    }
    text = json.dumps(content, ensure_ascii=False)
    return Response(text.encode("utf-8", "replace"), status, media_type=MEDIA_TYPE)


def status_of(error: PistiError) -> int:
    """Return the HTTP status that says what *error* says."""
    if isinstance(error, ApiError):
        return error.status
    if isinstance(error, StoreError):
        return _STORE_STATUS.get(error.key, 503)
    if isinstance(error, LiveError):
        return 409
    return 422


def error_problem(error: PistiError, language: str) -> Response:
    """Return the problem document of *error*."""
    answer = problem(status_of(error), Catalogue(language).error(error), error.key)
    if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        answer.headers["Retry-After"] = "1"
    return answer


def install(app: FastAPI) -> None:
    """Make *app* answer every error with a problem document."""

    @app.exception_handler(PistiError)
    async def _known(request: Request, error: PistiError) -> Response:
        return error_problem(error, language_of(request.headers, request.query_params))

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        language = language_of(request.headers, request.query_params)
        return error_problem(wrong(error.errors()), language)

    @app.exception_handler(HTTPException)
    async def _plain(request: Request, error: HTTPException) -> Response:
        language = language_of(request.headers, request.query_params)
        if isinstance(error.__cause__, PistiError):
            # Found while the body was read.
            return error_problem(error.__cause__, language)
        key = {404: "api.not_found", 405: "api.method"}.get(error.status_code)
        if key is None:
            # A body that is not what its head says it is.
            known = ApiError("api.invalid", reason=ApiError("api.wrong_value"))
            response = error_problem(known, language)
        else:
            response = error_problem(ApiError(key), language)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def _fault(request: Request, error: Exception) -> Response:
        logger.error("a request failed", exc_info=error)
        reason = f"{type(error).__name__}: {error}"
        language = language_of(request.headers, request.query_params)
        return problem(500, Catalogue(language).text("cli.fault", error=reason), "cli.fault")


def _weight(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0
