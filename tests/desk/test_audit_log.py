"""The audit log at the desk: paged, filtered and exported."""

from __future__ import annotations

import json
from datetime import date

from django.utils import timezone

from players.cases import cancel, decide
from players.choices import Area, CaseState, Deed
from players.models import Federation, Membership, Player
from players.models.log import record_act
from players.transfers import ask_transfer
from ratings.choices import SENTENCES
from ratings.systems.fide_rapid_blitz_2024 import RULES
from tests import make
from tests.codes import codes_of_form
from tests.desk.conftest import NOW
from tests.log import acts
from tournaments.choices import Action
from tournaments.log import record_action
from tournaments.models import OfficerToken, Tournament
from tournaments.tokens import issue_token, revoke_token


def test_audit_log_is_paged_and_exported(played: Tournament, swiss: Federation) -> None:
    for number in range(40):
        make.step(played, "change", "registered", reason=f"=cmd {number}", at=NOW)
    auditor = make.browser("auditor")

    shown = auditor.get("/desk/trail/?kind=tournament").context
    first = shown["page"]
    second = auditor.get(f"/desk/trail/{first.next_url}").context["page"]
    back, last = (
        auditor.get(f"/desk/trail/{url}").context["page"] for url in (second.previous_url, first.last_url)
    )
    stream = b"".join(auditor.get("/desk/trail.ndjson?kind=tournament"))  # type: ignore[arg-type]
    table = b"".join(auditor.get("/desk/trail.csv?object=SUI-PLAYED"))  # type: ignore[arg-type]

    turned = auditor.get("/desk/trail/?since=2026-12-05&until=2026-11-01").context["form"]
    assert codes_of_form(turned) == {"until": ["order"]}
    numbers = [row.number for row in (*first.rows, *second.rows)]
    assert (len(first.rows), len(second.rows), second.next_url) == (25, 15, None)
    assert (back.rows, last.rows[-1]) == (first.rows, second.rows[-1])
    assert (shown["form"].folded, shown["is_filtered"]) == (1, True)
    assert numbers == sorted(numbers, reverse=True)
    assert [json.loads(line)["why"] for line in stream.splitlines()][:1] == ["=cmd 39"]
    assert (table.count(b"'=cmd"), table.count(b",=cmd")) == (40, 0)
    assert auditor.get("/desk/trail/?after=nonsense").status_code == 404


def test_audit_log_has_transfers_and_tokens_without_naming_players_twice(
    swiss: Federation, austrian: Federation
) -> None:
    officer, staff = (make.person("officer", one) for one in (swiss, austrian))
    player = make.player(federation=swiss)
    for is_agreed in (True, False):
        transfer = ask_transfer(player, to=austrian, by=officer, at=NOW)
        if is_agreed:
            decide(transfer, CaseState.APPROVED, by=staff, at=NOW)
        else:
            cancel(transfer, by=officer, at=NOW)
        Player.objects.filter(pk=player.pk).update(federation=swiss)
    issue_token(officer, swiss, name="Laptop", verbs=["read"], at=NOW)
    revoke_token(OfficerToken.objects.get(), at=NOW)
    auditor = make.browser("auditor")

    page = auditor.get(f"/desk/trail/?kind=player&object={player.pk}").context
    rows = [row for row in page["page"].rows if row.before == "SUI"]
    tokens = auditor.get("/desk/trail/?object=SUI: Laptop").context["page"].rows
    kinds = [value for value, _label in page["form"].fields["kind"].choices]

    assert [(row.before, row.after) for row in rows] == [("SUI", "AUT")] * 4
    assert list(acts().values_list("action", flat=True)) == [
        "move",
        "agree",
        "move",
        "unmove",
        "token",
        "untoken",
    ]
    assert len(tokens) == 2
    assert len(kinds) == len(set(kinds))


def test_audit_log_shows_values_before_and_after(swiss: Federation, db: None) -> None:
    auditor = make.browser("auditor")
    swiss.officer_name = "Alder, Ada"
    swiss.save()

    rows = auditor.get("/desk/trail/?kind=federation&object=SUI").context["page"].rows

    assert [(row.before, row.after.split(": ")[-1]) for row in rows[:1]] == [("", "Alder, Ada")]


def test_audit_log_names_acts_by_their_subjects(swiss: Federation) -> None:
    for area, subject in ((Area.LIST, "rapid 2026-12-01"), (Area.RULES, f"{RULES.slug} from 2026-09-01")):
        record_act(area, Deed.PREPARE, subject, by=None, at=NOW)
    player = make.player(federation=swiss)
    Membership(federation=swiss, player=player, number="1", since=NOW.date()).save(at=NOW)

    rows = make.browser("auditor").get("/desk/trail/").context["page"].rows
    whats = {(row.kind, row.what) for row in rows if row.kind in ("list", "rules", "player")}

    assert (len(whats), len({what for _kind, what in whats})) == (4, 4)
    named = {row.object for row in rows if row.kind in ("list", "rules")}
    assert named == {"Rapid, December 2026", f"{RULES.title}, Tue 1 Sep 2026"}


def test_audit_log_shows_the_answers_to_objections_in_words(swiss: Federation) -> None:
    officer = make.person("officer", swiss)
    for state in (CaseState.REFUSED, CaseState.APPROVED):
        made = make.objection(tournament__federation=swiss)
        decide(made, state, answer="The sheet.", by=officer, at=NOW)

    rows = make.browser("auditor").get("/desk/trail/?kind=player").context["page"].rows

    assert [(row.after, row.why) for row in rows if row.why] == [
        ("accepted", "The sheet."),
        ("declined", "The sheet."),
    ]


def test_acts_elsewhere_are_no_decisions_on_tournaments(played: Tournament) -> None:
    """Some of their actions have the codes of decisions."""
    now = timezone.now()
    for deed in (Deed.REFUSE, Deed.GRANT, Deed.DENY):
        record_act(Area.PLAYER, deed, "FIDE ID 1", by=None, at=now)
    record_action(played, Action.REFUSE, reason="Late", by=None, at=now)

    page = make.browser("council").get("/desk/")

    assert [entry.tournament for entry in page.context["decided"]] == [played]


def test_the_log_of_a_federation_has_its_players(swiss: Federation, austrian: Federation) -> None:
    make.player(federation=swiss, name="Alder, Ada", fide_id=1_300_001)
    make.player(federation=austrian)

    rows = make.browser("auditor").get("/desk/trail/?kind=player&object=sui").context["page"].rows

    assert [row.object for row in rows] == ["Alder, Ada (1300001)"]


def test_reasons_of_the_portal_are_in_the_language_of_the_page(db: None) -> None:
    player = make.player()
    player.died_on = date(2026, 2, 1)
    player.save(at=NOW, reason=SENTENCES.state("death"))

    page = make.browser("auditor").get(f"/de/desk/trail/?object={player.pk}").context["page"]

    assert page.rows[0].why == "Tod eingetragen (Artikel 9.2)."
