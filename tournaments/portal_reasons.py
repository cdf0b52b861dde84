"""The reasons of steps that the portal itself gives, by code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from core.stated import Sentences, stated_items
from tournaments.choices import AppealGround, FilePurpose, GameMark, Kind, LineAnswer

SENTENCES = Sentences(
    {
        # Why a registration waits for the QC (FIDE R&B 2024, 0.2).
        "hybrid": gettext_noop("The QC must approve each hybrid tournament (article 0.2)."),
        "late": gettext_noop("Registered less than 3 days before the first day (article 0.2)."),
        "another-event": gettext_noop(
            "Changed after the deadline of registration to what counts as another event (article 0.2, decision D-127)."
        ),
        "waiver": gettext_noop("Waiver for games after the match is won (article 5.2)."),
        "flagged": gettext_noop("Results and events flagged by the checks: %(number)d."),
        "same-games": gettext_noop(
            "The report has the games of %(events)s. If you release this with a reason, it may be accepted (decision "
            "D-129)."
        ),
        "published-before": gettext_noop(
            "The tournament was published before the QC decided. FIDE staff can correct the report or the conditions "
            "(decisions D-11 and D-82)."
        ),
        "request-cancelled": gettext_noop("The request was cancelled."),
        "change-undone": gettext_noop("The last change was undone."),
        "registration-undone": gettext_noop("The registration was undone."),
        "withdrawal-undone": gettext_noop("The withdrawal was undone."),
        "return-undone": gettext_noop("The return was undone."),
        "exchanged": gettext_noop("Report exchanged with that of %(event)s."),
        "lines-fixed": gettext_noop("Version %(new)d created. Lines fixed in version %(old)d: %(lines)s."),
        "game-marked": gettext_noop("Round %(round)d, White %(white)d: %(mark)s (%(reference)s)."),
        "mark-removed": gettext_noop("Round %(round)d, White %(white)d: mark removed."),
        "ids-known": gettext_noop("FIDE IDs known since the report was accepted: %(ids)s."),
        "acknowledged": gettext_noop("Printed and acknowledged by the command."),
        "files-added": gettext_noop("Files (%(purpose)s): %(names)s"),
        "players-entered": gettext_noop("Players on the entry list: %(number)d."),
        "ground": "%(ground)s",
        "list": "%(kind)s, %(month)s",
        # The reason for one group of warnings.
        "answer": "%(reason)s (%(finding)s)",
        "line-answer": gettext_noop(
            "Line %(line)d, %(reported)s, and FIDE ID %(fide_id)d, %(registered)s: %(answer)s (decision D-130)."
        ),
        "alone": gettext_noop("Decided by a person concerned, as nobody else could (decision D-131)."),
    },
    months=["month"],
    lines=["answer", "line-answer"],
    answer=LineAnswer,
    purpose=FilePurpose,
    mark=GameMark,
    ground=AppealGround,
    kind=Kind,
)


def with_alone(reason: str, *, is_alone: bool) -> str:
    """Return the reason of a decision; where a person concerned took it alone, it says so once (D-131)."""
    says_so = any(item.get("code") == "alone" for item in stated_items(reason) or ())
    return SENTENCES.state("alone", words=reason) if is_alone and not says_so else reason


def alone_only(stated: Sequence[Mapping[str, Any]] | None) -> str:
    """Return what everybody may read of a reason that is not public: that a person concerned decided (D-131)."""
    return SENTENCES.show([item for item in stated or () if item.get("code") == "alone"])
