"""The emails that a person gets: which kinds, how often, in which language."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players import notices
from players.choices import OPTIONAL_NOTICES, NoticeKind, Role
from players.notices import read_token
from players.permissions import has_role, is_staff
from portal.models import save_language
from ratings.follows import followed_by, own_address

REPORTERS = (Role.OFFICER, Role.DEPUTY, Role.STAFF)
# The roles that get each kind; without any it goes to players, too.
GROUPS: tuple[tuple[Promise, dict[NoticeKind, tuple[Role, ...]]], ...] = (
    (_l("Tasks"), {NoticeKind.DEADLINE: REPORTERS, NoticeKind.DIGEST: tuple(Role)}),
    (
        _l("Tournaments"),
        {
            NoticeKind.DECISION: REPORTERS,
            NoticeKind.APPEAL: (*REPORTERS, Role.QC_CHAIR, Role.COUNCIL),
            NoticeKind.HANDOVER: (*REPORTERS, Role.ARBITER),
        },
    ),
    (_l("Players"), {NoticeKind.TRANSFER: REPORTERS, NoticeKind.CLAIM: ()}),
    (
        _l("Rating lists"),
        {NoticeKind.PUBLICATION: (*REPORTERS, Role.QC_CHAIR), NoticeKind.NEXT_LIST: ()},
    ),
    (_l("Programs"), {NoticeKind.WEBHOOK: REPORTERS}),
)


class NotificationsForm(forms.Form):
    """A box for each kind of mail that the person can get and turn off."""

    wanted = forms.MultipleChoiceField(
        label=_l("Emails you get about"), widget=forms.CheckboxSelectMultiple, required=False
    )
    daily = forms.BooleanField(
        label=_l("Send my emails once a day as one email, at 09:30 UTC"), required=False
    )
    language = forms.ChoiceField(label=_l("Language of your emails"), choices=settings.LANGUAGES)

    def __init__(self, *args: Any, user: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.offered = [
            (label, [kind for kind, roles in kinds.items() if not roles or _has_one(user, roles)])
            for label, kinds in GROUPS
        ]
        of_kinds: Any = self.fields["wanted"]
        of_kinds.choices = [(kind.value, kind.label) for kind in self.kinds]

    @property
    def kinds(self) -> list[NoticeKind]:
        return [kind for _label, kinds in self.offered for kind in kinds]

    def groups(self) -> Iterator[tuple[Any, list[Any]]]:
        """Yield the boxes by what the emails are about."""
        boxes = iter(self["wanted"].subwidgets)
        for label, kinds in self.offered:
            if kinds:
                yield label, [next(boxes) for _kind in kinds]


def _has_one(user: Any, roles: Collection[Role]) -> bool:
    return has_role(user, *roles) or (Role.STAFF in roles and is_staff(user))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the kinds of mail and their language, and change them."""
    user: Any = request.user
    if request.method == "POST":
        form = NotificationsForm(request.POST, user=user)
        if form.is_valid():
            notices.save_wanted_kinds(user, wanted=form.cleaned_data["wanted"], offered=form.kinds)
            notices.choose_digest(request.user, is_daily=form.cleaned_data["daily"])
            save_language(user, form.cleaned_data["language"])
            messages.success(request, _("Your email preferences were saved."))
            return redirect("notifications")
    else:
        unwanted = notices.load_muted_kinds(request.user)
        form = NotificationsForm(
            user=user,
            initial={
                "wanted": [kind for kind in OPTIONAL_NOTICES if kind not in unwanted],
                "daily": user.has_daily_digest,
                "language": user.language or settings.LANGUAGE_CODE,
            },
        )
    followed = followed_by(own_address(user))
    return render(request, "account/notifications.html", {"form": form, "followed": followed})


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
