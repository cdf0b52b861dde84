"""The audit log, internal notes and files of appeals are written once, whoever asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from players.models import LogEntry
from tests import make
from tests.log import steps
from tournaments.models import AppendOnlyError, InternalNote

CHANGES: dict[str, Callable[[LogEntry], object]] = {
    "save": lambda entry: entry.save(),
    "save of a field": lambda entry: entry.save(update_fields=["reason"]),
    "delete": lambda entry: entry.delete(),
    "update": lambda entry: LogEntry.objects.filter(pk=entry.pk).update(reason="x"),
    "bulk update": lambda entry: LogEntry.objects.bulk_update([entry], ["reason"]),
    "delete of rows": lambda entry: LogEntry.objects.all().delete(),
    "update from the tournament": lambda entry: entry.tournament.log_entries.update(reason="x"),
    "delete from the tournament": lambda entry: entry.tournament.log_entries.all().delete(),
}


@pytest.fixture
def entry(db: None) -> LogEntry:
    tournament = make.tournament()
    return make.step(
        tournament,
        "allow",
        "approved",
        reason="By the minutes.",
        by=make.user(),
        at=make.noon(tournament.start),
    )


@pytest.mark.parametrize("change", CHANGES)
def test_a_step_of_the_audit_log_is_never_changed(entry: LogEntry, change: str) -> None:
    entry.reason = "Another one."

    with pytest.raises(AppendOnlyError):
        CHANGES[change](entry)

    assert steps().get().reason == "By the minutes."


def test_a_note_is_never_changed(entry: LogEntry) -> None:
    note = InternalNote.objects.create(tournament=entry.tournament, text="Ask again.", at=entry.at)

    with pytest.raises(AppendOnlyError):
        note.delete()
    with pytest.raises(AppendOnlyError):
        InternalNote.objects.all().delete()

    assert InternalNote.objects.get().text == "Ask again."
