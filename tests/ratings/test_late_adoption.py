"""A text adopted from a past day: the effect by an independent calculation, old lists stay, the next one (D-132)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from core.acts import Act
from core.errors import RefusedError
from players.choices import CaseState, NoticeKind, WebhookEvent
from players.models import Delivery, Notice, Webhook
from ratings.adjust import prepare as prepare_adjustment
from ratings.adoptions import revoke
from ratings.amend.players import amend_player, data_amendments
from ratings.in_force import load_adoptions
from ratings.late_adoption import cancel, confirm, effect_of, perform_effect, prepare
from ratings.models import (
    Adoption,
    Calculation,
    Correction,
    CorrectionLine,
    LateAdoption,
    ListEntry,
    ParticipantRating,
    RatingList,
)
from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.registry import SHIPPED
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows
from tests.tools.verifier import download, load, made_again
from tests.tools.verifier import run as run_verifier

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
AMENDED = "fide-rapid-blitz-2024-12"
FIRST_DAY, TODAY, NEXT = date(2026, 2, 1), date(2026, 6, 3), date(2026, 7, 1)
MONTHS = [date(2026, month, 1) for month in range(2, 7)]
# White, Black and result by the places of 2700, 1500, 2500, 2000 and 2650; far games count no more from February on.
PAIRINGS = [
    (1, 1, 2, "1/2"),
    (1, 3, 4, "1-0"),
    (2, 1, 3, "1-0"),
    (2, 2, 4, "1/2"),
    (3, 5, 4, "0-1"),
    (3, 1, 2, "1-0"),
    (4, 5, 2, "1/2"),
]
SCORES = {"1-0": (2, 0), "1/2": (1, 1), "0-1": (0, 2)}


@pytest.fixture(autouse=True)
def _clock() -> Any:
    with time_machine.travel(make.noon(TODAY), tick=False):
        yield


@pytest.fixture(scope="module")
def five_months(rows_of_module: SharedRows) -> list[RatingList]:
    """Return the lists of five months, with a tournament in each month before."""
    with rows_of_module(), time_machine.travel(make.noon(TODAY), tick=False):
        return publish_five_months()


@pytest.fixture
def portal(five_months: list[RatingList], db: None) -> list[RatingList]:
    return deepcopy(five_months)


def publish_five_months() -> list[RatingList]:
    first = make.rating_list()
    make.rating_list(kind="blitz")
    figures = ((2700, 10), (1500, 20), (2500, 10), (2000, 20), (2650, 10), (1900, 20))
    players = [
        make.entry(rating_list=first, rating=rating, k_factor=k, player__name=f"Of {rating}").player
        for rating, k in figures
    ]
    lists = []
    for month in MONTHS:
        start = date(2026, month.month - 1, 10)
        make.play_and_rate(make.tournament(event_id=f"SUI-{month.month}", start=start), players[:5], PAIRINGS)
        make.publish("blitz", month)
        lists.append(make.publish("rapid", month))
    return lists


def act(by: Any = None, reason: str = "GA decided") -> Act:
    return Act(by, make.noon(TODAY), reason)


def adopted(by: Any = None) -> LateAdoption:
    return prepare(AMENDED, FIRST_DAY, act(by), reference="FC 2026/9", is_at_once=True)


def by_hand(rules: str) -> dict[tuple[date, int], int]:
    """Return the unrounded change of each player on each list, in hundredths, by the second engine's own tables."""
    engine = load()
    late, early = engine.TEXTS[rules], engine.TEXTS["fide-rapid-blitz-2024"]
    found: dict[tuple[date, int], int] = defaultdict(int)
    rows = ParticipantRating.objects.filter(tournament_rating__included_in__isnull=False)
    events: dict[Any, dict[int, ParticipantRating]] = defaultdict(dict)
    for row in rows.select_related("tournament_rating__included_in", "tournament_rating__report__tournament"):
        events[row.tournament_rating][row.number] = row
    for rating, people in events.items():
        text = late if rating.report.event.start >= FIRST_DAY else early
        games: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for _round, white, black, result in PAIRINGS:
            one, other = people[white].start_rating, people[black].start_rating
            assert one is not None
            assert other is not None
            if text.is_rated(one, other):
                games[white].append((one - other, SCORES[result][0]))
                games[black].append((other - one, SCORES[result][1]))
        for number, row in people.items():
            played = games[number]
            counted = text.counted([difference for difference, _half in played])
            total = sum(
                50 * half - engine.probability(difference)
                for difference, (_own, half) in zip(counted, played, strict=True)
            )
            k = min(row.start_k or 0, 700 // len(played)) if played else 0
            found[rating.included_in.date, row.player_id or 0] += k * total
    return dict(found)


def far_games(month: date) -> int:
    """Return how many games of the tournament on a list the amendment does not rate."""
    rows = ParticipantRating.objects.filter(tournament_rating__included_in__date=month)
    ratings = dict(rows.values_list("number", "start_rating"))
    pairs = [(ratings[white], ratings[black]) for _round, white, black, _result in PAIRINGS]
    return sum(
        abs(one - other) >= 600 and max(one, other) > 2600 for one, other in pairs if month > MONTHS[0]
    )


def test_d132_effect_equals_an_independent_calculation(portal: list[RatingList]) -> None:
    before, after = by_hand("fide-rapid-blitz-2024"), by_hand(AMENDED)
    expected = {key: after[key] - before[key] for key in before if after[key] != before[key]}
    rows = [row for row in effect_of(AMENDED, FIRST_DAY).rows if row["kind"] == "rapid"]
    shown = {
        (date.fromisoformat(row["date"]), item["fide_id"]): item["difference"]
        for row in rows
        for item in row["differences"]
    }
    assert shown == expected
    # Of January's tournament, on the February list, nothing changes.
    assert [row["games"] for row in rows] == [far_games(month) for month in MONTHS]
    assert rows[0]["games"] == 0
    assert [row["players"] for row in rows] == [sum(key[0] == month for key in expected) for month in MONTHS]
    assert [row["points"] for row in rows] == [
        sum(value for key, value in expected.items() if key[0] == month) for month in MONTHS
    ]
    assert not LateAdoption.objects.exists()


def test_d132_published_lists_stay_and_the_next_one_adds_up(
    portal: list[RatingList], client: Client, tmp_path: Path
) -> None:
    player = ListEntry.objects.get(rating_list=portal[0], name="Of 2700").player_id
    pages = [f"/api/v1/players/{player}/calculations/rapid/2026-04-01", "/lists/rapid/2026-04-01/rapid.json"]
    pages.append("/api/v1/tournaments/SUI-4")
    shown = [client.get(address).content for address in pages]
    manifests = [item.manifest_sha256 for item in portal]
    expected: dict[int, int] = defaultdict(int)
    for (month, key), value in by_hand(AMENDED).items():
        expected[key] += value - by_hand("fide-rapid-blitz-2024")[month, key]
    late = adopted()
    assert late.adoption is not None
    assert late.is_alone
    assert [client.get(address).content for address in pages] == shown
    assert [
        item.manifest_sha256
        for item in RatingList.objects.filter(kind="rapid", origin="published").order_by("date")
    ] == manifests
    for rating_list in portal:
        assert made_again(rating_list) == []

    july = make.publish("rapid", NEXT)
    for key, difference in expected.items():
        newest = ListEntry.objects.get(rating_list=portal[-1], player=key).rating or 0
        row = Calculation.objects.filter(rating_list=july, player=key).first()
        assert ListEntry.objects.get(rating_list=july, player=key).rating == newest + by_rounding(difference)
        if difference:
            assert row is not None
            lines = CorrectionLine.objects.filter(pk__in=row.found.lines)
            assert (row.correction_hundredths, sum(line.difference_hundredths for line in lines)) == (
                difference,
                difference,
            )
            assert {
                AMENDED in line.correction.reason and "FC 2026/9" in line.correction.reason for line in lines
            } == {True}
    assert july.rules == AMENDED
    assert july.manifest["adoptions"][-1] == {"text": AMENDED, "from": "2026-02-01"}
    for rating_list in (*portal, july):
        assert made_again(rating_list) == []
        assert run_verifier(download(rating_list, tmp_path)) == 0


def by_rounding(hundredths: int) -> int:
    size = (abs(hundredths) + 50) // 100
    return size if hundredths >= 0 else -size


def test_d132_tournament_that_no_list_has_is_rated_by_the_text_then(portal: list[RatingList]) -> None:
    players = [
        ListEntry.objects.get(rating_list=portal[0], name=f"Of {rating}").player for rating in (2700, 1500)
    ]
    june = make.tournament(event_id="SUI-JUNE", start=date(2026, 6, 2), end=date(2026, 6, 2))
    make.play_and_rate(june, players, [(1, 1, 2, "1-0")])
    adopted()
    july = make.publish("rapid", NEXT)
    rows = ParticipantRating.objects.filter(tournament_rating__included_in=july)
    assert {(row.tournament_rating.rules, row.games) for row in rows} == {(AMENDED, 0)}
    assert made_again(july) == []


def test_d132_command_broken_off_before_the_effect_goes_on(portal: list[RatingList]) -> None:
    waiting = prepare(AMENDED, FIRST_DAY, act(), reference="FC 2026/9")
    assert (waiting.adoption_id, adopted().pk) == (None, waiting.pk)
    waiting.refresh_from_db()
    assert waiting.adoption_id is not None


def test_d132_cancelled_before_the_next_list_leaves_every_rating(portal: list[RatingList]) -> None:
    late = adopted()
    cancel(late, act(reason="The decision was annulled"))
    assert load_adoptions() == SHIPPED
    july = make.publish("rapid", NEXT)
    entries = dict(ListEntry.objects.filter(rating_list=portal[-1]).values_list("player_id", "rating"))
    assert dict(ListEntry.objects.filter(rating_list=july).values_list("player_id", "rating")) == entries
    for rating_list in (*portal, july):
        assert made_again(rating_list) == []
    with pytest.raises(RefusedError):
        cancel(late, act(reason="Again"))


def test_d132_what_a_list_includes_is_not_cancelled(portal: list[RatingList]) -> None:
    late = adopted()
    make.publish("blitz", NEXT)
    with refusal() as refused:
        cancel(late, act(reason="Too late"))
    assert refused.found == ["adoption-used"]


@pytest.mark.database
def test_d132_revoked_adoption_is_cancelled_and_may_be_entered_again(portal: list[RatingList]) -> None:
    """From today no list and no tournament has used it, so that the page of the texts offers to revoke it."""
    made = prepare(AMENDED, TODAY, act(), reference="FC 2026/9", is_at_once=True)
    adoption = Adoption.objects.get(late=made)
    revoke(adoption, reason="Slip", by=None, at=make.noon(TODAY))
    made.refresh_from_db()
    assert (made.cancelled_reason, adoption.revoked_reason) == ("Slip", "Slip")
    assert load_adoptions().text_on(TODAY).slug != AMENDED
    prepare(AMENDED, TODAY, act(), reference="FC 2026/9", is_at_once=True)
    assert load_adoptions().text_on(TODAY).slug == AMENDED


def test_d131_another_person_confirms_once_the_effect_is_there(portal: list[RatingList]) -> None:
    one, other = (make.user(is_superuser=True) for _ in range(2))
    made = prepare(AMENDED, FIRST_DAY, act(one), reference="FC 2026/9")
    with pytest.raises(RefusedError):
        confirm(made, act(other))
    perform_effect(made.pk)
    with refusal() as refused:
        confirm(made, act(one))
    assert refused.found == ["own-matter-D-131"]
    assert not Correction.objects.exists()
    done = confirm(made, act(other))
    assert (done.confirmed_by, done.is_alone, done.adoption is None) == (other, False, False)
    # A second click confirms nothing twice.
    number = CorrectionLine.objects.count()
    confirm(made, act(other))
    assert (CorrectionLine.objects.count(), Adoption.objects.count()) == (number, 3)


def test_d132_webhook_and_mail_as_for_corrections(portal: list[RatingList]) -> None:
    Webhook.objects.create(
        federation_id="SUI", url="https://example.org/hook", created_at=make.noon(FIRST_DAY)
    )
    player = ListEntry.objects.get(rating_list=portal[0], name="Of 2700").player
    claim = make.claim(player=player, state=CaseState.APPROVED)
    adopted()
    told = Delivery.objects.filter(event=WebhookEvent.CORRECTED).order_by("pk")
    assert [f"SUI-{month}" in one.key for one, month in zip(told, range(3, 7), strict=True)] == [True] * 4
    assert [(one.recipient, one.kind) for one in Notice.objects.all()] == [
        (claim.asked_by.email, NoticeKind.CLAIM)
    ]


@pytest.mark.parametrize(
    ("text", "first_day", "reason", "reference", "code"),
    [
        ("fide-rapid-blitz-1999", FIRST_DAY, "R", "F", "text-unknown"),
        (AMENDED, date(2026, 9, 1), "R", "F", "day-in-future"),
        (AMENDED, date(2021, 9, 1), "R", "F", "no-rules-D-13"),
        (AMENDED, date(2024, 1, 1), "R", "F", "day-taken"),
        ("fide-rapid-blitz-2024", FIRST_DAY, "R", "F", "text-in-force"),
        (AMENDED, FIRST_DAY, " ", "F", "reason-missing"),
        (AMENDED, FIRST_DAY, "R", " ", "reference-missing"),
    ],
)
def test_d132_late_adoption_is_refused(
    text: str, first_day: date, reason: str, reference: str, code: str
) -> None:
    with refusal() as refused:
        prepare(text, first_day, act(reason=reason), reference=reference)
    assert refused.found == [code]


def test_d132_command_shows_and_adopts(portal: list[RatingList]) -> None:
    words = [AMENDED, "--from", "2026-02-01", "--reason", "GA decided"]
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("adopt_rules", *words)
    assert refused.value.args[0]["codes"] == ["reference-missing"]
    words += ["--reference", "FC 2026/9"]
    shown = make.run("adopt_rules", *words, "--dry-run")
    assert (shown["adopted"], LateAdoption.objects.count()) == (False, 0)
    of_march = make.run("adopt_rules", *words, "--dry-run", "2026-03")
    assert of_march["months"] == [row for row in shown["months"] if row["date"] == "2026-03-01"]
    done = make.run("adopt_rules", *words)
    assert (done["adopted"], done["months"]) == (True, shown["months"])
    again = make.run("adopt_rules", *words)
    assert (again["adopted"], again["already"]) == (True, True)
    assert Fraction(done["months"][-1]["points"]) == Fraction(shown["months"][-1]["points"])


def in_july(acts: list[Callable[[], object]], folder: Path) -> tuple[dict[int, int | None], list[int]]:
    """Return the ratings of July after acts in an order, and the parts of its corrections; nothing stays."""
    with transaction.atomic():
        for one in acts:
            one()
        july = make.publish("rapid", NEXT)
        assert made_again(july) == []
        assert run_verifier(download(july, folder)) == 0
        found = dict(ListEntry.objects.filter(rating_list=july).values_list("player_id", "rating"))
        rows = Calculation.objects.filter(rating_list=july).order_by("player_id")
        parts = list(rows.values_list("correction_hundredths", flat=True))
        transaction.set_rollback(True)
    return found, parts


def test_d132_d133_acts_in_any_order_give_the_same_list(portal: list[RatingList], tmp_path: Path) -> None:
    """A wrong year of birth, a text adopted late, and an adjustment of the list that takes both."""
    player = ListEntry.objects.get(rating_list=portal[0], name="Of 1500").player

    def adjust() -> object:
        formula = Adjustment(2000, Fraction(2, 5))
        return prepare_adjustment("rapid", NEXT, formula, act(), reference="FC 2026/8")

    def correct() -> object:
        return amend_player(player, data_amendments({"birth_year": 2010}), act())

    acts: list[Callable[[], object]] = [adopted, correct, adjust]
    first, second = in_july(acts, tmp_path), in_july(acts[::-1], tmp_path)
    assert first == second
    plain = in_july([adopted, correct], tmp_path)
    formula = Adjustment(2000, Fraction(2, 5))
    assert first == ({key: formula.adjusted(rating or 0) for key, rating in plain[0].items()}, plain[1])


def test_d132_list_that_came_since_the_effect_was_shown_is_corrected_too(portal: list[RatingList]) -> None:
    one, other = (make.user(is_superuser=True) for _ in range(2))
    made = prepare(AMENDED, FIRST_DAY, act(one), reference="FC 2026/9")
    perform_effect(made.pk)
    names = ("Of 2700", "Of 1500")
    players = [ListEntry.objects.get(rating_list=portal[0], name=name).player for name in names]
    make.play_and_rate(
        make.tournament(event_id="SUI-JUNE", start=date(2026, 6, 10)), players, [(1, 1, 2, "0-1")]
    )
    july = make.publish("rapid", NEXT)
    # What nobody was shown is not taken: the page has it from now on.
    with refusal() as refused:
        confirm(made, act(other))
    assert (refused.found, load_adoptions().text_on(FIRST_DAY).slug) == (
        ["effect-changed"],
        "fide-rapid-blitz-2024",
    )
    made.refresh_from_db()
    shown = made.effect
    done = confirm(made, act(other))
    assert done.effect == shown
    (row,) = [row for row in done.effect if (row["kind"], row["date"]) == ("rapid", "2026-07-01")]
    assert (row["games"], row["players"]) == (1, 2)
    assert [item["games"] for item in done.effect] == [item["games"] for item in effect_rows_anew(done)]
    august = date(2026, 8, 1)
    rapid = make.publish("rapid", august)
    assert (made_again(july), made_again(rapid)) == ([], [])
    taken = CorrectionLine.objects.filter(taken_by=rapid, corrected_list=july)
    assert {line.player.name for line in taken} == set(names)


def effect_rows_anew(late: LateAdoption) -> list[dict[str, Any]]:
    """Return the rows of an effect calculated from nothing but the published lists."""
    cancel(late, act(reason="To look again"))
    rows = effect_of(late.text, late.first_day).rows
    again = prepare(late.text, late.first_day, act(), reference="FC 2026/9", is_at_once=True)
    confirm(again, act(make.user(is_superuser=True)))
    return rows
