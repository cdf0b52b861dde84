"""Whether the people of lines are the owners of their FIDE IDs, who have other names: answered line by line (D-130)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Refusal
from core.stated import stated_items
from players.models import LogEntry
from tournaments.amendments import Amendment, Identity
from tournaments.choices import Action, LineAnswer
from tournaments.models import Tournament
from tournaments.trf.findings import OF_ANOTHER_NAME

# From so many lines on, or a tenth of all if that is more, one reason does not answer them.
FEWEST_LINES = 3
CODE = "line-answer"
Items = list[dict[str, Any]]


def line_items(findings: Iterable[Mapping[str, Any]], answers: Mapping[str, str]) -> Items:
    """Return answers by line, as they are kept, to the findings of a version as they are stored."""
    return [
        {"code": CODE, "line": item["line"], "answer": answers[str(item["line"])]}
        | {name: item["params"][name] for name in ("reported", "registered", "fide_id")}
        for item in findings
        if item["code"] in OF_ANOTHER_NAME and str(item["line"]) in answers
    ]


def answers_by(amendments: Iterable[Amendment]) -> dict[str, str]:
    """Return the answers that the choices of who lines are give, by line."""
    identities = [one for one in amendments if isinstance(one, Identity)]
    return {str(one.line): LineAnswer.SAME if one.is_whole else LineAnswer.OTHER for one in identities}


def answers_in_log(tournament: Tournament) -> Items:
    """Return the answers with which earlier versions of a tournament's report were mended."""
    entries = LogEntry.objects.filter(tournament=tournament, action=Action.REPORT, stated__isnull=False)
    return [item for stated in entries.values_list("stated", flat=True) for item in answers_in(stated)]


def line_refusals(
    lines: Collection[int], *, players: int, acknowledgement: str, tournament: Tournament
) -> Iterator[Refusal]:
    """Yield which lines with the FIDE ID of a person of another name are not answered, or are of another person.

    Lines that were answered in an earlier version count: what is left of many is still answered line by line.
    """
    fewest = max(FEWEST_LINES, -(-players // 10))
    if not lines or (len(lines) < fewest and len(lines) + len(answers_in_log(tournament)) < fewest):
        return
    answers = {item["line"]: item["answer"] for item in answers_in(stated_items(acknowledgement))}
    if missing := [line for line in lines if line not in answers]:
        message = _(
            "Answer of each of these lines whether it is the same person as its FIDE ID, or another one: %(lines)s "
            "(decision D-130)."
        )
        yield Refusal("lines-unanswered-D-130", message % {"lines": ", ".join(map(str, missing))})
    if others := [line for line in lines if answers.get(line) == LineAnswer.OTHER]:
        message = _("These lines have the FIDE ID of another person. Correct or remove it: %(lines)s.")
        yield Refusal("lines-of-others-D-130", message % {"lines": ", ".join(map(str, others))})


def answers_in(stated: Iterable[dict[str, Any]] | None) -> Items:
    """Return the answers by line among the items of a reason."""
    return [item for item in stated or () if item.get("code") == CODE]
