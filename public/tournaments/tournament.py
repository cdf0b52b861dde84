"""The public page of a tournament: registration, standings, and progress to the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.paging import Page, numbered_page, page_number
from core.web.etags import conditionally, is_anonymous, public_page
from players.choices import CaseState
from players.claims import open_claim
from players.models import LogEntry
from public.tournaments.near import distance_of
from ratings.entry_lists import entry_list_of
from ratings.events import (
    PAGE,
    PUBLIC_ACTIONS,
    corrections_made,
    corrections_of,
    findings_summary,
    history_of,
    provisional_rating,
    published_rating,
    standings_of,
)
from ratings.in_force import load_adoptions
from ratings.lists import read_lists
from ratings.models import Correction, RatingList, TournamentRating
from ratings.next_list import next_date
from ratings.program_files import SHOWN_FILES
from ratings.rounds import (
    MATCHES_A_PAGE,
    TEAMS_A_PAGE,
    MatchRound,
    Round,
    corrected_games,
    matches_of,
    participants_and_teams,
    round_of,
    summary_of,
    teams_of,
)
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import rules_named
from tournaments.arbiters import arbiters_of
from tournaments.choices import TAKING_BACK, Action, Registration, Stage
from tournaments.entries import is_entry_list_public
from tournaments.identity import late_changes
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.objections import last_day_to_object
from tournaments.officers import officer_of_tournament
from tournaments.portal_reasons import alone_only
from tournaments.progress import public_state, state_of
from tournaments.schedule_field import days_of_schedule
from tournaments.states import progress_of
from tournaments.steps import Progress
from tournaments.time_line import TimeLinePoint, events_ahead, state_of_act

MAX_DIGITS = 6
VIEWS = {
    "standings": ("tournaments:tournament", _l("Standings")),
    "crosstable": ("tournaments:crosstable", _l("Crosstable")),
    "rounds": ("tournaments:rounds", _l("Rounds")),
    "teams": ("tournaments:teams", _l("Teams")),
    "report": ("tournaments:report", _l("Report")),
}


@dataclass(frozen=True, slots=True)
class _ViewRequest:
    """The requested part of a tournament: the view, the round number, the page of a long table; and the federation
    whose officer the reader's claim waits for.
    """

    view: str
    number: int
    page: int | None
    claim_waits_for: str


@require_safe
@public_page
def tournament(
    request: HttpRequest, event_id: str, *, view: str = "standings", number: int = 1
) -> HttpResponse:
    """Show a tournament: its registration, and once it is rated one of `VIEWS`. `number` is a round."""
    claim = None if is_anonymous(request) else open_claim(request.user)
    waits_for = claim.player.federation.shown_name if claim and claim.state == CaseState.WAITING else ""
    wanted = _ViewRequest(
        view, number, page_number(request.GET) if "page" in request.GET else None, waits_for
    )
    chosen = tournament_or_404(event_id)
    if chosen.stage != Stage.PUBLISHED:
        # Read the lists first, then the tournament again: a list may include it in the meantime.
        lists = read_lists()
        if chosen.stage == Stage.PLANNED:
            return _registration_page(request, chosen, wanted, lists)
        rating = provisional_rating(chosen)
        if rating is not None:
            return _provisional_page(request, rating, wanted, lists)
        chosen = tournament_or_404(event_id)
        if chosen.stage != Stage.PUBLISHED:
            return _registration_page(request, chosen, wanted, lists)
    every, made = read_lists(), corrections_made(chosen)
    correction = made[0] if made else None
    corrected = correction.pk if correction else None
    facts = (chosen.pk, chosen.name, chosen.registration, corrected, officer_of_tournament(chosen))
    # The day ends the time to object.
    today = timezone.now().date()
    version = ("tournament", wanted, *facts, chosen.fide_event, chosen.results_url, every.version, today)
    context = {"correction": correction, "next_date": next_date(every, chosen.kind)}
    return conditionally(
        request, lambda: _published_page(request, chosen, wanted, made, context), version=version
    )


def tournament_or_404(event_id: str) -> Tournament:
    """Return a tournament with its federation and the part before, or raise Http404."""
    chosen = Tournament.objects.select_related("federation", "continues").filter(event_id=event_id).first()
    if chosen is None:
        raise Http404(_("No tournament has event ID “%(id)s”.") % {"id": event_id})
    return chosen


def _registration(chosen: Tournament, rules: PeriodRules, progress: Progress | None = None) -> dict[str, Any]:
    """Return the public registration data of a tournament."""
    today, progress = timezone.now().date(), progress.for_everybody() if progress else None
    entries = [*chosen.log_entries.order_by("at", "pk")]
    return {
        "tournament": chosen,
        "arbiters": arbiters_of(chosen),
        "state": public_state(chosen, progress, today=today),
        "progress": progress,
        "late_changes": late_changes(chosen, entries),
        "events": [*_history(chosen, entries), *(events_ahead(progress) if progress else ())],
        "rules": rules,
        "today": today,
        "rating": None,
        "is_provisional": False,
        "findings": None,
        "corrections": (),
        "correction": None,
        "corrected_games": {},
        "standings": None,
    }


def _registration_page(
    request: HttpRequest, chosen: Tournament, wanted: _ViewRequest, lists: Lists[RatingList]
) -> HttpResponse:
    """Show a tournament without results. URLs of results return 404."""
    if wanted.view != "standings":
        raise Http404(_("This page does not exist."))
    progress = progress_of(chosen, lists, today=timezone.now().date())
    context = _registration(chosen, load_adoptions().text_on(chosen.start), progress)
    context |= {
        "view": "report",
        "days": [*days_of_schedule(chosen)],
        "officer": officer_of_tournament(chosen),
    }
    if chosen.stage == Stage.PLANNED and is_entry_list_public(chosen) and context["today"] <= chosen.end:
        context |= {
            "view": "upcoming",
            "entries": entry_list_of(chosen, lists),
            "near": distance_of(chosen, request.GET) if "town" in request.GET else None,
        }
    return render(request, "public/tournaments/tournament.html", context)


def _published_page(
    request: HttpRequest,
    chosen: Tournament,
    wanted: _ViewRequest,
    made: Sequence[Correction],
    corrected: dict[str, Any],
) -> HttpResponse:
    rating = published_rating(chosen)
    if rating is None:
        raise Http404(_("This page does not exist."))
    figures = _figures(request, chosen, rating, wanted, corrected["correction"])
    lines = corrections_of(chosen) if made else []
    context = {
        **_registration(chosen, rules_named(rating.rules)),
        **figures,
        "corrected_games": corrected_games(rating, made[0] if made else None)
        if wanted.view in ("crosstable", "rounds")
        else {},
        "findings": findings_summary(rating) if wanted.view == "report" else None,
        **corrected,
        "corrections": lines,
        "made": [(one, [line for line in lines if line.correction_id == one.pk]) for one in made],
    }
    return render(request, "public/tournaments/tournament.html", context)


def _provisional_page(
    request: HttpRequest, rating: TournamentRating, wanted: _ViewRequest, lists: Lists[RatingList]
) -> HttpResponse:
    chosen = rating.report.tournament
    progress = progress_of(chosen, lists, today=timezone.now().date())
    context = {
        **_registration(chosen, rules_named(rating.rules), progress),
        **_figures(request, chosen, rating, wanted),
        "is_provisional": True,
    }
    return render(request, "public/tournaments/tournament.html", context)


def _figures(
    request: HttpRequest,
    chosen: Tournament,
    rating: TournamentRating,
    wanted: _ViewRequest,
    correction: Correction | None = None,
) -> dict[str, Any]:
    """Return the context of a rated tournament, published or provisional. Raise Http404 for an unknown page."""
    participants, teams = participants_and_teams(rating)
    # A corrected report can be objected to again.
    report = correction.new_report if correction and correction.new_report else rating.report
    accepted_on = report.accepted_on
    context = {
        "rating": rating,
        "last_day": accepted_on and last_day_to_object(accepted_on),
        "rounds": range(1, rating.report.rounds + 1),
        "view": wanted.view,
        "participants": participants,
        "tabs": list(_tabs(chosen, rating, wanted.view, teams=len(teams))),
        "marked": request.GET.get("mark", ""),
        "claim_waits_for": wanted.claim_waits_for,
        "entry_files": SHOWN_FILES,
        "officer": officer_of_tournament(chosen),
    }
    if wanted.view == "rounds":
        return context | _round(request, rating, wanted, teams)
    if wanted.view == "teams":
        return context | _teams(request, rating, wanted, teams=len(teams))
    if wanted.view == "report":
        return context
    return context | _standings(request, rating, wanted, correction)


def _tabs(
    chosen: Tournament, rating: TournamentRating, current: str, *, teams: int
) -> Iterator[dict[str, Any]]:
    counts = {"rounds": rating.report.rounds, "teams": teams}
    for view, (name, label) in VIEWS.items():
        # Only events of teams have a tab for teams; views without a count always show.
        if counts.get(view) != 0:
            url = reverse(name, args=[chosen.event_id])
            yield {"label": label, "url": url, "current": view == current, "count": counts.get(view)}


def _standings(
    request: HttpRequest, rating: TournamentRating, wanted: _ViewRequest, correction: Correction | None
) -> dict[str, Any]:
    marked = request.GET.get("mark", "")
    place = int(marked) if marked.isdecimal() and len(marked) < MAX_DIGITS else 0
    standings = standings_of(rating, page=wanted.page, marked=place, correction=correction)
    if standings is None:
        raise Http404(_("This page does not exist."))
    page = _page_links(request, standings.number, standings.pages, len(standings.ranks))
    own = {} if wanted.view == "crosstable" else {"summary": summary_of(rating, standings.start_ratings)}
    return {"standings": standings, "page": page, **own}


def _round(
    request: HttpRequest, rating: TournamentRating, wanted: _ViewRequest, teams: Sequence[tuple[Any, ...]]
) -> dict[str, Any]:
    """Return the context of a round: matches in a team event, else pairings."""
    if not 1 <= wanted.number <= max(rating.report.rounds, 1):
        raise Http404(_("This page does not exist."))
    number, page_number = wanted.number, wanted.page or 1
    found: MatchRound | Round | None
    if teams:
        found, size = matches_of(rating, number, teams, page=page_number), MATCHES_A_PAGE
    else:
        found, size = round_of(rating, number, page=page_number), PAGE
    if found is None:
        raise Http404(_("This page does not exist."))
    page = _page_links(request, found.number, found.pages, found.total, size=size)
    return {"round": found, "is_of_teams": bool(teams), "number": number, "page": page}


def _teams(
    request: HttpRequest, rating: TournamentRating, wanted: _ViewRequest, *, teams: int
) -> dict[str, Any]:
    number, pages = wanted.page or 1, -(-teams // TEAMS_A_PAGE)
    if not 1 <= number <= pages:
        raise Http404(_("This page does not exist."))
    page = _page_links(request, number, pages, teams, size=TEAMS_A_PAGE)
    return {"teams": teams_of(rating, page=number), "page": page}


def _page_links(request: HttpRequest, number: int, pages: int, total: int, *, size: int = PAGE) -> Page[Any]:
    """Return the links to the other pages, an empty page if there is only one."""
    if pages == 1:
        return Page([])
    label = _("%(first)s to %(last)s of %(total)s")
    ends = {"first": (number - 1) * size + 1, "last": min(number * size, total), "total": total}
    return numbered_page(request.GET, number, has_next=number < pages, last=pages, label=label % ends)


def _history(chosen: Tournament, entries: Sequence[LogEntry]) -> Iterator[TimeLinePoint]:
    """Yield the steps of a tournament, without the user's names."""
    for entry in history_of(chosen, entries):
        # A correction's reason is published with it (D-11), other reasons only where the QC said so.
        is_told = entry.action == Action.CORRECT or entry.is_public
        why, words = entry.why_apart if is_told else (alone_only(entry.stated), "")
        state = state_of_act(entry, state_of(chosen))
        # A past one has the day that counts, not the instant at which it was entered.
        is_past = entry.action == Action.REGISTER and chosen.registered_on < entry.at.date()
        at = chosen.registered_on if is_past else entry.at
        what: str | Promise = PUBLIC_ACTIONS[Action(entry.action)]
        if (entry.action, entry.before) == TAKING_BACK:
            what = _("Withdrawn after publication")
        if (entry.action, entry.after) == (Action.REGISTER, Registration.WAITING):
            what = _("Registration requested")
        yield TimeLinePoint(what, at, why=why, words=words, state=state)
