"""Compressed answers, as the client accepts them (ADR 21)."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping

import brotli
from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

TEXT = re.compile(r"text/|image/svg\+xml|application/([a-z.+-]*\+)?(json|xml|yaml|x-ndjson)\b")
# In the order of preference; `q=0` refuses.
ENCODINGS = {
    name: re.compile(rf"(^|[\s,]){name}\s*(,|$|;\s*q=(?!0(\.0*)?\s*(,|$)))", re.IGNORECASE)
    for name in ("br", "gzip")
}
BROTLI_QUALITY = GZIP_LEVEL = 5


def compress(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Compress text for clients that accept it.

    Django's gzip pads each response by a random length, so that its size reveals no secrets in it (BREACH).
    A file of known length is sent unchanged: it has a compressed copy.
    """
    gzipped = GZipMiddleware(get_response).process_response

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 304:
            # A 304 has the validators that the page itself would have (RFC 9110, 15.4.5).
            return as_variant(response, accepted_encoding(request))
        is_file = response.streaming and "Content-Length" in response.headers
        is_file |= "X-Accel-Redirect" in response.headers
        if is_file or response.status_code == 206 or not TEXT.match(response.headers.get("Content-Type", "")):
            return response
        # Django's gzip takes `gzip;q=0` for consent.
        if ENCODINGS["gzip"].search(request.headers.get("Accept-Encoding", "")):
            gzipped(request, response)
        else:
            patch_vary_headers(response, ["Accept-Encoding"])
        return response

    return middleware


def accepted_encoding(request: HttpRequest) -> str:
    """Return the encoding to send, "br" or "gzip"; empty for none."""
    offered = request.headers.get("Accept-Encoding", "")
    return next((name for name, pattern in ENCODINGS.items() if pattern.search(offered)), "")


def as_variant(response: HttpResponse, encoding: str) -> HttpResponse:
    """Mark a response as one of several with the same content: `Vary`, and a weak ETag where it is encoded."""
    patch_vary_headers(response, ["Accept-Encoding"])
    etag = response.headers.get("ETag", "")
    if encoding and etag.startswith('"'):
        response.headers["ETag"] = f"W/{etag}"
    return response


def encoded_bodies(content: bytes) -> dict[str, str]:
    """Return a page in each encoding, as base64 for a cache of JSON values."""
    bodies = {
        "br": brotli.compress(content, quality=BROTLI_QUALITY),
        # Without the instant, so that the same page is the same bytes.
        "gzip": gzip.compress(content, GZIP_LEVEL, mtime=0),
    }
    return {name: b64encode(body).decode() for name, body in bodies.items()}


def encoded_response(bodies: Mapping[str, str], encoding: str, *, status: int = 200) -> HttpResponse:
    """Return the response with a body of `encoded_bodies` and its length, so that it is sent at once."""
    body = b64decode(bodies[encoding or "gzip"])
    if not encoding:
        body = gzip.decompress(body)
    headers = {"Content-Length": str(len(body))}
    headers |= {"Content-Encoding": encoding} if encoding else {}
    return HttpResponse(body, status=status, headers=headers)
