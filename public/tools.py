"""The page of tools: what readers, arbiters and programs can use, and the worked cases for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.web.downloads import streamed_file
from core.web.etags import public_page
from core.web.zip_streams import stream_zip

WORKED_CASES = Path(settings.BASE_DIR) / "vectors"


class CasesOfSystem(NamedTuple):
    """A rating system with its number of worked cases."""

    system: str
    title: str
    number: int


@require_safe
@public_page
def tools(request: HttpRequest) -> HttpResponse:
    """Show the calculators and the report check."""
    return render(request, "public/tools.html")


@require_safe
@public_page
def worked_cases(request: HttpRequest) -> HttpResponse:
    """Show what the worked cases are, and how a program is tested with them."""
    return render(request, "public/tools/worked-cases.html", {"systems": _cases_by_system()})


@cache
def _cases_by_system() -> list[CasesOfSystem]:
    contents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(WORKED_CASES.glob("*.json"))]
    return [
        CasesOfSystem(content["system"], content["title"], len(content["cases"]))
        for content in contents
        if "cases" in content
    ]


@require_safe
def worked_cases_archive(request: HttpRequest) -> HttpResponseBase:
    """Send the worked cases with their schema, their runner and an example."""
    return streamed_file(stream_zip(_members()), name="worked-cases.zip")


def _members() -> Iterator[tuple[str, list[bytes]]]:
    for path in sorted(WORKED_CASES.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield f"worked-cases/{path.relative_to(WORKED_CASES).as_posix()}", [path.read_bytes()]
