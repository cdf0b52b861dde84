"""Errors of the API as problem details (RFC 9457): what is wrong, where, and how to fix it."""

from __future__ import annotations

import errno
import math
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

import structlog
from cryptography.fernet import InvalidToken
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.signals import got_request_exception
from django.db import OperationalError
from django.http import Http404, HttpResponse, JsonResponse
from rest_framework import exceptions

from core.errors import BusyError, RefusedError

CONTENT_TYPE = "application/problem+json"
UNEXPECTED_ERROR = "Internal error. It was logged. Try again later."
# Disk full, over the quota, or larger than the file system allows.
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# PostgreSQL refuses to write: it is becoming the first of several servers, or no longer is.
READ_ONLY = "25006"
RETRY_SECONDS = 60
logger = structlog.get_logger(__name__)


class Fault(NamedTuple):
    """One invalid value: its parameter or field, "" for the whole request, and the code of a refusal by a rule."""

    name: str
    detail: str
    code: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the members of the document, without a code where there is none."""
        return {name: value for name, value in self._asdict().items() if value or name != "code"}


class NotFoundError(exceptions.NotFound):
    """Page not found."""


class TooLargeError(exceptions.APIException):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_detail = "The request is too large."


class ChangedError(exceptions.APIException):
    status_code = HTTPStatus.PRECONDITION_FAILED
    default_detail = "The resource is not in a state that allows this request."


class RefusedProblem(exceptions.APIException):
    """A service refused the request because of the regulations or the current state."""

    status_code = HTTPStatus.CONFLICT
    default_detail = "Request refused. See `errors`."

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(None)
        self.faults = faults


def as_refusal(error: RefusedError, names: Mapping[str, str] | None = None) -> RefusedProblem:
    """Return a refusal as a problem. `names` maps field names to those of the body."""
    known = names or {}
    return RefusedProblem(
        [Fault(known.get(item.field, item.field), str(item.message), item.code) for item in error.refusals]
    )


def as_problem(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Return the problem document of an exception in a view. Unexpected exceptions are logged."""
    known = _library_error(error)
    if known is None:
        request = context["request"]._request
        if isinstance(error, BusyError):
            return _service_unavailable()
        logger.exception("api request failed", path=request.path)
        # Whoever listens for failures, as error reports do, hears nothing of those that the library caught.
        got_request_exception.send(sender=type(context["view"]), request=request)
        # 503 asks programs to try again; 500 would make them give up on a full disk.
        return _service_unavailable() if is_temporary(error) else problem(500, UNEXPECTED_ERROR)
    faults = getattr(known, "faults", [])
    if isinstance(known, exceptions.ValidationError):
        faults = list(_faults(known.detail))
    is_invalid = faults and isinstance(known, exceptions.ValidationError)
    detail = "Invalid values. See `errors`." if is_invalid else str(known.detail)
    answer = problem(known.status_code, detail, faults)
    for name, value in _headers(known):
        answer[name] = value
    return answer


def is_temporary(error: BaseException | None) -> bool:
    """Return whether the portal, its database or disk cannot take the work now, so that a retry may succeed."""
    if isinstance(error, OSError):
        return error.errno in DISK_FULL
    is_read_only = getattr(error.__cause__, "sqlstate", "") == READ_ONLY if error else False
    # During the rotation of a key some processes do not know the new one yet.
    return isinstance(error, OperationalError | BusyError | InvalidToken) or is_read_only


def problem(status: int, detail: str, faults: list[Fault] | None = None) -> HttpResponse:
    """Return a problem document with the members of RFC 9457, and `errors` for single invalid values."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
    }
    if faults:
        document["errors"] = [fault.as_json() for fault in faults]
    return JsonResponse(document, status=status, content_type=CONTENT_TYPE)


def _service_unavailable() -> HttpResponse:
    answer = problem(503, "Service unavailable. Nothing was saved. Try again after `Retry-After` seconds.")
    answer["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _library_error(error: Exception) -> exceptions.APIException | None:
    if isinstance(error, Http404):
        return exceptions.NotFound(str(error) or "Page not found.")
    if isinstance(error, RefusedError):
        return as_refusal(error)
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(error, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return TooLargeError()
    if isinstance(error, BadRequest | SuspiciousOperation):
        return exceptions.ParseError(str(error))
    return error if isinstance(error, exceptions.APIException) else None


def _faults(detail: Any, name: str = "") -> Iterator[Fault]:
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _faults(inner, "" if key == "non_field_errors" else str(key))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, name)
    else:
        yield Fault(name, str(detail))


def _headers(error: exceptions.APIException) -> Iterator[tuple[str, str]]:
    challenge = getattr(error, "auth_header", None)
    if challenge is not None:
        yield "WWW-Authenticate", challenge
    wait = getattr(error, "wait", None)
    if wait is not None:
        yield "Retry-After", str(math.ceil(wait))
