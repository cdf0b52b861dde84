"""A form that a double click sends twice is carried out once."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any, cast

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage, Message
from django.contrib.messages.storage.cookie import MessageDecoder, MessageEncoder
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from core.web.etags import hash_of

# Whoever sends a form again later than this wants it to be read again.
REPEAT_SECONDS = 5
WAITING_SECONDS, PAUSE_SECONDS, IN_PROGRESS, CLAIM = 15, 0.05, "in progress", "_form_sent"


def repeat_answer(request: HttpRequest) -> HttpResponse | None:
    """Return the redirect that answered the same form a moment ago; None for a form that is to be carried out.

    Each page that is rendered has a CSRF token of its own, so that two clicks on one button send the same content. The
    second waits while the first is carried out.
    """
    if "csrfmiddlewaretoken" not in request.POST or not request.user.is_authenticated:
        return None
    sent = [(name, one.name, _digest(one)) for name, files in request.FILES.lists() for one in files]
    key = f"sent:{hash_of(request.session.session_key, request.get_full_path(), request.POST.urlencode(), sent)}"
    give_up_at = time.monotonic() + WAITING_SECONDS
    # The mark ends by itself where the process that had the first click has died.
    while not caches["default"].add(key, IN_PROGRESS, WAITING_SECONDS):
        answer = caches["default"].get(key, IN_PROGRESS)
        if answer != IN_PROGRESS:
            return _answer_again(request, *answer)
        if time.monotonic() > give_up_at:
            return None
        time.sleep(PAUSE_SECONDS)
    setattr(request, CLAIM, key)
    return None


def _digest(file: Any) -> str:
    digest = hashlib.sha256(file.read()).hexdigest()
    # The view reads it from its beginning.
    file.seek(0)
    return digest


def note_answer(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the redirect that answers a form, with its messages, for the second of two clicks."""
    if isinstance(response, HttpResponseRedirect) and not response.cookies:
        messages = json.dumps(_waiting_messages(request), cls=MessageEncoder)
        caches["default"].set(getattr(request, CLAIM), [response.url, messages], REPEAT_SECONDS)
    else:
        caches["default"].delete(getattr(request, CLAIM))


def _answer_again(request: HttpRequest, address: str, messages: str) -> HttpResponse:
    # The first answer may have reached the browser before the second click.
    for message in json.loads(messages, cls=MessageDecoder):
        if message not in _waiting_messages(request):
            get_messages(request).add(message.level, message.message, message.extra_tags)  # type: ignore[union-attr]
    return HttpResponseRedirect(address)


def _waiting_messages(request: HttpRequest) -> list[Message]:
    """Return the messages that the next page shows, which it still does after this."""
    storage = cast(BaseStorage, get_messages(request))
    was_used = storage.used
    waiting = [Message(one.level, str(one.message), one.extra_tags) for one in storage]
    storage.used = was_used
    return waiting
