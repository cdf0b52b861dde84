"""The emails that a person gets: which kinds, how often, in which language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players import notices
from players.choices import OPTIONAL_NOTICES, NoticeKind
from players.notices import read_token
from portal.models import save_language

GROUPS = (
    (_l("Tasks"), (NoticeKind.DEADLINE, NoticeKind.DIGEST)),
    (_l("Tournaments"), (NoticeKind.DECISION, NoticeKind.APPEAL, NoticeKind.HANDOVER)),
    (_l("Players"), (NoticeKind.TRANSFER, NoticeKind.CLAIM)),
    (_l("Rating lists"), (NoticeKind.PUBLICATION, NoticeKind.NEXT_LIST)),
    (_l("Programs"), (NoticeKind.WEBHOOK,)),
)


class NotificationsForm(forms.Form):
    """A box for each kind of mail that can be turned off."""

    wanted = forms.MultipleChoiceField(
        label=_l("Emails you get about"),
        choices=[(kind.value, kind.label) for _group, kinds in GROUPS for kind in kinds],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    daily = forms.BooleanField(
        label=_l("Send my emails once a day as one email, at 09:30 UTC"), required=False
    )
    language = forms.ChoiceField(label=_l("Language of your emails"), choices=settings.LANGUAGES)

    def groups(self) -> Iterator[tuple[Any, list[Any]]]:
        """Yield the boxes by what the emails are about."""
        boxes = iter(self["wanted"].subwidgets)
        for label, kinds in GROUPS:
            yield label, [next(boxes) for _kind in kinds]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the kinds of mail and their language, and change them."""
    user: Any = request.user
    if request.method == "POST":
        form = NotificationsForm(request.POST)
        if form.is_valid():
            notices.save_wanted_kinds(request.user, wanted=form.cleaned_data["wanted"])
            notices.choose_digest(request.user, is_daily=form.cleaned_data["daily"])
            save_language(user, form.cleaned_data["language"])
            messages.success(request, _("Your email preferences were saved."))
            return redirect("notifications")
    else:
        unwanted = notices.load_muted_kinds(request.user)
        form = NotificationsForm(
            initial={
                "wanted": [kind for kind in OPTIONAL_NOTICES if kind not in unwanted],
                "daily": user.has_daily_digest,
                "language": user.language or settings.LANGUAGE_CODE,
            }
        )
    return render(request, "account/notifications.html", {"form": form})


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def turn_off_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Turn off the kind of a mail by its signed link: mail programs post without cookies (RFC 8058)."""
    meant = read_token(token)
    if meant is None:
        raise Http404
    # Not by GET: filters of mail servers open the links of an email to look at them.
    if request.method == "POST":
        notices.mute_kind(token)
    return render(
        request, "account/notifications_off.html", {"kind": meant[1], "is_off": request.method == "POST"}
    )
