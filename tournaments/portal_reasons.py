"""The reasons of steps that the portal itself gives, by code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from core.stated import Sentences, stated_items
from tournaments.choices import AppealGround, FilePurpose, GameMark, Kind, LineAnswer
from tournaments.trf.findings import CODES

SENTENCES = Sentences(
    {
        # Why a registration waits for the QC (FIDE R&B 2024, 0.2).
        "hybrid": _("The QC must approve each hybrid tournament (article 0.2)."),
        "late": _("Registered less than 3 days before the first day (article 0.2)."),
        "changed-late": _("Changed less than 3 days before the first day (article 0.2)."),
        "another-event": _(
            "Changed after the deadline of registration to what counts as another event (article 0.2)."
        ),
        "waiver": _("Waiver for games after the match is won (article 5.2)."),
        # Of flags that do not name what was found.
        "flagged": _("Results and events flagged by the checks: %(number)d."),
        "same-games": _(
            "The report has the games of %(events)s. If you release this with a reason, it may be accepted."
        ),
        "published-before": _(
            "The tournament was published before the QC decided. FIDE staff can correct the report or the conditions."
        ),
        "request-cancelled": _("The request was cancelled."),
        "change-undone": _("The change of the registration was undone."),
        "change-redone": _("The undone change was made again."),
        "registration-undone": _("The registration was undone."),
        "withdrawal-undone": _("The withdrawal was undone."),
        "return-undone": _("The return was undone."),
        "exchanged": _("Report exchanged with that of %(event)s."),
        "lines-fixed": _("Version %(new)d created. Lines fixed in version %(old)d: %(lines)s."),
        "game-marked": _("Round %(round)d, White %(white)d: %(mark)s (%(reference)s)."),
        "mark-removed": _("Round %(round)d, White %(white)d: mark removed."),
        "ids-known": _("FIDE IDs known since the report was accepted: %(ids)s."),
        "acknowledged": _("Printed and acknowledged by the command."),
        "files-added": _("Files (%(purpose)s): %(names)s"),
        "players-entered": _("Players on the entry list: %(number)d."),
        "ground": "%(ground)s",
        "list": "%(kind)s, %(month)s",
        # The reason for one group of warnings.
        "answer": "%(reason)s (%(finding)s)",
        "line-answer": _("Line %(line)d, %(reported)s, and FIDE ID %(fide_id)d, %(registered)s: %(answer)s."),
        "alone": _("Decided by a person concerned, as nobody else could."),
    },
    months=["month"],
    lines=["answer", "line-answer"],
    titles={code: one.title for code, one in CODES.items()},
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
