"""The rules that apply to a registration while it is typed, complete or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from desk.access import requires
from players.permissions import can_register
from tournaments import regulations
from tournaments.choices import Kind
from tournaments.services.registration import MINUTES_A_GAME
from tournaments.trf import parse_time_control

LONGEST_TEXT = 4_000
NOTICE, GOOD, WARNING, ERROR = "info", "success", "warning", "error"


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence with its level: info, success, warning or error."""

    level: str
    text: str


def rules_for(typed: Mapping[str, str], *, today: date) -> list[Rule]:
    """Return the rules that apply to the values typed so far, on a UTC day (0.2, 1.1, 3.1)."""
    kind = _kind(typed)
    return [
        *_time_rules(typed.get("time_control", ""), typed.get("kind", "")),
        *_day_rules(typed.get("start", ""), today, is_exempt=_is_exempt(typed)),
        *_hybrid_rules(typed),
        *_schedule_rules(typed.get("schedule", "")[:LONGEST_TEXT], kind),
    ]


def _is_exempt(typed: Mapping[str, str]) -> bool:
    return bool(typed.get("is_official") or typed.get("decided_by"))


def _kind(typed: Mapping[str, str]) -> str:
    control = parse_time_control(typed.get("time_control", "").strip()[:60])
    found = regulations.kind_of(control.base + MINUTES_A_GAME * control.increment) if control else None
    return found or typed.get("kind", "")


def _time_rules(text: str, chosen: str) -> Iterator[Rule]:
    control = parse_time_control(text.strip()[:60])
    if control is None:
        return
    total = control.base + MINUTES_A_GAME * control.increment
    kind = regulations.kind_of(total)
    minutes = f"{total // 60}" if total % 60 == 0 else f"{total // 60}:{total % 60:02}"
    if kind is None:
        message = _(
            "%(minutes)s minutes for 60 moves: neither rapid nor blitz, so it cannot be registered "
            "(article 1.1)."
        )
        yield Rule(ERROR, message % {"minutes": minutes})
        return
    words = {"minutes": minutes, "kind": Kind(kind).label}
    if chosen and chosen != kind:
        message = _(
            "%(minutes)s minutes for 60 moves: the rating type is %(kind)s. Select that type (article 1.1)."
        )
        yield Rule(ERROR, message % words)
    else:
        yield Rule(GOOD, _("%(minutes)s minutes for 60 moves: %(kind)s (article 1.1).") % words)


def _day_rules(text: str, today: date, *, is_exempt: bool) -> Iterator[Rule]:
    try:
        start = date.fromisoformat(text)
    except ValueError:
        return
    if is_exempt:
        yield Rule(GOOD, _("Official events have no registration deadline (articles 0.2, 0.3)."))
        return
    days = (start - today).days
    if days < 0:
        yield Rule(ERROR, _("Registration closed on the first day of the tournament (article 0.2)."))
        return
    left = ngettext("%(days)d UTC day", "%(days)d UTC days", days) % {"days": days}
    if regulations.is_registered_in_time(start, today):
        yield Rule(GOOD, _("%(left)s until the first day: on time (article 0.2).") % {"left": left})
    else:
        message = _("%(left)s until the first day. Fewer than three, so the QC decides (article 0.2).")
        yield Rule(WARNING, message % {"left": left})


def _hybrid_rules(typed: Mapping[str, str]) -> Iterator[Rule]:
    if typed.get("is_hybrid"):
        yield Rule(WARNING, _("Hybrid tournament: the QC must approve it (article 0.2)."))
    if typed.get("has_unequal_times"):
        yield Rule(WARNING, _("Games with different playing times are not rated (article 1.2)."))


def _schedule_rules(text: str, kind: str) -> Iterator[Rule]:
    limit = regulations.ROUNDS_A_DAY.get(kind)
    rounds: Counter[str] = Counter()
    for line in text.splitlines():
        words = line.replace(":", " ").split()
        if len(words) == 2 and words[1].isdecimal() and len(words[1]) < 3:
            rounds[words[0]] += int(words[1])
    if not rounds:
        return
    most = max(rounds.values())
    words_of_it = {"total": sum(rounds.values()), "most": most, "limit": limit}
    if limit is None:
        yield Rule(NOTICE, _("%(total)d rounds, up to %(most)d a day.") % words_of_it)
    elif most > limit:
        message = _("%(most)d rounds on one day, but at most %(limit)d are rated (article 3.1).")
        yield Rule(ERROR, message % words_of_it)
    else:
        message = _("%(total)d rounds, up to %(most)d a day. The limit is %(limit)d a day (article 3.1).")
        yield Rule(GOOD, message % words_of_it)


@require_POST
@requires(can_register)
def typed_rules(request: HttpRequest) -> HttpResponse:
    """Show the rules that apply to the values typed so far, without saving them."""
    rules = rules_for(request.POST.dict(), today=timezone.now().date())
    return render(request, "desk/tournaments/rules.html", {"rules": rules})
