"""What somebody types into a calculator: who played, and the games, row by row. Everything stands in the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.queries.calculators import HIGHEST_RATING, Typed, own_of, understood
from ratings.queries.catalogue import Catalogue
from ratings.systems.calculators import Met, Own
from tournaments.choices import Kind

MOST_GAMES = 100
ROWS = 9
LONGEST = 100
SCORES = {"1": 2, "0.5": 1, "0": 0}
SCORE_LABELS = (("1", "1"), ("0.5", "½"), ("0", "0"))


class PlayerForm(forms.Form):
    """Who calculates: a player of the lists, or figures typed by hand."""

    use_required_attribute = False

    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Kind.choices)
    player = forms.CharField(
        label=gettext_lazy("Your name or FIDE ID"),
        max_length=LONGEST,
    )
    rating = forms.IntegerField(
        label=gettext_lazy("Or your rating"),
        min_value=1,
        max_value=HIGHEST_RATING,
    )
    k = forms.ChoiceField(
        label="K",
        choices=[("20", "20"), ("40", "40"), ("10", "10")],
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(_with_defaults(data), label_suffix="", auto_id="calculator-%s")
        for field in self.fields.values():
            field.required = False


@dataclass(frozen=True, slots=True)
class Row:
    """One game as typed: what the opponent's text means, the score, and what is wrong with it."""

    number: int
    text: str = ""
    score: str = "1"
    typed: Typed | None = None
    error: str = ""

    @property
    def met(self) -> Met:
        return Met(self.typed.counted if self.typed else None, SCORES[self.score])


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that was typed, understood as far as it can be. `own` None: the player is not clear yet."""

    form: PlayerForm
    kind: str
    rows: Sequence[Row]
    own: Own | None = None
    player: Typed | None = None
    error: str = ""
    is_cut: bool = False

    @property
    def games(self) -> list[Row]:
        return [row for row in self.rows if row.typed and row.typed.is_understood]

    @property
    def met(self) -> list[Met]:
        return [row.met for row in self.games]

    @property
    def is_faulty(self) -> bool:
        return bool(self.error or self.form.errors or any(row.error for row in self.rows))

    @property
    def can_answer(self) -> bool:
        """Whether there is something to calculate, and nothing wrong in it."""
        return bool(self.games) and self.own is not None and not self.is_faulty


def question_of(data: QueryDict, *, lists: Catalogue) -> Question:
    """Return what an address asks of a calculator."""
    form = PlayerForm(data)
    form.is_valid()
    kind = form.cleaned_data.get("kind") or Kind.RAPID
    name = str(form.cleaned_data.get("player") or "").strip()
    pairs = _pairs(data)
    meanings = understood([name, *(text for text, _score in pairs[:MOST_GAMES])], kind=kind, lists=lists)
    rows = [
        _row(number, text, score, meaning)
        for number, ((text, score), meaning) in enumerate(zip(pairs, meanings[1:], strict=False), start=1)
    ]
    wanted = max(ROWS, len(rows) + (ROWS if "more" in data else 0))
    rows += [Row(number) for number in range(len(rows) + 1, min(wanted, MOST_GAMES) + 1)]
    player = meanings[0] if name else None
    own, error = _own(form, player, kind=kind, lists=lists)
    return Question(form, kind, rows, own, player, error, is_cut=len(pairs) > MOST_GAMES)


def _with_defaults(data: QueryDict) -> QueryDict:
    filled = data.copy()
    filled.setdefault("kind", Kind.RAPID)
    filled.setdefault("k", "20")
    return filled


def _pairs(data: QueryDict) -> list[tuple[str, str]]:
    texts = [text.strip()[:LONGEST].replace("\x00", "") for text in data.getlist("opponent")]
    scores = data.getlist("score")
    scores += ["1"] * (len(texts) - len(scores))
    return [(text, score) for text, score in zip(texts, scores, strict=False) if text]


def _row(number: int, text: str, score: str, typed: Typed) -> Row:
    if score not in SCORES:
        return Row(number, text, "1", typed, _("Choose 1, ½ or 0."))
    if typed.is_understood:
        return Row(number, text, score, typed)
    return Row(number, text, score, typed, _why_unclear(typed))


def _why_unclear(typed: Typed) -> str:
    if typed.candidates:
        return _("Several players have this name: choose one.")
    if typed.text.isdecimal():
        return _("Nobody on the lists has this FIDE ID. Ratings go up to %(highest)d.") % {
            "highest": HIGHEST_RATING
        }
    return _("Nobody on the lists is called so. Type a rating, a FIDE ID or a name.")


def _own(form: PlayerForm, player: Typed | None, *, kind: str, lists: Catalogue) -> tuple[Own | None, str]:
    if player is None:
        return Own(form.cleaned_data.get("rating"), int(form.cleaned_data.get("k") or 20)), ""
    if player.known:
        return own_of(player.known, kind=kind, lists=lists), ""
    if player.rating is not None:
        return Own(player.rating, int(form.cleaned_data.get("k") or 20)), ""
    return None, _why_unclear(player)
