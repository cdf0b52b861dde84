"""Which emails a person wants, and how often."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.functions import Now

from players.choices import OPTIONAL_NOTICES, NoticeKind, NoticeState
from players.models import Notice, NoticePreference
from players.services.mail_messages import read_token


def choose_digest(user: Any, *, is_daily: bool) -> None:
    """Choose between one email a day and single emails; in the second case waiting ones are sent at once."""
    with transaction.atomic():
        get_user_model()._default_manager.filter(pk=user.pk).update(has_daily_digest=is_daily)
        user.has_daily_digest = is_daily
        if not is_daily:
            Notice.objects.filter(user=user, state=NoticeState.DUE, in_digest=True).update(
                in_digest=False, due_at=Now()
            )


def load_muted_kinds(user: Any) -> frozenset[str]:
    return frozenset(NoticePreference.objects.filter(user=user).values_list("kind", flat=True))


def save_wanted_kinds(user: Any, *, wanted: Iterable[str]) -> None:
    """Mute all optional kinds but the wanted ones."""
    unwanted = set(OPTIONAL_NOTICES) - set(wanted)
    with transaction.atomic():
        NoticePreference.objects.filter(user=user).exclude(kind__in=unwanted).delete()
        rows = [NoticePreference(user=user, kind=kind) for kind in sorted(unwanted)]
        NoticePreference.objects.bulk_create(rows, ignore_conflicts=True)


def mute_kind(token: str) -> NoticeKind | None:
    """Mute the kind of an unsubscribe link and return it; None if the token is invalid."""
    meant = read_token(token)
    if meant is None:
        return None
    user_id, kind = meant
    NoticePreference.objects.bulk_create(
        [NoticePreference(user_id=user_id, kind=kind)], ignore_conflicts=True
    )
    return kind
