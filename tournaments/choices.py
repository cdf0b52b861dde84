"""Stored enumerations of tournaments and reports."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Kind(models.TextChoices):
    """The two independent lists that the portal rates."""

    RAPID = "rapid", _("rapid")
    BLITZ = "blitz", _("blitz")


class Registration(models.TextChoices):
    """Where the registration stands (FIDE R&B 2024, 0.2 and 0.4)."""

    REGISTERED = "registered", _("registered")
    WAITING = "waiting", _("waiting for QC decision")
    APPROVED = "approved", _("approved")
    REFUSED = "refused", _("refused")
    NOT_RATED = "not-rated", _("not rated (QC decision)")
    WITHDRAWN = "withdrawn", _("withdrawn")


OPEN_REGISTRATIONS = (Registration.REGISTERED, Registration.APPROVED)
# Open ones, and what waits: all that may still be rated.
POSSIBLE_REGISTRATIONS = (*OPEN_REGISTRATIONS, Registration.WAITING)
CLOSED_REGISTRATIONS = (Registration.REFUSED, Registration.NOT_RATED, Registration.WITHDRAWN)


class Stage(models.TextChoices):
    """How far the tournament's report has come."""

    PLANNED = "planned", _("no accepted report")
    REPORTED = "reported", _("reported")
    RATED = "rated", pgettext_lazy("tournament", "rated")
    PUBLISHED = "published", _("published")


class FideState(models.TextChoices):
    """How far the officer has come with the tournament at FIDE."""

    SENT = "sent", _("sent to FIDE")
    ACCEPTED = "accepted", _("accepted by FIDE")


class DecidedBy(models.TextChoices):
    """Who may have a tournament rated that no federation submitted (FIDE R&B 2024, 0.2)."""

    COUNCIL = "council", _("FIDE Council")
    PRESIDENT = "president", _("FIDE President")


# What is shown of a tournament whose published report was withdrawn (D-87): no decision of the QC.
TAKEN_BACK = "taken-back"


class ReportState(models.TextChoices):
    CHECKED = "checked", _("checked, not accepted")
    ACCEPTED = "accepted", _("accepted")
    REPLACED = "replaced", _("replaced by a later version")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Action(models.TextChoices):
    """What somebody did to a registration, in the audit log."""

    REGISTER = "register", pgettext_lazy("deed", "registered")
    CHANGE = "change", _("changed the registration")
    ALLOW = "allow", _("approved the registration")
    REFUSE = "refuse", pgettext_lazy("deed", "refused")
    NOT_RATE = "not-rate", _("decided not to rate")
    WITHDRAW = "withdraw", _("withdrew")
    REQUEST = "request", _("asked the QC for a change")
    DROP = "drop", _("cancelled the request")
    GRANT = "grant", _("approved the request")
    DENY = "deny", _("refused the request")
    RESTORE = "restore", _("restored the registration")
    REPORT = "report", _("submitted a report")
    ACCEPT = "accept", _("accepted the report")
    CORRECT = "correct", _("corrected the report")
    PUBLISH = "publish", pgettext_lazy("deed", "published")
    MARK = "mark", _("marked games")
    ASK_CORRECTION = "ask-fix", _("requested a correction")
    DENY_CORRECTION = "deny-fix", _("refused a correction")
    # Stored by its former name, as rows of the audit log never change.
    HOLD = "question", _("placed the report on hold")
    CLEAR = "clear", _("released the hold")
    UNFLAG = "unflag", _("dismissed the flags")
    ASK = "ask", _("requested information")
    ANSWER = "answer", pgettext_lazy("deed", "answered")
    APPEAL = "appeal", pgettext_lazy("deed", "appealed")
    UPHOLD = "uphold", _("upheld the appeal")
    DISMISS = "dismiss", _("dismissed the appeal")
    NAME = "name", _("added a chief arbiter")
    UNNAME = "unname", _("removed a chief arbiter")
    HAND_OVER = "hand-over", _("sent the report")
    TAKE = "take", _("added the arbiter's report")
    SEND_BACK = "send-back", _("returned the report")
    KEEP = "keep", _("undid the return of the report")
    ATTACH = "attach", _("added files")
    ENTER = "enter", _("saved the entry list")
    ELSEWHERE = "elsewhere", _("saved details for players or FIDE")


# The action and the state before it of the log's entry of a published report that was withdrawn.
TAKING_BACK = (Action.NOT_RATE, Stage.PUBLISHED)


class LineAnswer(models.TextChoices):
    """Whether the person of a line is the owner of its FIDE ID, who has another name (D-130)."""

    SAME = "same", _("same person")
    OTHER = "other", _("another person")


class RequestSort(models.TextChoices):
    """What a rating officer asks of the QC once a tournament has begun (D-80, D-81)."""

    CHANGE = "change", _("change of the registration")
    WITHDRAWAL = "withdrawal", _("withdrawal")


class Verb(models.TextChoices):
    """What a program may do with an officer's token."""

    READ = "read", _("follow tournaments and reports")
    REGISTER = "register", _("register tournaments")
    SUBMIT = "submit", _("submit and accept reports")


class AppealGround(models.TextChoices):
    """Why a decision not to rate should not stand (FIDE R&B 2024, 0.4)."""

    FACTS = "facts", _("the facts differ from the decision")
    RULE = "rule", _("the article cited does not apply")
    EVIDENCE = "evidence", _("there is evidence that the decision did not consider")
    PROCEDURE = "procedure", _("the federation was not heard")
    OTHER = "other", _("other grounds")


class FilePurpose(models.TextChoices):
    """What a file with a tournament shows."""

    LATENESS = "lateness", _("reason for the late registration")
    WAIVER = "waiver", _("request for a waiver (article 5.2)")
    REPORT = "report", _("report of the chief arbiter")
    APPEAL = "appeal", _("appeal")


class GameMark(models.TextChoices):
    """Why staff had a played game not rated (FIDE R&B 2024, 4.1 and 1.2; D-83)."""

    FORCE_MAJEURE = "force-majeure", _("force majeure")
    FAIR_PLAY = "fair-play", _("Fair Play regulations")
    UNEQUAL_TIMES = "unequal-times", _("unequal playing times")
