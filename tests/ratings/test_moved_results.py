"""Results that a former release kept by keys become the values that lists keep, with why each K is what it is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader

from core.models import as_json
from ratings.models import Calculation, ListEntry, ParticipantRating, ProvisionalCalculation, RatingList
from ratings.models.calculation import CalculationFigures, Found
from ratings.next_list import update_next_list
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.values import Participation
from ratings.verify.verify import verify_list
from tests import make
from tests.ratings.ledger.compare import compare
from tests.ratings.ledger.portal import KIND, Portal
from tests.ratings.ledger.worlds import world_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
MIGRATION = import_module("ratings.migrations.0046_move_results_and_say_why_k")


def former_steps(row: CalculationFigures) -> dict[str, Any]:
    """Return a result as the release before kept it."""
    value, found = row.value, row.found
    steps: dict[str, Any] = {
        "events": [
            {
                "event_id": item.event.event_id,
                "participation": key,
                "status": str(item.own.status),
                "rating": item.own.rating,
                "k": item.own.k,
                "k_used": item.k,
                "games": item.participation.games,
                "half_points": item.participation.half_points,
                "sum": item.participation.change,
                "change": item.change,
            }
            | ({"outcomes": item.participation.outcomes} if item.participation.outcomes else {})
            for key, item in zip(found.rows, value.events, strict=True)
        ]
    }
    if value.pool:
        names = ("event_id", "start", "games", "half_points", "opponents_sum")
        steps["pool"] = [{name: getattr(share, name) for name in names} for share in value.pool]
    if first := value.initial:
        names = ("games", "half_points", "average", "p", "dp", "rating")
        steps["initial"] = {name: getattr(first, name) for name in names}
        steps["initial"] |= {"rules": value.initial_rules, "capped": first.is_capped}
    kept = {
        "joined": found.joined,
        "merged_into": found.merged_into,
        "corrections": found.lines,
        "before": [
            {
                "player": key,
                "entry": before.entry and before.entry[:9],
                "pool": [[*item.share, item.tournament, item.row] for item in before.pool],
                "difference": before.difference,
                "first": before.first,
                "lost": before.is_lost,
            }
            for key, before in found.before.items()
        ],
        "factors": {event_id: factor.k for event_id, factor in found.factors.items()},
        "void": found.void,
    }
    return steps | {name: some for name, some in kept.items() if some}


def put_back(model: type[models.Model]) -> None:
    """Write the results of a table as the release before kept them."""
    table = connection.ops.quote_name(model._meta.db_table)
    rows = [(as_json(former_steps(row)), row.pk) for row in model._default_manager.all()]  # type: ignore[arg-type]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET value = %s, found = '[]' WHERE id = %s", rows)


def results(model: type[models.Model]) -> dict[int, tuple[PeriodResult, Found]]:
    """Return the results by row, without what was not kept: figures of an entry, why K is so after corrections."""
    rows = model._default_manager.values_list("pk", "value", "found")
    of_entry = {"completed": 0, "reached_2300": False, "reached_2400": False}
    found = {pk: (value._replace(**of_entry), kept) for pk, value, kept in rows}
    return {pk: without_reasons(*pair) if pair[1].before else pair for pk, pair in found.items()}


def without_reasons(value: PeriodResult, found: Found) -> tuple[PeriodResult, Found]:
    events = (item._replace(participation=without_reason(item.participation)) for item in value.events)
    before = {
        key: row._replace(entry=row.entry and row.entry._replace(k_reason=""))
        for key, row in found.before.items()
    }
    return value._replace(events=tuple(events)), found._replace(before=before)


def without_reason(part: Participation) -> Participation:
    return part._replace(standing=part.standing._replace(k_reason=""))


def reasons(model: type[models.Model]) -> list[tuple[int, str]]:
    return list(model._default_manager.order_by("pk").values_list("pk", "k_reason"))


def everything() -> list[Any]:
    return [
        results(Calculation),
        results(ProvisionalCalculation),
        reasons(ListEntry),
        reasons(ParticipantRating),
    ]


def test_results_are_moved_to_what_lists_keep_now(tmp_path: Path) -> None:
    for _compared in compare(Portal(world_of(1), tmp_path)):
        pass
    newest = RatingList.objects.filter(kind=KIND).latest("date")
    update_next_list(KIND, at=make.noon(newest.date))
    expected = everything()
    for model in (Calculation, ProvisionalCalculation):
        put_back(model)
    for other in (ListEntry, ParticipantRating):
        other._default_manager.update(k_reason="")
    state = MigrationLoader(connection).project_state(("ratings", "0045_keep_results_as_calculated"))

    MIGRATION.move(state.apps, SimpleNamespace(connection=connection))

    assert everything() == expected
    published = RatingList.objects.filter(origin="published").order_by("date")
    assert [verify_list(rating_list) for rating_list in published] == [None] * len(published)
