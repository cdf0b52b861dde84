"""The steps of a tournament on its way to the list, as values: what pages, mails, feeds and the API render."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from tournaments.list_dates import due_list, last_day_to_report

ONE_DAY = timedelta(days=1)
# The steps in which a report is awaited, and those after which nothing is left to do.
REPORT_STEPS = ("take", "upload", "correct", "accept")
LAST_STEPS = ("published", "closed", "missed")
# The next steps in which no result is shown, as somebody's decision stands against it or is awaited.
BARRED_STEPS = ("decide", "answer", "question", "appeal", "council", "closed", "missed")


class Owner(models.TextChoices):
    """Whose turn it is."""

    OFFICER = "officer", _l("the rating officer")
    ARBITER = "arbiter", _l("the chief arbiter")
    STAFF = "staff", _l("FIDE staff")
    QC = "qc", _l("the QC")
    ORGANISER = "organiser", _l("the organiser")
    COUNCIL = "council", _l("FIDE Council")
    PORTAL = "portal", _l("the portal")


class StepState(StrEnum):
    """Where a step stands; pages, mails and the API name it by these words."""

    DONE = "done"
    NOW = "now"
    # To come.
    NEXT = "next"
    # Stands against the tournament.
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ReportDays:
    """The days of a report (8.1): the list for which it is due, the day before that, and the last day of all."""

    due_list: date
    last_day: date

    @property
    def due_by(self) -> date:
        return self.due_list - ONE_DAY

    @classmethod
    def of(cls, end: date, upheld_on: date | None = None) -> ReportDays:
        """Return the days for a last day; an upheld appeal opens the time anew (0.4)."""
        return cls(due_list(end), last_day_to_report(end, upheld_on))


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the way to the list: `what` it is, and the `task` in words while it is the next one.

    `public_task` says it to readers who have no part in it. `at` is when it was done, `deadline` the last day for
    it, `why` the reason given.
    """

    code: str
    what: str
    task: str = ""
    owner: Owner | None = None
    article: str = ""
    state: StepState = StepState.NEXT
    at: datetime | date | None = None
    deadline: date | None = None
    why: str = ""
    is_why_public: bool = False
    public_task: str = ""

    def for_everybody(self) -> Step:
        """Return the step without a reason that is not public, told to readers, for whom the portal is nobody."""
        why = self.why if self.is_why_public else ""
        owner = None if self.owner == Owner.PORTAL else self.owner
        return replace(self, why=why, task=self.public_task or self.task, owner=owner)


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a tournament stands: the steps in their order, the one that is next, the list where it will be or is.

    `hold_deadline` is the last day on which a hold on the report can be released for the next list. The next
    step is one of the steps, or `published`, `closed` or `missed` where nothing is left to do. `report_deadline` is the
    last day to accept the report for the expected list; `missed_list` is the one before, if it would have taken the
    tournament. `decide_by` is the last day to decide on a report that is there, whatever its list (D-128),
    `report_step` the code of the report's step until it is accepted, also while the QC decides on a request, and
    `version` the number of the newest report.
    """

    state: str
    steps: Sequence[Step]
    step: Step
    days: ReportDays
    hold_deadline: date
    report_deadline: date
    expected_list: date | None = None
    decide_by: date | None = None
    missed_list: date | None = None
    is_missed_prepared: bool = False
    report_step: str = ""
    version: int = 0

    @property
    def next_deadline(self) -> date:
        """The nearest day for the report: to decide on the one that is there, or for the expected list."""
        return min(self.decide_by or self.report_deadline, self.report_deadline)

    @property
    def is_report_due(self) -> bool:
        """Whether the report is what is awaited next, or after the tournament."""
        return self.step.code in ("play", *REPORT_STEPS) and self.step.deadline is not None

    @property
    def is_report_open(self) -> bool:
        """Whether the officer can act on the report: a request at the QC keeps only its acceptance waiting (D-80)."""
        return self.step.code == "accept" or self.report_step in REPORT_STEPS[:-1]

    @property
    def is_last_list(self) -> bool:
        """Whether no list after the expected one takes the report (8.1)."""
        return self.expected_list is not None and self.expected_list >= self.days.last_day

    @property
    def is_ended(self) -> bool:
        """Whether nothing is left to do."""
        return self.step.code in LAST_STEPS

    @property
    def is_barred(self) -> bool:
        """Whether a decision stands against the tournament or is awaited."""
        return self.step.code in BARRED_STEPS

    def deadline_of(self, code: str) -> date | None:
        """Return the last day for one of the steps, None for one that is not there."""
        return next((step.deadline for step in self.steps if step.code == code), None)

    @property
    def ahead(self) -> list[Step]:
        """The next step and those to come, where any is left."""
        return (
            []
            if self.is_ended
            else [step for step in self.steps if step.state in (StepState.NOW, StepState.NEXT)]
        )

    def for_everybody(self) -> Progress:
        """Return the progress without reasons that are not public, told to readers, who have nothing to do."""
        # The task of the next step is told once, apart from the steps.
        steps = [replace(step.for_everybody(), task="") for step in self.steps]
        return replace(self, steps=steps, step=replace(self.step.for_everybody(), why="", owner=None))


# A function and no constant: the texts are in the language of whoever reads them.
def tasks() -> dict[str, str]:
    """Return what is to be done in each next step; `coming` is `play` before the first day."""
    return {
        "decide": _("The QC decides on the registration."),
        "answer": _("Reply to the information request of the QC."),
        "request": _("The QC decides on the request of the rating officer."),
        "coming": _("The tournament has not started. The report is uploaded after the last day."),
        "play": _("The tournament is being played. The report is uploaded after the last day."),
        "take": _("Add or return the chief arbiter's report."),
        "upload": _("Upload the report."),
        "returned": _("The chief arbiter corrects the report and sends it again. You can also upload it."),
        "missed": _(
            "No report was accepted before the third list after the last day, so it cannot be rated (article 8.1)."
        ),
        "correct": _("Correct the errors of the report, in the portal or in a new file."),
        "accept": _("Review the check results and accept the report."),
        "question": _("The report is on hold. No list includes it until the QC decides."),
        "appeal": _("The organiser may appeal to FIDE Council."),
        "council": _("FIDE Council decides on the appeal."),
        "rate": _("The rating calculation has started."),
        "publish": _("The tournament is rated and will be on the next list."),
        "published": _("The tournament is on a published list. All steps are done."),
        "correction-requested": _(
            "The tournament is on a published list. A requested correction is waiting."
        ),
        "correction-owed": _(
            "The tournament is on a published list. An accepted objection is not corrected yet."
        ),
    }


def public_tasks() -> dict[str, str]:
    """Return what happens in each next step in which somebody acts, for readers."""
    return {
        "decide": _("Not approved yet. If the Qualification Commission (QC) refuses, it will not be rated."),
        "answer": _("The rating officer replies to the information request of the QC."),
        "coming": _("The tournament has not started. Its report follows after the last day."),
        "play": _("The tournament is being played. Its report follows after the last day."),
        "take": _("The rating officer decides on the chief arbiter's report."),
        "upload": _("The report of the rating officer follows."),
        "returned": _("The report of the rating officer follows."),
        "correct": _("The rating officer corrects the report."),
        "accept": _("The rating officer reviews the report."),
        "rate": _("The rating calculation has started."),
        "correction-requested": _("FIDE staff decide on a correction."),
        "correction-owed": _("A correction follows."),
    }
