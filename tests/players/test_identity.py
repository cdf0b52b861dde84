"""FIDE IDs, likeness, registration, transfers and merges."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client

from core.errors import RefusedError
from players.cases import cancel, decide
from players.choices import CaseState
from players.likeness import compare_player
from players.merging import compared_records, identity_differences, merge_players, propose_merge
from players.minors import NOBODY, Minors
from players.models import Application, Federation, LogEntry, Membership, MergeProposal, Notice, Player
from players.registration import NewPlayer, check_digit, next_fide_ids, register_player
from players.transfers import ask_transfer
from tests import make
from tests.codes import refusal
from tests.log import acts

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
BORN = date(2010, 5, 6)
pytestmark = pytest.mark.page


@pytest.fixture
def austrian(db: None) -> Any:
    return make.person("officer", "AUT")


@pytest.mark.parametrize("fide_id", [1503014, 2016192, 4100018, 5000017])
def test_check_digit_is_that_of_real_ids(fide_id: int) -> None:
    assert check_digit(fide_id // 10) == fide_id % 10


@pytest.mark.database
def test_ids_go_on_after_the_highest_of_the_block(swiss: Federation) -> None:
    make.player(fide_id=1_300_050, federation=swiss)

    assert [*next_fide_ids(swiss, 1), *next_fide_ids(swiss, 1)] == [1_300_067, 1_300_075]


@pytest.mark.database
def test_a_federation_without_players_gets_a_block_of_its_own(db: None) -> None:
    ids = [next_fide_ids(make.federation(code=code), 1)[0] for code in ("LIE", "SMR", "LIE")]

    assert [fide_id // 10 for fide_id in ids] == [9_000_000, 9_010_000, 9_000_001]


@pytest.mark.parametrize(
    ("name", "born", "score"),
    [
        ("Yusupov, Ärtur", BORN, 100),
        ("Artur Yusupov", BORN, 100),
        ("Jussupow, Artur", BORN, 85),
        ("Yusupov, Artur", date(2010, 6, 5), 85),
        ("Yusupov, Artur", date(2011, 7, 8), 60),
        ("Somebody, Else", BORN, 0),
    ],
)
def test_likeness_is_the_sum_of_name_and_birth(name: str, born: date, score: int) -> None:
    known = Player(fide_id=1, name="Yusupov, Artur", birth_date=BORN, birth_year=2010)

    assert compare_player(name, born, known).score == score


def test_a_new_player_gets_an_id(officer: Any, swiss: Federation) -> None:
    made = register_player(NewPlayer("Alder, Ada", swiss, "F", BORN), by=officer, at=NOW)

    assert isinstance(made, Player)
    assert (made.name, made.birth_year, made.name_words.count()) == ("Alder, Ada", 2010, 2)


@pytest.mark.database
def test_a_new_player_gets_number_and_club_or_is_not_registered(officer: Any, swiss: Federation) -> None:
    new = NewPlayer("Alder, Ada", swiss, "F", BORN, number=" a7 ", club="SC Alpha", district="North")

    made = register_player(new, by=officer, at=NOW)
    refused = []
    for wrong in ({"number": "A7"}, {"number": "<1>", "club": "..."}):
        with refusal() as error:
            register_player(NewPlayer("Birch, Ben", swiss, "M", BORN, **wrong), by=officer, at=NOW)
        refused.append(error.found)

    assert refused == [["number-taken"], ["number", "club-empty"]]
    assert [*Membership.objects.values_list("player", "number", "club", "district", "since")] == [
        (made.pk, "A7", "SC Alpha", "North", NOW.date())  # type: ignore[union-attr]
    ]
    assert Player.objects.count() == 1
    entries = LogEntry.objects.filter(player=made.pk)  # type: ignore[union-attr]
    assert [*entries.values_list("action", flat=True)] == ["added", "added"]


def test_somebody_alike_is_shown_then_left_to_staff(officer: Any, swiss: Federation) -> None:
    known = make.player(name="Alder, Ada", federation=swiss, birth_date=BORN, birth_year=2010)
    new = NewPlayer("Ada Alder", swiss, "F", BORN, is_name_confirmed=True)

    shown = register_player(new, by=officer, at=NOW)
    waits = [register_player(new, other_than=[known.pk], by=officer, at=NOW) for _ in range(2)]

    assert isinstance(shown, list)
    assert [(one.player.pk, one.score) for one in shown] == [(known.pk, 100)]
    assert isinstance(waits[0], Application)
    assert waits[0] == waits[1]


def test_another_person_is_registered_once(swiss: Federation, staff: Any) -> None:
    """The form of FIDE staff, sent again, finds the player that it has made."""
    known = make.player(name="Alder, Ada", federation=swiss, birth_date=BORN, birth_year=2010)
    new = NewPlayer("Alder, Ada", swiss, "F", BORN)

    made, again = (register_player(new, other_than=[known.pk], by=staff, at=NOW) for _ in range(2))

    assert isinstance(made, Player)
    assert isinstance(again, list)
    assert {one.player for one in again} == {known, made}


def test_nobody_registers_for_another_federation(austrian: Any, swiss: Federation) -> None:
    with refusal() as refused:
        register_player(NewPlayer("Alder, Ada", swiss, "F", BORN), by=austrian, at=NOW)

    assert refused.found == ["not-your-federation"]
    assert Player.objects.count() == 0


def test_a_transfer_needs_the_other_side(officer: Any, austrian: Any, swiss: Federation) -> None:
    player = make.player(federation=swiss)
    asked = ask_transfer(player, to=Federation.objects.get(code="AUT"), by=austrian, at=NOW)

    with refusal() as own:
        decide(asked, CaseState.APPROVED, by=austrian, at=NOW)
    with refusal() as second:
        ask_transfer(player, to=Federation.objects.get(code="AUT"), by=officer, at=NOW)
    assert (own.found, second.found) == (["not-yours"], ["transfer-waits"])
    assert decide(asked, CaseState.APPROVED, by=officer, at=NOW)

    player.refresh_from_db()
    assert player.federation_id == "AUT"
    moved = LogEntry.objects.get(player=player, action="edited")
    assert (moved.changes, moved.by) == (
        [{"field": "federation_id", "before": "SUI", "after": "AUT"}],
        officer,
    )


@pytest.mark.parametrize(("since", "expected"), [(date(2026, 1, 1), [NOW.date()]), (NOW.date(), [])])
def test_a_transfer_ends_the_membership(
    officer: Any, austrian: Any, swiss: Federation, since: date, expected: list[date]
) -> None:
    player = make.player(federation=swiss)
    Membership.objects.create(player=player, federation=swiss, number="1", since=since)
    asked = ask_transfer(player, to=Federation.objects.get(code="AUT"), by=austrian, at=NOW)

    decide(asked, CaseState.APPROVED, by=officer, at=NOW)

    assert [*Membership.objects.values_list("until", flat=True)] == expected


@pytest.mark.database
def test_a_merged_id_leads_on(client: Any, staff: Any, swiss: Federation) -> None:
    first, second, third = (make.player(federation=swiss) for _ in range(3))

    done = [make.merge_by_two(first, into=second, reason="One person.", by=staff, at=NOW) for _ in range(2)]
    make.merge_by_two(second, into=third, reason="One person.", by=staff, at=NOW)

    assert done == [True, False]
    answers = [client.get(f"/players/{one.pk}/")["Location"] for one in (first, second)]
    assert answers == [f"/players/{third.pk}/"] * 2


def test_merges_that_lead_nowhere_are_refused(staff: Any, officer: Any, swiss: Federation) -> None:
    first, second, third = (make.player(federation=swiss) for _ in range(3))
    make.merge_by_two(first, into=second, reason="One person.", by=staff, at=NOW)

    for going, into, by in [
        (third, third, staff),
        (first, third, staff),
        (third, first, staff),
    ]:
        with pytest.raises(RefusedError):
            make.merge_by_two(going, into=into, reason="One person.", by=by, at=NOW)
    # An officer reports them (D-141), and merges nobody.
    with pytest.raises(RefusedError):
        merge_players(third, into=second, reason="One person.", by=officer, at=NOW)
    assert Player.objects.exclude(merged_into=None).count() == 1


@pytest.fixture
def hidden(swiss: Federation) -> Player:
    """Return a minor of a federation that hides the years of birth."""
    Federation.objects.filter(pk=swiss.pk).update(hides_birth_years_of_minors=True)
    return make.player(name="Alder, Ada", federation=swiss, birth_date=date(2013, 5, 6), birth_year=2013)


def shown_to(by: Any, code: str, born: date, name: str = "Alder, Ada") -> list[tuple[int, str]]:
    """Return what registering a namesake shows: score and birth."""
    new = NewPlayer(name, make.federation(code=code), "F", born)
    found = register_player(new, by=by, at=NOW)
    assert isinstance(found, list)
    return [(one.score, str(one.born)) for one in found]


def test_a_namesake_tells_another_federation_no_more_than_the_age_band(
    hidden: Player, austrian: Any, officer: Any
) -> None:
    days = [date(2012, 1, 1), date(2012, 5, 6), date(2013, 5, 6), date(2013, 5, 7), date(2013, 6, 5)]
    told = [shown_to(austrian, "AUT", born) for born in days]

    assert told == [[(80, "U14")]] * len(days)
    assert shown_to(austrian, "AUT", date(2011, 5, 6)) == [(60, "U14")]
    assert shown_to(officer, "SUI", days[2]) == [(100, "2013")]


def test_a_namesake_tells_another_federation_no_birth_date(
    swiss: Federation, austrian: Any, staff: Any
) -> None:
    make.player(name="Alder, Ada", federation=swiss, birth_date=BORN, birth_year=2010)
    told = [shown_to(austrian, "AUT", born) for born in (BORN, date(2010, 1, 1))]

    assert told == [[(80, "2010")]] * 2
    assert shown_to(staff, "AUT", BORN)[0][0] == 100


def test_birth_date_of_an_application_goes_with_the_decision(
    officer: Any, swiss: Federation, staff: Any
) -> None:
    known = make.player(name="Alder, Ada", federation=swiss, birth_date=BORN, birth_year=2010)
    applied = [
        register_player(
            NewPlayer(name, swiss, "F", BORN, is_name_confirmed=True),
            other_than=[known.pk],
            by=officer,
            at=NOW,
        )
        for name in ("Ada Alder", "Alder Ada")
    ]
    decide(applied[0], CaseState.APPROVED, by=staff, at=NOW)  # type: ignore[arg-type]
    decide(applied[1], CaseState.REFUSED, answer="Known.", by=staff, at=NOW)  # type: ignore[arg-type]

    made = Application.objects.get(state=CaseState.APPROVED).player
    assert (made.birth_date, list(Application.objects.values_list("birth_date", flat=True))) == (
        BORN,
        [None, None],
    )


@pytest.fixture
def colleague(db: None) -> Any:
    return make.person("staff")


SAME = {"name": "Müller, Anna Maria", "sex": "F", "birth_year": 1980}


def records(**other: Any) -> tuple[Player, Player]:
    """Return two records that say the same of a person, but for what is given of the second."""
    going = make.player(**SAME, birth_date=date(1980, 5, 17))
    return going, make.player(**SAME | {"name": "Muller, Maria Anna"} | other)


def test_compared_records_hide_the_year_of_a_minor(db: None) -> None:
    going, staying = records(birth_year=1981)
    shown = compared_records(going, staying, minors=NOBODY)
    hidden = compared_records(going, staying, minors=Minors(people=frozenset({staying.pk}), year=1990))
    assert [differs for *_values, differs in shown] == [False, True, False, False]
    assert hidden == [row for row in shown if "1981" not in row]


@pytest.mark.parametrize(
    ("other", "differences"),
    [
        ({"name": "Muller, Maria Anna"}, []),
        ({"sex": "", "birth_year": None}, []),
        ({"name": "Meier, Anna"}, [["name", "Müller, Anna Maria", "Meier, Anna"]]),
        ({"sex": "M", "birth_year": 1981}, [["sex", "F", "M"], ["birth_year", "1980", "1981"]]),
        ({"birth_date": date(1980, 5, 17)}, []),
        ({"birth_date": date(1980, 5, 18)}, [["birth_date", "", ""]]),
    ],
)
def test_records_differ_in_what_both_say(other: dict[str, Any], differences: list[list[str]]) -> None:
    assert (
        identity_differences(Player(**SAME, birth_date=date(1980, 5, 17)), Player(**SAME | other))
        == differences
    )


def test_merge_of_records_that_differ_takes_two_members_of_staff(staff: Any, colleague: Any) -> None:
    going, staying = records(birth_date=date(1980, 5, 18))
    told = {"into": staying, "reason": "Same passport.", "at": NOW}
    with refusal() as alone:
        merge_players(going, by=staff, **told)

    proposal = propose_merge(going, by=staff, **told)
    with refusal() as proposer:
        decide(proposal, CaseState.APPROVED, by=staff, at=NOW)
    assert alone.found == proposer.found == ["second-person"]
    going.refresh_from_db()
    assert (going.merged_into_id, proposal.differences) == (None, [["birth_date", "", ""]])
    assert decide(proposal, CaseState.APPROVED, by=colleague, at=NOW)

    going.refresh_from_db()
    assert going.merged_into_id == staying.pk
    assert list(acts().values_list("action", "by")) == [
        ("propose", staff.pk),
        ("merge", colleague.pk),
    ]


def test_d_141_an_officer_reports_two_ids_as_one_person_and_staff_confirm(
    client: Client, swiss: Federation, officer: Any, austrian: Any, staff: Any
) -> None:
    going, staying = make.player(federation=swiss), make.player(federation=make.federation(code="GER"))
    Player.objects.update(name="Same, S.", birth_year=1990, sex="M")
    typed = {"player": going.pk, "into": staying.pk, "reason": "One person.", "step": "propose"}
    client.force_login(austrian)
    client.post("/desk/players/merge", typed)
    assert not MergeProposal.objects.exists()

    client.force_login(officer)
    shown = client.post("/desk/players/merge", typed | {"step": "look"}).content.decode()
    assert ('value="propose"' in shown, 'value="merge"' in shown) == (True, False)
    sent = client.post("/desk/players/merge", typed)
    proposal = MergeProposal.objects.get()
    assert [(one.going, one.staying) for one in client.get(sent["Location"]).context["differences"]] == [
        ("SUI", "GER")
    ]
    with refusal() as refused:
        merge_players(going, into=staying, reason="One person.", by=officer, at=NOW)
    assert refused.found == ["staff-only"]
    with refusal() as refused:
        decide(proposal, CaseState.APPROVED, by=officer, at=NOW)
    assert refused.found == ["staff-only"]

    assert decide(proposal, CaseState.APPROVED, by=staff, at=NOW)
    assert Player.objects.get(pk=going.pk).merged_into == staying
    assert Notice.objects.get().recipient == officer.email


def test_proposed_merge_is_closed_once_and_holds_for_the_records_as_they_were(
    staff: Any, colleague: Any, officer: Any
) -> None:
    going, staying = records(birth_year=1981)
    told = {"into": staying, "reason": "Same passport.", "at": NOW}
    proposal = propose_merge(going, by=staff, **told)
    Player.objects.filter(pk=staying.pk).update(birth_year=1990)

    for act, code in (
        (lambda: propose_merge(going, by=colleague, **told), "proposed-already"),
        (lambda: decide(proposal, CaseState.APPROVED, by=colleague, at=NOW), "changed-meanwhile"),
        (lambda: decide(proposal, CaseState.APPROVED, by=officer, at=NOW), "staff-only"),
        (lambda: cancel(proposal, by=officer, at=NOW), "staff-only"),
    ):
        with refusal() as refused:
            act()
        assert refused.found == [code]
    assert cancel(proposal, by=staff, at=NOW)
    assert not decide(proposal, CaseState.APPROVED, by=colleague, at=NOW)
    assert not Player.objects.exclude(merged_into=None).exists()
