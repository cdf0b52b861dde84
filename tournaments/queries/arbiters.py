"""The tournaments of an arbiter, and the arbiters of a tournament."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from players.choices import CaseKind
from players.queries.arbiters import Arbiter, arbiter_of
from tournaments.choices import OPEN_REGISTRATIONS, Stage
from tournaments.models import Tournament

# Refused and withdrawn tournaments are not shown.
SHOWN = Q(registration__in=OPEN_REGISTRATIONS) | Q(stage=Stage.PUBLISHED)


def directed_by(fide_id: int) -> QuerySet[Tournament]:
    """Return the registered and published tournaments of an arbiter; `is_chief` is the role in each."""
    tournaments = Tournament.objects.filter(SHOWN, arbiters__player=fide_id)
    return tournaments.annotate(is_chief=F("arbiters__is_chief")).defer("schedule")


def arbiters_of(tournament: Tournament) -> list[tuple[Arbiter, bool]]:
    """Return the arbiters of a tournament by FIDE ID in their order, each with whether it is the chief."""
    rows = tournament.arbiters.select_related("player__arbiter_licence").order_by("place")
    return [(arbiter_of(row.player), row.is_chief) for row in rows]


def chief_emails_and_objection_states(tournament: Tournament) -> tuple[list[str], list[str]]:
    """Return the email addresses of the named chief arbiters, and the states of the objections, in one query."""
    email = Coalesce("user__email", "invitation__email", Value(""))
    named = tournament.named_arbiters.order_by().annotate(sort=Value("named"), what=email)
    objections = tournament.cases.filter(kind=CaseKind.OBJECTION).order_by()
    objections = objections.annotate(sort=Value("objection"), what=F("state"))
    columns = ("sort", "what", "pk")
    both = named.values_list(*columns).union(objections.values_list(*columns), all=True).order_by()
    rows = sorted(both, key=lambda row: row[2])
    return [row[1] for row in rows if row[0] == "named"], [row[1] for row in rows if row[0] == "objection"]
