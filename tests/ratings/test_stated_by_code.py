"""Sentences that rows stored in English are codes after the migration; what is none of them stays as words."""

from __future__ import annotations

from datetime import UTC, date, datetime
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from players.models import Delivery, Federation, Notice, Webhook
from ratings.comparison import LIKELY
from ratings.models import Comparison, Correction, FideImport, Run
from tests import make

pytestmark = [pytest.mark.database, pytest.mark.django_db]
AT = datetime(2026, 3, 1, tzinfo=UTC)
OTHERS = "The list names nobody."
LISTS = "ratings.migrations.0039_state_reasons_jobs_imports_and_comparisons_by_code"


def migrate(name: str) -> None:
    """Run what a migration does to rows, twice: a run that was stopped is begun again."""
    for operation in 2 * import_module(name).Migration.operations:
        operation.code(apps, None)


@pytest.mark.parametrize(
    ("error", "stated"),
    [
        ("RefusedError: The date of a list must be the first of a month (article 6.1).", ["list-date-6.1"]),
        (
            (
                "RefusedError: 1 March 2027 is later than today, 22 November 2026. You probably mean 1 March 2026.; "
                "No rapid list exists before 2026-08-01. Import the FIDE list of the previous month first."
            ),
            [
                ("future-list-D-70", {"date": "2027-03-01", "today": "2026-11-22"}),
                ("probably-meant", {"meant": "2026-03-01"}),
                ("no-list-before-D-71", {"kind": "rapid", "date": "2026-08-01"}),
            ],
        ),
        ("The worker stopped at each attempt, for example because it ran out of memory.", ["worker-died"]),
        (
            "NotAsPublishedError: The file rapid/list.txt was different and has been restored.; file x: a and not b",
            [("file-restored", {"path": "rapid/list.txt"}), {"words": "file x: a and not b"}],
        ),
        ("OSError: No space left on device", None),
        (
            "NotAsPublishedError: entry 1001: rating 2500, not 1700",
            [{"words": "entry 1001: rating 2500, not 1700"}],
        ),
    ],
)
def test_errors_of_jobs_become_codes(error: str, stated: list[Any] | None) -> None:
    Run.objects.create(work="publish", subject="rapid 2026-08-01", created_at=AT, error=error)

    migrate(LISTS)

    run = Run.objects.get()
    assert (run.error, run.stated) == (error, stated and list(map(item, stated)))


def item(written: Any) -> dict[str, Any]:
    """Return an item from a code alone, or from a code and its values."""
    code, values = written if isinstance(written, tuple) else (written, {})
    return code if isinstance(code, dict) else {"code": code, **values}


def test_reasons_of_the_portal_become_codes_and_those_of_people_stay() -> None:
    texts = {
        "FIDE corrected its rapid list of 1 January 2026 (decision D-125).": [
            {"code": "fide-corrected", "kind": "rapid", "date": "2026-01-01"}
        ],
        "Death recorded (article 9.2).": [{"code": "death"}],
        "The officer wrote: Death recorded (article 9.2).": None,
    }
    player = make.player()
    for text in texts:
        Correction.objects.create(player=player, reason=text, at=AT)

    migrate(LISTS)

    assert dict(Correction.objects.values_list("reason", "stated")) == texts


def test_imports_keep_what_was_found_as_codes() -> None:
    skipped = (
        "2 of 1500 records cannot be read, which is more than one in a thousand. The first is line 7: 'x' is not a "
        "title. Correct the file, or give a reason to import the others (decision D-119)."
    )
    found = {
        "notices": ["The federation XQZ is unknown and is added as a member. Enter its name.", OTHERS],
        "problems": [{"line": 7, "column": 85, "message": "'x' is not a title."}],
    }
    FideImport.objects.create(
        date=date(2026, 3, 1), file_name="a", size=1, at=AT, preview=found, refusals=[skipped]
    )

    migrate(LISTS)

    made = FideImport.objects.get()
    title = [{"code": "title", "text": "'x'"}]
    assert made.preview["notices"] == [
        [{"code": "federation-created", "federation": "XQZ"}],
        [{"words": OTHERS}],
    ]
    assert made.preview["problems"] == [{"line": 7, "column": 85, "message": title}]
    assert made.refusals == [
        [{"code": "many-skipped-D-119", "skipped": 2, "all": 1500, "line": 7, "reason": title}]
    ]
    assert made.whys == [skipped.split(" Correct the file")[0]]


def test_comparisons_keep_likely_reasons_as_codes() -> None:
    texts = [LIKELY.state("rounding"), LIKELY.state("missing-here", games=4), LIKELY.state("carried"), OTHERS]
    result = {
        "equal": 1,
        "different": [{"reason": str(texts[0])}, {"reason": str(texts[1])}],
        "only_here": [],
        "only_there": [{"reason": OTHERS}],
    }
    Comparison.objects.create(
        rating_list=make.rating_list(), at=AT, result=result, settled=[{"reason": str(texts[2])}]
    )

    migrate(LISTS)

    made = Comparison.objects.get()
    assert [row["reason"] for row in [*made.open_rows[:2], *made.settled]] == [
        [{"code": "rounding"}],
        [{"code": "missing-here", "games": 4}],
        [{"code": "carried"}],
    ]
    assert made.open_rows[2]["reason"] == [{"words": OTHERS}]


def test_failures_of_messages_become_codes() -> None:
    federation = Federation.objects.create(code="XQZ", name="Xq")
    hook = Webhook.objects.create(federation=federation, url="https://a.example", secret="", created_at=AT)
    failures = {
        "The server answered 503.": [{"code": "server-answered", "status": 503}],
        "The connection failed: Connection refused": [
            {"code": "no-connection", "reason": "Connection refused"}
        ],
        "550 no such user": None,
        "": None,
    }
    for key in failures:
        Delivery.objects.create(
            webhook=hook, event="test", key=key or "-", body="", created_at=AT, failure=key
        )
    uncertain = "The worker stopped while sending. The email may or may not have been sent."
    Notice.objects.create(kind="security", key="a", created_at=AT, failure=uncertain)

    migrate("players.migrations.0034_state_failures_by_code")

    assert dict(Delivery.objects.values_list("failure", "stated")) == failures
    assert Notice.objects.get().stated == [{"code": "email-uncertain"}]
