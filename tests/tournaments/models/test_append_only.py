"""The audit log, internal notes and files of appeals are written once, whoever asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.factories import TournamentFactory, UserFactory, noon
from tournaments.models import AppendOnlyError, AuditEntry, InternalNote

CHANGES: dict[str, Callable[[AuditEntry], object]] = {
    "save": lambda entry: entry.save(),
    "save of a field": lambda entry: entry.save(update_fields=["reason"]),
    "delete": lambda entry: entry.delete(),
    "update": lambda entry: AuditEntry.objects.filter(pk=entry.pk).update(reason="x"),
    "bulk update": lambda entry: AuditEntry.objects.bulk_update([entry], ["reason"]),
    "delete of rows": lambda entry: AuditEntry.objects.all().delete(),
    "update from the tournament": lambda entry: entry.tournament.audit_entries.update(reason="x"),
    "delete from the tournament": lambda entry: entry.tournament.audit_entries.all().delete(),
}


@pytest.fixture
def entry(db: None) -> AuditEntry:
    tournament = TournamentFactory()
    return AuditEntry.objects.create(
        tournament=tournament,
        action="allow",
        registration="approved",
        reason="By the minutes.",
        by=UserFactory(),
        at=noon(tournament.start),
    )


@pytest.mark.parametrize("change", CHANGES)
def test_a_step_of_the_audit_log_is_never_changed(entry: AuditEntry, change: str) -> None:
    entry.reason = "Another one."

    with pytest.raises(AppendOnlyError):
        CHANGES[change](entry)

    assert AuditEntry.objects.get().reason == "By the minutes."


def test_a_step_stays_when_the_account_goes(entry: AuditEntry) -> None:
    entry.by.delete()

    assert AuditEntry.objects.values_list("reason", "by").get() == ("By the minutes.", None)


def test_a_note_is_never_changed(entry: AuditEntry) -> None:
    note = InternalNote.objects.create(tournament=entry.tournament, text="Ask again.", at=entry.at)

    with pytest.raises(AppendOnlyError):
        note.delete()
    with pytest.raises(AppendOnlyError):
        InternalNote.objects.all().delete()

    assert InternalNote.objects.get().text == "Ask again."
