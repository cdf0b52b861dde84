"""The pages on which staff correct published reports, games, conditions and players: first the effect (D-11, D-82)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Abs
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from core.acts import Act
from core.html.dates import days_text, list_month
from core.html.fields import DayInput, SortedChoiceField, TextField
from core.html.figures import decimal_hundredths, signed_hundredths, signed_points
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.html.states import STATES
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from players.choices import Sex
from players.models import Federation, Player
from players.name_doubts import NameDoubt
from players.name_fields import PersonNameFields, is_name_check, shown_name
from players.permissions import is_staff
from players.person_names import split_name
from players.staff_admin import EvidenceAdmin, EvidenceInline
from ratings.amend.amend import amend
from ratings.amend.effect import Effect
from ratings.amend.players import FIELDS, amend_player, data_amendments, player_seen
from ratings.choices import PUBLISHED_KINDS, LineKind
from ratings.lists import read_lists
from ratings.models import Calculation, Correction, CorrectionLine, ProvisionalCalculation
from ratings.movements import acts, ledger
from ratings.player_field import CANDIDATES, FormWithPlayer, PlayerField
from ratings.search import find_tournaments
from tournaments.amendment_texts import amendment_texts
from tournaments.amendments import Amendment, File, OfGame, Withdrawal
from tournaments.awaited_ids import lines_known_since
from tournaments.changed_fields import shown_changes
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import TAKEN_BACK
from tournaments.corrections import condition_amendments
from tournaments.list_dates import lists_after
from tournaments.models import Tournament
from tournaments.registration_form import STAFF_FIELDS, RegistrationForm, as_typed
from tournaments.trf import read_report
from tournaments.trf.changed_lines import pairing_of
from tournaments.trf.limits import MAX_BYTES


class CorrectionLineInline(EvidenceInline):
    model = CorrectionLine
    fields = ["player", "corrected_list", "kind", "difference", "games", "calculation"]
    readonly_fields = ["difference", "games", "calculation"]
    is_long = True

    @admin.display(description=_l("Difference"))
    def difference(self, line: CorrectionLine) -> str:
        # Of an initial rating that is removed or added, the calculation alone says what the next list adds.
        is_reset = line.kind == LineKind.LOST or (
            line.kind == LineKind.INITIAL and line.before_hundredths is None
        )
        return "–" if is_reset else signed_hundredths(line.difference_hundredths)

    @admin.display(description=_l("Difference in rated games"))
    def games(self, line: CorrectionLine) -> str:
        return signed_points(line.games_difference)

    @admin.display(description=_l("All corrections of the player"))
    def calculation(self, line: Any) -> SafeString:
        """Return what the list that takes the line adds to the player by all corrections, with its calculation."""
        kind, taken = line.corrected_list.kind, line.taken_by
        if taken is None:
            page, month = reverse("players:so-far", args=[line.player_id, kind]), _("next list")
        else:
            page = reverse("players:calculation", args=[line.player_id, kind, taken.date])
            month = list_month(taken.date)
        added = line.taken if taken else line.coming
        text = month if added is None else f"{signed_hundredths(added)} ({month})"
        return format_html('<a href="{}">{}</a>', page, text)

    def get_queryset(self, request: HttpRequest) -> QuerySet[CorrectionLine]:
        # A manifest names every report of a month, and each line has a list.
        rows: Any = super().get_queryset(request).select_related("taken_by")
        rows = rows.defer("corrected_list__manifest", "taken_by__manifest")
        place = Case(*(When(kind=kind, then=number) for number, kind in enumerate(GROUPS)))
        of_player, column = {"player": OuterRef("player")}, "correction_hundredths"
        coming = ProvisionalCalculation.objects.filter(kind=OuterRef("corrected_list__kind"), **of_player)
        taken = Calculation.objects.filter(rating_list=OuterRef("taken_by"), **of_player)
        added = {"coming": coming, "taken": taken}
        rows = rows.annotate(
            **{name: Subquery(some.order_by().values(column)[:1]) for name, some in added.items()}
        )
        order = (place, Abs("coming").desc(nulls_last=True), Abs("difference_hundredths").desc(), "pk")
        found: QuerySet[CorrectionLine] = rows.order_by(*order)
        return found


@admin.register(Correction)
class CorrectionAdmin(EvidenceAdmin[Correction]):
    """Reports and players' data that were corrected, with the lines that the next list takes (D-11)."""

    list_display = ["about", "shown_reason", "included", "at", "by"]
    exclude = ["amendments"]
    list_select_related = ["tournament", "player", "by"]
    search_fields = ["tournament__event_id__istartswith"]
    readonly_fields = ["amended", "taken"]
    inlines = [CorrectionLineInline]
    change_list_template = "admin/ratings/corrections.html"

    @admin.display(description=_l("Tournament or player"), ordering="tournament__name")
    def about(self, correction: Correction) -> SafeString:
        """Return the name with its ID."""
        about: Any = correction.tournament or correction.player
        if number := correction.late_adoption_id and getattr(correction, "of_act", 0):
            players = ngettext("%(number)s player", "%(number)s players", number) % {"number": number}
            title = _("Text adopted from a past date")
            return format_html('{} <small class="block quiet light">{}</small>', title, players)
        number = about.event_id if isinstance(about, Tournament) else about.pk
        return format_html('{} <small class="block quiet light">{}</small>', about.name, number)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Correction]:
        is_list = request.resolver_match and str(request.resolver_match.url_name).endswith("_changelist")
        return acts(ledger()) if is_list else ledger()

    @admin.display(description=_l("Reason"))
    def shown_reason(self, correction: Correction) -> SafeString:
        """Return the reason, and what was corrected."""
        what = " · ".join(_texts(correction))
        return format_html('{} <small class="block quiet light">{}</small>', correction.why, what)

    @admin.display(description=_l("Included in"), ordering="taken_on")
    def included(self, correction: Any) -> str:
        """Return the month of the first lists with the correction, as the correction log does."""
        if correction.taken_on:
            return list_month(correction.taken_on)
        return _("next list") if correction.players else _("no rating changes")

    @admin.display(description=_l("Amendments"))
    def amended(self, correction: Correction) -> str:
        """Return what was corrected, of games with the names of both players."""
        players: dict[tuple[int, int], str] = {}
        games = [one for one in correction.amendments if isinstance(one, OfGame)]
        if games and correction.old_report:
            read = read_report(bytes(correction.old_report.content))
            people = read.by_number
            for one in games:
                if pairing := pairing_of(read, round_number=one.round, white=one.white):
                    names = f"{people[pairing.white].name} – {people[pairing.black].name}"
                    players[one.round, one.white] = names
        return " · ".join(_texts(correction, players))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Show a correction of games by the games, another by its subject."""
        correction = context["original"]
        if any(isinstance(one, OfGame) for one in correction.amendments):
            context["named"] = self.amended(correction)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_l("Included in"))
    def taken(self, correction: Any) -> str:
        """Return the month of the lists with the correction; the next one where they are not published."""
        if correction.taken_on or not correction.players:
            return self.included(correction)
        kinds = [correction.tournament.kind] if correction.tournament else PUBLISHED_KINDS
        today = timezone.now().date()
        month = read_lists().due(kinds, today) or next(lists_after(today))
        return _("%(month)s, not published yet") % {"month": list_month(month)}

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show a correction; of an act on whole lists, the page of the act, which has all players."""
        found = Correction.objects.filter(pk=object_id, late_adoption__isnull=False).first()
        if found is not None and is_staff(request.user):
            return redirect("desk:late-adoption", found.late_adoption_id)
        return super().change_view(request, object_id, *args, **kwargs)

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
            if form.content is None:
                context["title"] = _("Withdraw a published report")
            if effect and is_confirmed:
                done = _corrected_message(effect, is_withdrawn=form.content is None)
                messages.success(request, done)
                return redirect("admin:ratings_correction_changelist")
        context |= {"form": form, "effect": effect, **(with_players(effect) if effect else {})}
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
        who = WhoForm(request.GET if "fide_id" in request.GET else None, user=request.user)
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
            context |= {"changes": changes, **with_players(effect)}
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
                done = _("The conditions are corrected.")
                messages.success(request, f"{done} {_included_lines(effect)}")
                return redirect("admin:ratings_correction_changelist")
        context |= {"tournament": tournament, "form": form, "effect": effect, "typed": _typed_values(request)}
        if effect:
            changes = list(shown_changes(effect.changes))
            people = Player.objects.in_bulk([one.player_id for one in effect.players])
            shares = [(people[one.player_id], one) for one in effect.players]
            context |= {"changes": changes, "shares": shares, **with_players(effect)}
        return render(request, "admin/ratings/conditions.html", context)

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        """Return what all pages show. Raise `PermissionDenied` for anybody but FIDE staff."""
        if not is_staff(request.user):
            raise PermissionDenied
        return {**self.admin_site.each_context(request), "title": title, "opts": self.opts}


def _texts(correction: Correction, players: Mapping[tuple[int, int], str] | None = None) -> list[str]:
    """Return what was corrected beside a file, a withdrawal in its word."""
    if correction.tournament_id and correction.new_report_id is None:
        return [str(STATES[TAKEN_BACK][0])]
    return amendment_texts(correction.amendments, players or {})


def _is_sent(request: HttpRequest) -> bool:
    """Whether a form was sent. "Back" on the page with its effect only opens it again as it was typed."""
    return request.method == "POST" and "back" not in request.POST


def _proposed(request: HttpRequest) -> dict[str, str]:
    """Return the form that proposes the accepted report anew, where FIDE IDs of it became known (D-139)."""
    if request.method != "GET" or "known" not in request.GET:
        return {}
    # PostgreSQL refuses the character in a query.
    event_id = request.GET.get("event", "").replace("\x00", "")
    lines = lines_known_since().filter(report__tournament__event_id=event_id)
    known = list(lines.select_related("report").order_by("number"))
    if not known:
        return {}
    report = known[0].report
    ids = ", ".join(str(line.fide_id) for line in known)
    return {
        "event_id": event_id,
        "kept": kept_file(report.file_name, bytes(report.content)),
        "reason": _("FIDE IDs known since the report was accepted: %(ids)s.") % {"ids": ids},
    }


# The kinds of lines in their order, each with what its values before and after are called; None where it has none.
GROUPS: dict[LineKind, tuple[Any, ...]] = {
    LineKind.LOST: (_l("Initial ratings removed"), _l("Rating before"), None),
    LineKind.INITIAL: (_l("Initial ratings"), _l("Rating before"), _l("Rating after")),
    LineKind.CHANGE: (_l("Rating changes"), _l("Change before"), _l("Change after")),
    LineKind.POOL: (_l("Progress to an initial rating"), None, None),
}
# The players of a group that are shown unasked: with an initial rating, or with an adjustment.
SHOWN = 8


def with_players(effect: Effect) -> dict[str, Any]:
    """Return the lines in groups by kind, the largest adjustments first, each with its player.

    The first line of a player has what the next list takes. Further lines of a player, and those without an adjustment
    that are about no initial rating, are shown on request.
    """
    sizes = {(one.player_id, one.kind): abs(one.points) for one in effect.taken}
    players = Player.objects.in_bulk([line.player_id for line in effect.lines])
    taken = {(one.player_id, one.kind): one for one in effect.taken}
    rows: list[dict[str, Any]] = []
    initial: dict[tuple[int, str], tuple[int, date]] = {}
    known: set[tuple[tuple[int, str], str]] = set()
    for one, line in ((one, one.line) for one in effect.players if one.line is not None):
        player = players[line.player_id]
        games = line.games_difference
        if line.kind == LineKind.POOL:
            games = sum(share.games for share in one.after.shares)
            games -= sum(share.games for share in one.before.shares)
        holder = (player.merged_into_id or player.pk, line.corrected_list.kind)
        if one.after.base is None and one.after.rating is not None:
            initial.setdefault(holder, (one.after.rating, line.corrected_list.date))
        values = [line.before_hundredths, line.after_hundredths]
        if line.kind == LineKind.CHANGE:
            before, after = map(signed_hundredths, values)
        else:
            # Who was under the floor had no published rating.
            before, after = (decimal_hundredths(value or None) for value in values)
        next_list = taken.pop(holder, None)
        rows.append(
            {
                "line": line,
                "player": player,
                "holder": holder,
                "is_first": (holder, line.kind) not in known,
                "taken": next_list,
                "points": next_list.points if next_list else 0,
                "size": sizes.get(holder, 0),
                "before": before,
                "after": after,
                "games": abs(games),
                "is_fewer": games < 0,
            }
        )
        known.add((holder, line.kind))
    rows.sort(key=lambda row: (-row["size"], row["player"].pk))
    for row in rows:
        row["initial"] = initial.get(row["holder"])
    groups = []
    for kind, (title, before, after) in GROUPS.items():
        if some := [row for row in rows if row["line"].kind == kind]:
            some.sort(key=lambda row: (not row["points"], not row["is_first"]))
            moved = [row["points"] for row in some if row["points"]]
            is_rating = kind in (LineKind.LOST, LineKind.INITIAL)
            people = sum(row["is_first"] for row in some)
            number = min(SHOWN, people if is_rating else len(moved))
            group = {"lowest": min(moved, default=0), "highest": max(moved, default=0), "rows": some}
            group |= {"title": title, "before": before, "after": after, "people": people}
            groups.append({**group, "shown": some[:number], "folded": some[number:]})
    return {"rows": rows, "groups": groups}


def _effect_of_report(form: CorrectionForm, *, by: Any, is_dry_run: bool) -> Effect | None:
    act = Act(by, timezone.now(), form.cleaned_data["reason"])
    file = Withdrawal() if form.content is None else File(name=form.file_name, content=form.content)
    seen = form.seen_before(is_dry_run=is_dry_run)
    with refusals_shown(form):
        return amend(form.tournament, [file], act, seen=seen, is_dry_run=is_dry_run)
    return None


def _corrected_message(effect: Effect, *, is_withdrawn: bool) -> str:
    done = (
        _("The report of %(name)s was withdrawn.")
        if is_withdrawn
        else _("The report of %(name)s was corrected.")
    )
    return f"{done % {'name': effect.subject.name}} {_included_lines(effect)}"


def _included_lines(effect: Effect) -> str:
    lines = ngettext(
        "The next list includes %(number)s correction line. Published lists do not change.",
        "The next list includes %(number)s correction lines. Published lists do not change.",
        len(effect.lines),
    )
    return lines % {"number": len(effect.lines)}


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


# The forms with which staff correct published reports, games, conditions and players (D-11, D-82).
SALT = "ratings.correction"
# What the form of a registration asks for, and this correction leaves as it is.
LEFT = ("name", "city", "start", "chief_arbiter", "organiser", "is_stated_rated")


def kept_file(name: str, content: bytes) -> str:
    """Return a signed file for a form that carries it."""
    # Latin-1 gives every byte a character: JSON, which is signed, has no bytes.
    return signing.dumps([name, content.decode("latin-1")], salt=SALT, compress=True)


class KeptFileForm(PortalForm):
    """A corrected report; `kept` carries it, signed, to the page that corrects it and past errors of other fields."""

    content: bytes | None = None
    file_name = ""
    report = forms.FileField(label=_l("Corrected report (TRF)"), required=False)
    kept = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        """Take the file that was sent, or the one that was kept."""
        cleaned = super().clean() or self.cleaned_data
        self.content, self.file_name = self._file(cleaned)
        return cleaned

    def _file(self, cleaned: dict[str, Any]) -> tuple[bytes | None, str]:
        sent = cleaned.get("report")
        if sent:
            return bytes(sent.read()), str(sent.name)
        if cleaned.get("kept") and not cleaned.get("is_withdrawn"):
            return self._read_kept_file(cleaned["kept"])
        return None, ""

    def _read_kept_file(self, text: str) -> tuple[bytes | None, str]:
        try:
            name, content = signing.loads(text, salt=SALT)
        except signing.BadSignature:
            self.add_error("report", forms.ValidationError(_("Select the file again."), code="forged"))
            return None, ""
        return content.encode("latin-1"), name

    def to_keep(self) -> str:
        """Return the file of a valid form for the next page, empty without one."""
        return "" if self.content is None else kept_file(self.file_name, self.content)

    def to_show_again(self) -> str:
        """Return the file of a form that is shown again, empty if the file must be replaced."""
        return "" if self.has_error("report") else self.to_keep()


class TournamentInput(forms.TextInput):
    """A text field with the tournaments of the portal's search; a chosen one fills in its event ID."""

    template_name = "partials/tournament_input.html"
    # What has the typed name, where several have it.
    candidates: Sequence[Tournament] = ()

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        candidates = [
            (one.event_id, one.name, f"{days_text(one.start, one.end)}, {one.event_id}")
            for one in self.candidates
        ]
        return super().get_context(name, value, attrs) | {"candidates": candidates}


class TournamentField(forms.CharField):
    """A tournament, by its event ID or by a name that it alone has. The cleaned value is the tournament."""

    widget = TournamentInput

    def __init__(self) -> None:
        super().__init__(label=_l("Name or event ID of the tournament"), max_length=100)

    def clean(self, value: Any) -> Any:
        words = super().clean(value)
        wanted = words.casefold().split()
        found = [
            one
            for one in find_tournaments(words, shown=CANDIDATES)[0]
            if one.event_id == words.strip() or all(word in one.name.casefold() for word in wanted)
        ]
        if not found:
            raise forms.ValidationError(_("No tournament has this name or event ID."), code="unknown")
        if len(found) > 1:
            self.widget.candidates = found
            message = _("Several tournaments have this name. Select one, or enter the event ID.")
            raise forms.ValidationError(message, code="several")
        return found[0]


class TournamentForm(PortalForm):
    """A tournament, by its name or event ID."""

    event_id = TournamentField()
    # The newest step when the effect was shown: it detects a decision of a colleague since then.
    seen = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)

    def clean_event_id(self) -> str:
        """Keep the tournament, and its event ID for the next page."""
        self.tournament = self.cleaned_data["event_id"]
        return str(self.tournament.event_id)

    def seen_before(self, *, is_dry_run: bool) -> str | None:
        """Return the step that must be the newest; a dry run notes it for the page that shows the effect."""
        if is_dry_run:
            self.cleaned_data["seen"] = seen_of(self.tournament)
            return None
        return str(self.cleaned_data["seen"])


class CorrectionForm(TournamentForm, KeptFileForm):
    """Which tournament, the corrected report or its withdrawal, and why."""

    field_order = ("event_id", "report", "is_withdrawn", "reason")
    is_withdrawn = forms.BooleanField(label=_l("Withdraw the report instead"), required=False)
    reason = TextField(label=_l("Reason (public)"), max_length=2000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["report"].condition = _("not needed if you withdraw the report")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for a file, which a withdrawal has not."""
        cleaned = super().clean()
        has_file, is_withdrawn = self.content is not None, bool(cleaned.get("is_withdrawn"))
        if has_file == is_withdrawn and not self.has_error("report"):
            message = _("Select the corrected report, or withdraw the accepted one.")
            self.add_error("report", forms.ValidationError(message, code="report-missing"))
        return cleaned


LABELS = {
    "name": _l("Name"),
    "federation_id": _l("Federation"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "died_on": _l("Date of death"),
    "birth_date": _l("Date of birth (private)"),
}


class PlayerForm(PersonNameFields):
    """What is recorded of a player, and why it is corrected. The name that is recorded is not asked about."""

    recorded_name = ""
    federation_id = SortedChoiceField(
        Federation.objects.order_by(), label=LABELS["federation_id"], empty_label=None
    )
    sex = forms.ChoiceField(label=LABELS["sex"], choices=Sex.choices, required=False)
    birth_year = forms.IntegerField(
        label=LABELS["birth_year"], min_value=1850, max_value=2200, required=False
    )
    birth_date = forms.DateField(label=LABELS["birth_date"], widget=DayInput, required=False)
    died_on = forms.DateField(label=LABELS["died_on"], widget=DayInput, required=False)
    reason = TextField(label=_l("Reason (public)"), max_length=2000)

    field_order = ("surname", "given_names")
    # The data as they were when the form was opened.
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    @property
    def doubt(self) -> NameDoubt | None:
        """Why the name looks wrong, if it is another one than before."""
        return None if self.listed_name == self.recorded_name else super().doubt

    def clean_federation_id(self) -> str:
        return str(self.cleaned_data["federation_id"].pk)

    def clean(self) -> dict[str, Any]:
        """Compare the dates of birth; the service checks the date of death (D-74)."""
        cleaned = super().clean()
        born, year = cleaned.get("birth_date"), cleaned.get("birth_year")
        if born and born.year != year:
            message = _("The date of birth is in a different year.")
            self.add_error("birth_year", forms.ValidationError(message, code="other-year"))
        if year and year > timezone.now().year:
            message = _("This year has not started yet.")
            self.add_error("birth_year", forms.ValidationError(message, code="future-year"))
        return cleaned


class WhoForm(FormWithPlayer):
    """Whose data are corrected."""

    fide_id = PlayerField(label=_l("Name or FIDE ID of the player"))

    def clean_fide_id(self) -> int:
        """Note the player."""
        self.player: Player = self.cleaned_data["fide_id"]
        return int(self.player.pk)


class EventForm(PortalForm):
    """Which tournament is corrected: its conditions, or one of its games."""

    event = TournamentField()

    def clean_event(self) -> str:
        """Keep the tournament, and its event ID for the next page."""
        self.tournament = self.cleaned_data["event"]
        return str(self.tournament.event_id)


class ConditionsForm(RegistrationForm, KeptFileForm):
    """The conditions of a tournament as they should have been, why, and a report that fits them where it has to."""

    reason = TextField(label=_l("Reason (public)"), max_length=2000)
    # The newest step when the form was opened: two who correct at once do not write over each other.
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        waiver = {"match_waiver": tournament.match_waiver, "seen": seen_of(tournament)}
        super().__init__(*args, initial=as_typed(tournament) | waiver, **kwargs)
        self.fields["report"].label = _("Corrected report (TRF), if the report also needs the correction")
        self.tournament = tournament
        self.fields["schedule"].required = False
        for name in ("federation", "rounds", "deputies", "continues", *LEFT, *STAFF_FIELDS):
            self.fields.pop(name, None)

    def clean(self) -> dict[str, Any]:
        """Check the schedule with the first day, which does not change."""
        self.cleaned_data |= {name: getattr(self.tournament, name) for name in LEFT}
        self.cleaned_data["federation"] = self.tournament.federation_id
        return super().clean()
