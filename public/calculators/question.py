"""The question that a query string asks a calculator: a player, and games against opponents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django import forms
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from ratings.calculators import HIGHEST_RATING, Typed, own_of, understand, with_games_so_far
from ratings.models import RatingList
from ratings.player_field import ask_which
from ratings.systems.calculators import (
    Met,
    OwnPlayer,
)
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import Adoptions, known_texts, rules_named
from tournaments.choices import Kind
from tournaments.lists import Lists
from tournaments.trf.checks.players import LOWEST_RATING

MAX_GAMES = 100


MAX_EARLIER = 1000


ROWS = 5


LONGEST = 100


SCORES = {"1": 2, "0.5": 1, "0": 0}


SCORE_LABELS = (("1", "1"), ("0.5", "½"), ("0", "0"))


HIGHEST_K, USUAL_K = 40, 20


def _dates_of(text: PeriodRules) -> str:
    """Return a text's title without the name that all have: `Applied from 1 January 2024`."""
    return capfirst(text.title.partition(", ")[2])


class PlayerForm(forms.Form):
    """The calculating player: a player of the lists, or typed values."""

    use_required_attribute = False

    kind = forms.ChoiceField(label=_l("Rating type"), choices=Kind.choices)
    player = forms.CharField(
        label=_l("Name or FIDE ID"),
        max_length=LONGEST,
    )
    rating = forms.IntegerField(
        label=_l("Rating"),
        min_value=LOWEST_RATING,
        max_value=HIGHEST_RATING,
    )
    k = forms.IntegerField(
        label="K",
        min_value=1,
        max_value=HIGHEST_K,
        widget=forms.NumberInput(attrs={"placeholder": USUAL_K}),
    )

    games = forms.IntegerField(
        label=_l("Rated games since the current list (n)"),
        min_value=0,
        max_value=MAX_EARLIER,
    )
    rules = forms.ChoiceField(
        label=_l("Rating regulations"),
        choices=lambda: [
            ("", _("In effect today")),
            *((text.slug, _dates_of(text)) for text in known_texts()),
        ],
    )
    on = forms.DateField(
        label=_l("Or in effect on"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, data: QueryDict, asked: Collection[str]) -> None:
        filled = data.copy()
        filled.setdefault("kind", Kind.RAPID)
        super().__init__(filled, label_suffix="", auto_id="calculator-%s")
        self.fields = {name: field for name, field in self.fields.items() if name in asked}
        for field in self.fields.values():
            field.required = False


@dataclass(frozen=True, slots=True)
class CalculatorRow:
    """One game as typed: the player or rating that the opponent's text means, the score, and the errors of both."""

    number: int
    text: str = ""
    score: str = ""
    typed: Typed | None = None
    error: str = ""
    score_error: str = ""

    @property
    def met(self) -> Met:
        return Met(self.typed.counted if self.typed else None, SCORES[self.score])


@dataclass(frozen=True, slots=True)
class CalculatorQuestion:
    """All that was typed, parsed as far as possible. `own` is None until the player is known."""

    form: PlayerForm
    kind: str
    rules: PeriodRules
    rows: Sequence[CalculatorRow]
    own: OwnPlayer | None = None
    player: Typed | None = None
    error: str = ""
    is_cut: bool = False

    @property
    def games(self) -> list[CalculatorRow]:
        return [row for row in self.rows if row.typed and row.typed.is_understood]

    @property
    def met(self) -> list[Met]:
        return [row.met for row in self.games]

    @property
    def problems(self) -> list[tuple[str, str, str]]:
        """Return each field that is wrong: its ID on the page, its label and the reason."""
        found = [
            (field.id_for_label, str(field.label), " ".join(map(str, field.errors)))
            for field in self.form
            if field.errors
        ]
        if self.error:
            found.append(("calculator-player", str(self.form["player"].label), self.error))
        for row in self.rows:
            number = {"number": row.number}
            if row.error:
                found.append((f"opponent-{row.number}", _("Opponent of game %(number)s") % number, row.error))
            if row.score_error:
                found.append((f"score-{row.number}", _("Score of game %(number)s") % number, row.score_error))
        return found

    @property
    def can_answer(self) -> bool:
        """Return whether there are games to calculate, without errors."""
        return bool(self.games) and self.own is not None and not self.problems


def question_of(
    data: QueryDict, *, asked: Collection[str], lists: Lists[RatingList], adoptions: Adoptions, today: date
) -> CalculatorQuestion:
    """Return the question that a query string asks a calculator, which asks for these fields of a player."""
    form = PlayerForm(data, asked)
    form.is_valid()
    slug, on = form.cleaned_data.get("rules"), form.cleaned_data.get("on")
    if slug and on:
        form.add_error("on", _("Select the regulations or enter a date, not both."))
    elif on and not adoptions.has_text_on(on):
        first = date_format(adoptions.first_day)
        form.add_error(
            "on", _("Enter a date from %(day)s. There are no regulations before.") % {"day": first}
        )
        on = None
    rules = rules_named(slug) if slug else adoptions.text_on(on or today)
    kind = form.cleaned_data.get("kind") or Kind.RAPID
    name = str(form.cleaned_data.get("player") or "").strip()
    pairs = _pairs(data)
    meanings = understand([name, *(text for text, _score in pairs[:MAX_GAMES])], kind=kind, lists=lists)
    rows = [
        _row(number, text, score, meaning)
        for number, ((text, score), meaning) in enumerate(zip(pairs, meanings[1:], strict=False), start=1)
    ]
    wanted = max(ROWS, len(rows) + (ROWS if "more" in data else 0))
    rows += [CalculatorRow(number) for number in range(len(rows) + 1, min(wanted, MAX_GAMES) + 1)]
    if "opponent" in data and "more" not in data and not any(row.text for row in rows):
        rows[0] = replace(rows[0], error=_("Enter at least one opponent with a score."))
    player = meanings[0] if name else None
    own, error = _read_own(form, player, kind=kind, lists=lists)
    # The fields show the player's values, so that a reader sees what was calculated with.
    if own and player and player.known and not form.errors:
        form = PlayerForm(_with_player(data, own), asked)
    return CalculatorQuestion(form, kind, rules, rows, own, player, error, is_cut=len(pairs) > MAX_GAMES)


def _with_player(data: QueryDict, own: OwnPlayer) -> QueryDict:
    """Return the query with the values of its player, which replace any typed values."""
    filled = data.copy()
    filled["rating"], filled["games"] = str(own.rating or ""), str(own.games or "")
    filled["k"] = str(own.k)
    return filled


def _pairs(data: QueryDict) -> list[tuple[str, str]]:
    # PostgreSQL refuses the character in a query.
    texts = [text.strip()[:LONGEST].replace("\x00", "") for text in data.getlist("opponent")]
    scores = data.getlist("score")
    # An address that was written by hand may have fewer scores than opponents.
    scores += ["1"] * (len(texts) - len(scores))
    return [(text, score) for text, score in zip(texts, scores, strict=False) if text or score]


def _row(number: int, text: str, score: str, typed: Typed) -> CalculatorRow:
    if not text:
        return CalculatorRow(number, score=score)
    error = "" if typed.is_understood else why_unclear(typed)
    return CalculatorRow(number, text, score, typed, error, "" if score in SCORES else _("Select 1, ½ or 0."))


def why_unclear(typed: Typed) -> str:
    """Return why a typed opponent or player is not understood, and what to enter instead."""
    if typed.candidates:
        return ask_which(is_cut=typed.is_cut)
    if typed.text.isdecimal():
        text = _("No player has this FIDE ID. A rating is a number from %(lowest)d to %(highest)d.")
        return text % {"lowest": LOWEST_RATING, "highest": HIGHEST_RATING}
    return _("No player has this name. Enter a rating, a FIDE ID or a listed name.")


def _read_own(
    form: PlayerForm, player: Typed | None, *, kind: str, lists: Lists[RatingList]
) -> tuple[OwnPlayer | None, str]:
    k, games = int(form.cleaned_data.get("k") or USUAL_K), form.cleaned_data.get("games") or 0
    if player is None:
        return OwnPlayer(form.cleaned_data.get("rating"), k, games=games), ""
    if player.known:
        own = own_of(player.known, kind=kind, lists=lists)
        return with_games_so_far(own, player.known, kind=kind, lists=lists), ""
    if player.rating is not None:
        return OwnPlayer(player.rating, k, games=games), ""
    if player.candidates:
        return None, why_unclear(player)
    if player.text.isdecimal():
        return None, _("No player has this FIDE ID. Check the number.")
    return None, _("No players found. Check the spelling or search by FIDE ID.")
