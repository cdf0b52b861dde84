"""What was typed into a form before its session ended.

It is kept until the same person has signed in again: each long form carries a mark, signed for the person it was shown
to and the page it stands on. A form that comes back without a session is kept in the new, nameless session, and its
page shows it again to that person alone. Nothing is done by that: the person sends it. A form that comes back in the
session of another account is never kept there: the answer lists what was typed, and offers to sign in with the first
account.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from core.web.rates import count_up
from core.web.uploads import refuse_large_file

MARK = "typed_by"
# The name under which marks are signed stays: forms that are shown now carry it.
SALT = "core.web.typed"
IN_SESSION = "typed"
# Older forms, what is kept for longer and what is larger than any form of the desk is not shown again.
MARK_SECONDS = 7 * 24 * 3600
STORED_SECONDS = 12 * 3600
MAX_LETTERS = 64 * 1024
STORED_AN_HOUR = 20
# Where a form that another account sends on was sent to, and that it had files.
SENT_TO, HAD_FILES = "typed_to", "typed_files"
NEVER_STORED = (MARK, SENT_TO, HAD_FILES, "csrfmiddlewaretoken")
# What pages write into their forms.
NOT_TYPED = (
    *("seen", "kept", "confirm", "confirmed", "back", "action", "preview", "register", "severity"),
    *("told", "marked", "scheduled_for", "listed"),
)


@dataclass(frozen=True, slots=True)
class TypedForm:
    """A form that carries its true mark: by the person with this key, on this page, with these fields."""

    by: int
    page: str
    fields: dict[str, list[str]]

    def in_words(self) -> list[tuple[str, list[str]]]:
        """Return what was typed, each field by the words of its name."""
        typed = [
            (_words_of(name), [_("yes") if value == "on" else value for value in values if value.strip()])
            for name, values in self.fields.items()
            if name not in NOT_TYPED
        ]
        return [(_(label), values) for label, values in typed if label and values]


def _words_of(name: str) -> str:
    return re.sub(r"[_-]+", " ", re.sub(r"^(is|has)_", "", name)).strip().capitalize()


def sign_form(user: Any, page: str) -> str:
    return signing.dumps([user.pk, page], salt=SALT)


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """Send to the sign-in page, and keep what came in a form until then; a part of a page is told no."""
    # The sign-in page would otherwise appear inside the form (ADR 13).
    if "HX-Request" in request.headers:
        return HttpResponse(status=401)
    page = store_form(request) if request.method == "POST" else None
    return redirect_to_login(page or request.get_full_path())


def typed_form(request: HttpRequest) -> TypedForm | None:
    """Return a form that carries its mark; None without one, or where the form has more than any of the desk."""
    try:
        by, page = signing.loads(request.POST.get(MARK, ""), salt=SALT, max_age=MARK_SECONDS)
    except signing.BadSignature:
        return None
    fields = {
        name: request.POST.getlist(name)
        for name in request.POST
        if name not in NEVER_STORED and "password" not in name.lower()
    }
    letters = sum(len(name) + sum(map(len, values)) for name, values in fields.items())
    return None if letters > MAX_LETTERS else TypedForm(by=by, page=str(page), fields=fields)


def store_form(request: HttpRequest) -> str | None:
    """Keep the fields of a form that carries its mark and return its page; None where nothing is kept."""
    form = typed_form(request)
    if form is None or (request.user.is_authenticated and request.user.pk != form.by):
        return None
    # A mark can be sent again: each time a row, as large as the form, would be stored for nobody.
    if not request.user.is_authenticated and count_up(f"form-kept:{form.by}", 3600) > STORED_AN_HOUR:
        return None
    request.session[IN_SESSION] = {
        "by": form.by,
        "to": request.POST.get(SENT_TO, request.path),
        "fields": form.fields,
        "at": int(time.time()),
        "had_files": bool(request.FILES) or HAD_FILES in request.POST,
    }
    if not request.user.is_authenticated:
        messages.info(request, _("Your session has ended. Sign in again. What you entered is saved."))
    return form.page


def is_from_here(request: HttpRequest) -> bool:
    """Whether a browser says that a form was sent from a page of this portal."""
    # Browsers send it with every form, and no page can write it.
    origin = request.headers.get("Origin", "")
    return bool(origin) and urlsplit(origin).netloc == request.get_host()


def restore_form(request: HttpRequest, *, to: str = "", having: str = "") -> QueryDict | None:
    """Return once what the person had typed into the form sent to an address (this page's own if none is named).

    `having` is the field that distinguishes the form from others that are sent to the address.
    """
    kept = request.session.get(IN_SESSION) if request.method == "GET" else None
    if not kept or kept["to"] != (to or request.path) or (having and having not in kept["fields"]):
        return None
    del request.session[IN_SESSION]
    if kept["by"] != request.user.pk or time.time() - kept["at"] > STORED_SECONDS:
        return None
    messages.warning(
        request, _("Your session had ended, so nothing was sent. The form shows what you entered.")
    )
    if kept["had_files"]:
        text = _("Select the files again. They are not saved.")
        messages.warning(request, text, extra_tags="files-again")
    fields = QueryDict(mutable=True)
    for name, values in kept["fields"].items():
        fields.setlist(name, values)
    return fields


Form = TypeVar("Form", bound=BaseForm)


def form_of(request: HttpRequest, kind: type[Form], **given: Any) -> Form:
    """Return a page's form with what was sent, or what the person had typed before the session ended, or empty."""
    if request.method != "POST":
        return kind(restore_form(request), **given)
    form = kind(request.POST, request.FILES, **given)
    refuse_large_file(request, form)
    return form


def restore_row_forms(
    request: HttpRequest, view: str, keys: Iterable[int], *, before: Iterable[Any] = ()
) -> dict[int, QueryDict]:
    """Return once what the person had typed into the form of one of a page's rows, by the row's key.

    Each row's form is sent to the view with its key, after what comes `before` it in the address.
    """
    typed = {key: restore_form(request, to=reverse(view, args=[*before, key])) for key in keys}
    return {key: fields for key, fields in typed.items() if fields is not None}


def drop_foreign_form(request: HttpRequest, user: Any) -> None:
    """Drop what somebody else had typed as soon as a person signs in."""
    if request.session.get(IN_SESSION, {}).get("by", user.pk) != user.pk:
        del request.session[IN_SESSION]
