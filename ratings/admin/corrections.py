"""The pages on which staff correct published reports, games, conditions and players: first the effect (D-11, D-82)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from core.acts import Act
from core.html.figures import signed_hundredths
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from players.models import Player
from players.name_fields import is_name_check, shown_name
from players.permissions import is_staff
from players.person_names import split_name
from players.staff_admin import EvidenceAdmin, EvidenceInline
from ratings.admin.correcting import (
    LABELS,
    ConditionsForm,
    CorrectionForm,
    EventForm,
    PlayerForm,
    WhoForm,
    kept_file,
)
from ratings.models import Correction, CorrectionLine
from ratings.services.corrections.amend import amend
from ratings.services.corrections.effect import Effect
from ratings.services.corrections.players import FIELDS, amend_player, data_amendments, player_seen
from tournaments.amendments import Amendment, File, Withdrawal
from tournaments.queries.changed_fields import shown_changes
from tournaments.queries.known_ids import lines_known_since
from tournaments.services.condition_corrections import condition_amendments
from tournaments.trf.limits import MAX_BYTES


class CorrectionLineInline(EvidenceInline):
    model = CorrectionLine
    fields = ["player", "corrected_list", "kind", "difference", "games_difference", "taken_by"]
    readonly_fields = ["difference"]

    @admin.display(description=_l("difference"))
    def difference(self, line: CorrectionLine) -> str:
        return signed_hundredths(line.difference_hundredths, exact=True)

    def get_queryset(self, request: HttpRequest) -> QuerySet[CorrectionLine]:
        # A manifest names every report of a month, and each line has two lists.
        return super().get_queryset(request).defer("corrected_list__manifest", "taken_by__manifest")


@admin.register(Correction)
class CorrectionAdmin(EvidenceAdmin[Correction]):
    """Reports and players' data that were corrected, with the lines that the next list takes (D-11)."""

    list_display = ["at", "tournament", "player", "reason", "by"]
    list_select_related = ["tournament", "player", "by"]
    search_fields = ["tournament__event_id__istartswith"]
    inlines = [CorrectionLineInline]
    change_list_template = "admin/ratings/corrections.html"

    def get_urls(self) -> list[URLPattern]:
        read = bounded({"report": MAX_BYTES})
        own = [
            path(f"{name}/", read(self.admin_site.admin_view(page)), name=f"ratings_correction_{name}")
            for name, page in (
                ("correct", self.correct),
                ("game", self.game),
                ("player", self.player),
                ("conditions", self.conditions),
            )
        ]
        return [*own, *super().get_urls()]

    def correct(self, request: HttpRequest) -> HttpResponse:
        """Show the effect of a corrected report; when confirmed, correct it (D-11)."""
        context = self._context(request, _("Correct a published report"))
        proposed = _proposed(request)
        if proposed:
            form = CorrectionForm(proposed)
        else:
            form = form_of(request, CorrectionForm, initial={"event_id": request.GET.get("event", "")})
        effect = None
        if (proposed or _is_sent(request)) and form.is_valid():
            is_confirmed = "confirm" in request.POST
            effect = _effect_of_report(form, by=request.user, is_dry_run=not is_confirmed)
            if effect and is_confirmed:
                messages.success(request, _corrected_message(effect))
                return redirect("admin:ratings_correction_changelist")
        context |= {"form": form, "effect": effect, "rows": with_players(effect.lines) if effect else []}
        return render(request, "admin/ratings/correct.html", context)

    def game(self, request: HttpRequest) -> HttpResponse:
        """Ask for the tournament, and lead to its crosstable: a game is decided on there (4.1, D-11)."""
        context = self._context(request, _("Decide on one game"))
        which = EventForm(request.GET if "event" in request.GET else None)
        if which.is_valid():
            return redirect("desk:results", which.tournament.event_id)
        return render(request, "admin/ratings/game.html", context | {"which": which})

    def player(self, request: HttpRequest) -> HttpResponse:
        """Ask for the player, then show the effect of other data; when confirmed, correct them (D-11)."""
        context = self._context(request, _("Correct player data"))
        if is_name_check(request):
            return shown_name(request, PlayerForm(initial=request.GET.dict()))
        who = WhoForm(request.GET if "fide_id" in request.GET else None)
        if not who.is_valid():
            return render(request, "admin/ratings/player.html", {**context, "who": who})
        # A list that differs leads here with its values (D-136).
        name = split_name(request.GET.get("name", str(who.player.name)))
        shown = {"surname": name.surname, "given_names": name.given, "seen": player_seen(who.player)}
        shown |= {name: request.GET.get(name, getattr(who.player, name)) for name in FIELDS if name != "name"}
        form = form_of(request, PlayerForm, initial=shown)
        form.recorded_name = str(who.player.name)
        effect = None
        if _is_sent(request) and form.is_valid():
            is_confirmed = "confirm" in request.POST
            effect = _effect_of_data(who.player, form, by=request.user, is_dry_run=not is_confirmed)
            if effect and is_confirmed:
                messages.success(request, _("%(player)s was corrected.") % {"player": who.player})
                return redirect("admin:players_player_change", who.player.pk)
        context |= {"who": who, "form": form, "player": who.player, "effect": effect}
        if effect:
            changes = [(LABELS[one["field"]], one["before"], one["after"]) for one in effect.changes]
            context |= {"changes": changes, "rows": with_players(effect.lines)}
        return render(request, "admin/ratings/player.html", context)

    def conditions(self, request: HttpRequest) -> HttpResponse:
        """Ask for the tournament, then show the effect of other conditions; when confirmed, correct them (D-82)."""
        context = self._context(request, _("Correct the conditions of a tournament"))
        which = EventForm(request.GET if "event" in request.GET else None)
        context["which"] = which
        if not which.is_valid():
            return render(request, "admin/ratings/conditions.html", context)
        tournament = which.tournament
        form = form_of(request, ConditionsForm, tournament=tournament, user=request.user)
        effect = None
        if _is_sent(request) and form.is_valid():
            is_confirmed = "confirm" in request.POST
            effect = _effect_of_conditions(form, by=request.user, is_dry_run=not is_confirmed)
            if effect and is_confirmed:
                messages.success(request, _("The conditions are corrected."))
                return redirect("admin:tournaments_tournament_change", tournament.pk)
        context |= {"tournament": tournament, "form": form, "effect": effect, "typed": _typed_values(request)}
        if effect:
            changes = list(shown_changes(effect.changes))
            people = Player.objects.in_bulk([one.player_id for one in effect.players])
            shares = [(people[one.player_id], one) for one in effect.players]
            context |= {"changes": changes, "rows": with_players(effect.lines), "shares": shares}
        return render(request, "admin/ratings/conditions.html", context)

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        """Return what all pages show. Raise `PermissionDenied` for anybody but FIDE staff."""
        if not is_staff(request.user):
            raise PermissionDenied
        return {**self.admin_site.each_context(request), "title": title, "opts": self.opts}


def _is_sent(request: HttpRequest) -> bool:
    """Whether a form was sent. "Back" on the page with its effect only opens it again as it was typed."""
    return request.method == "POST" and "back" not in request.POST


def _proposed(request: HttpRequest) -> dict[str, str]:
    """Return the form that proposes the accepted report anew, where FIDE IDs of it became known (D-139)."""
    if request.method != "GET" or "known" not in request.GET:
        return {}
    lines = lines_known_since().filter(report__tournament__event_id=request.GET.get("event", ""))
    known = list(lines.select_related("report").order_by("number"))
    if not known:
        return {}
    report = known[0].report
    ids = ", ".join(str(line.fide_id) for line in known)
    return {
        "event_id": request.GET["event"],
        "kept": kept_file(report.file_name, bytes(report.content)),
        "reason": _("FIDE IDs known since the report was accepted: %(ids)s.") % {"ids": ids},
    }


def with_players(lines: Sequence[CorrectionLine]) -> list[dict[str, Any]]:
    players = Player.objects.in_bulk([line.player_id for line in lines])
    return [{"line": line, "player": players[line.player_id]} for line in lines]


def _effect_of_report(form: CorrectionForm, *, by: Any, is_dry_run: bool) -> Effect | None:
    act = Act(by, timezone.now(), form.cleaned_data["reason"])
    file = Withdrawal() if form.content is None else File(name=form.file_name, content=form.content)
    seen = form.seen_before(is_dry_run=is_dry_run)
    with refusals_shown(form):
        return amend(form.tournament, [file], act, seen=seen, is_dry_run=is_dry_run)
    return None


def _corrected_message(effect: Effect) -> str:
    done = ngettext(
        "The report was corrected. The next list includes %(number)d adjustment.",
        "The report was corrected. The next list includes %(number)d adjustments.",
        len(effect.lines),
    )
    return done % {"number": len(effect.lines)}


def _effect_of_data(player: Player, form: PlayerForm, *, by: Any, is_dry_run: bool) -> Effect | None:
    data = data_amendments({name: form.cleaned_data[name] for name in FIELDS})
    act = Act(by, timezone.now(), form.cleaned_data["reason"])
    values = {name: form.cleaned_data[name] for name in ("seen", "is_name_confirmed")}
    with refusals_shown(form):
        return amend_player(player, data, act, is_dry_run=is_dry_run, **values)
    return None


def _effect_of_conditions(form: ConditionsForm, *, by: Any, is_dry_run: bool) -> Effect | None:
    act = Act(by, timezone.now(), form.cleaned_data["reason"])
    amendments: list[Amendment] = [*condition_amendments(form.tournament, form.request())]
    if form.content is not None:
        amendments.append(File(name=form.file_name, content=form.content))
    with refusals_shown(form):
        return amend(form.tournament, amendments, act, seen=form.cleaned_data["seen"], is_dry_run=is_dry_run)
    return None


def _typed_values(request: HttpRequest) -> list[tuple[str, Any]]:
    """Return the typed values that the page with the effect sends again; the file has a separate field."""
    # Django gives each page its own token, and the template has a field or a button for the others.
    left = ("csrfmiddlewaretoken", "confirm", "back", "kept")
    return [
        (name, value) for name in request.POST if name not in left for value in request.POST.getlist(name)
    ]
