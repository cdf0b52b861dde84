"""Adopting a text of the regulations from a future day on. An adoption that no list has used can be revoked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.acts import Act
from core.errors import Refusal, RefusedError, refused
from players.choices import Area, Deed
from players.models.log import record_act
from players.permissions import is_staff
from ratings.choices import SENTENCES
from ratings.late_adoption import cancel
from ratings.models import Adoption, LateAdoption, RatingList, TournamentRating
from ratings.systems.registry import SHIPPED, texts


def load_shipped(*, at: datetime, using: str = "default") -> None:
    """Write the adoptions with which the portal comes, where none stands yet."""
    # Every `migrate` asks: what staff have adopted or revoked since stays.
    if Adoption.objects.using(using).exists():
        return
    shipped = Adoption.columns_of(SENTENCES.state("shipped"))
    Adoption.objects.using(using).bulk_create(
        Adoption(text=row.rules.slug, first_day=row.first_day, at=at, **shipped) for row in SHIPPED.rows
    )


def adopt(
    text: str,
    *,
    first_day: date,
    reason: str,
    by: Any,
    at: datetime,
    reference: str = "",
    by_name: str = "",
) -> Adoption:
    """Adopt a text for tournaments that start on a future day or later; `RefusedError` names what is wrong.

    A text that is adopted from this day already is returned as it was adopted. `by_name` says in the audit log who
    did it where `by` is nobody.
    """
    _refuse_others(by)
    if (adopted := standing_adoption(text, first_day)) is not None:
        return adopted
    refuse_adoption(text, first_day=first_day, reason=reason, on=at.date())
    try:
        with transaction.atomic():
            adoption = Adoption.objects.create(
                text=text,
                first_day=first_day,
                reason=reason.strip(),
                reference=reference.strip(),
                by=by,
                at=at,
            )
            _record(Deed.ADOPT, adoption, by=by, by_name=by_name, at=at, reason=reason)
            return adoption
    except IntegrityError as error:
        # Adopted by another call at the same time.
        if (adopted := standing_adoption(text, first_day)) is not None:
            return adopted
        raise RefusedError([_already_adopted(first_day)]) from error


def standing_adoption(text: str, first_day: date) -> Adoption | None:
    """Return the adoption of a text from a day on that was not revoked, if there is one."""
    return Adoption.objects.filter(text=text, first_day=first_day, revoked_at=None).first()


def refuse_adoption(text: str, *, first_day: date, reason: str, on: date) -> None:
    """Raise `RefusedError` where a text cannot be adopted on a day; write nothing."""
    if refusals := [*_adopting_refusals(text, first_day, reason, on)]:
        raise RefusedError(refusals)


def revoke(adoption: Adoption, *, reason: str, by: Any, at: datetime) -> None:
    """Revoke an adoption that no list and no rated tournament has used; `RefusedError` where one has.

    One from a past day is cancelled as such.
    """
    _refuse_others(by)
    if (late := LateAdoption.objects.filter(adoption=adoption).first()) is not None:
        cancel(late, Act(by, at, reason))
        adoption.refresh_from_db()
        return
    with transaction.atomic():
        if refusals := [*_revoking_refusals(adoption, reason)]:
            raise RefusedError(refusals)
        standing = Adoption.objects.filter(pk=adoption.pk, revoked_at=None)
        if not standing.update(revoked_by=by, revoked_at=at, revoked_reason=reason.strip()):
            raise refused("revoked", _("This adoption has already been revoked."))
        _record(Deed.REVOKE, adoption, by=by, by_name="", at=at, reason=reason)
    adoption.refresh_from_db()


def _refuse_others(by: Any) -> None:
    """Raise `RefusedError` for anybody who is not FIDE staff; nobody is the operator of the installation."""
    if by is not None and not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can adopt texts."))


def _record(deed: Deed, adoption: Adoption, *, by: Any, by_name: str, at: datetime, reason: str) -> None:
    name = f"{adoption.text} from {adoption.first_day.isoformat()}"
    record_act(Area.RULES, deed, name, by=by, by_name=by_name, at=at, reason=reason)


def _adopting_refusals(text: str, first_day: date, reason: str, today: date) -> Iterator[Refusal]:
    if text not in {rules.slug for rules in texts()}:
        message = _("No text is named “%(text)s”.") % {"text": text}
        yield Refusal("text-unknown", message, "text")
    if first_day <= today:
        message = _("Enter a date after today. A text for the past needs a decision of FIDE Council.")
        yield Refusal("day-not-in-future", message, "first_day")
    elif Adoption.objects.filter(first_day=first_day, revoked_at=None).exists():
        yield _already_adopted(first_day)
    yield from _reason_refusals(reason)


def _revoking_refusals(adoption: Adoption, reason: str) -> Iterator[Refusal]:
    if is_used(adoption):
        message = _("A list or a rated tournament uses this adoption, so it cannot be revoked.")
        yield Refusal("adoption-used", message)
    yield from _reason_refusals(reason)


def is_used(adoption: Adoption) -> bool:
    """Whether a list dated on the first day or later is there, or a tournament that began then is rated."""
    lists = RatingList.objects.filter(date__gte=adoption.first_day)
    rated = TournamentRating.objects.filter(report__tournament__start__gte=adoption.first_day)
    return lists.exists() or rated.exists()


def _reason_refusals(reason: str) -> Iterator[Refusal]:
    if not reason.strip():
        yield Refusal("reason-missing", _("Enter a reason. It is saved and published."), "reason")


def _already_adopted(first_day: date) -> Refusal:
    message = _("A text is already adopted from %(day)s.") % {"day": date_format(first_day)}
    return Refusal("day-taken", message, "first_day")
