"""What the walk meets: of two federations one of each object, with long names, and of the own one a crowd of each.

The crowd is larger than the number of queries that a page may make: a page that asks for each row is over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from arenas.models import Arena
from core.secrets import encrypt
from players.models import (
    ChangeRequest,
    Delivery,
    Federation,
    Invitation,
    Player,
    Transfer,
    Webhook,
)
from portal.models import User
from ratings.models import FeeStatement
from tests import make
from tests.trf_files import Event
from tests.walk.roles import FOREIGN, NOT_NAMED, OWN, UNKNOWN
from tournaments.amendments import Result
from tournaments.choices import Verb
from tournaments.models import (
    Appeal,
    CaseFile,
    InformationRequest,
    InternalNote,
    NamedArbiter,
    Objection,
    OfficerToken,
    Report,
    ResultCorrection,
    Tournament,
)
from tournaments.tokens import issue_token

MOST_QUERIES = 12
CROWD = MOST_QUERIES + 1
# A preview calculates the next list, for which the ledger looks up state, pool, corrections, mergers, corrected
# years of birth and former federations of the players, and adjustments of the list.
MOST_QUERIES_OF_PREVIEW = 19
PERSON = "Papadopoulou-Konstantinidis, Alexandra Maria Theodora"
EVENT = "Twenty-Third International Open Championship of the Republic, Section A"
COUNTRY = "United Provinces of the Northern and the Southern Archipelago"
DAY = date(2026, 1, 1)
SHARED = {
    "kind": "rapid",
    "day": DAY.isoformat(),
    "date": DAY.isoformat(),
    "ending": "csv",
    "slug": "flyordie",
    "arena": "flyordie",
    "name": "rapid.txt",
    "year": "2026",
    "app_label": "players",
    "url": "nowhere",
    "rest": "nowhere",
    "token": "guessed",
    "key": "guessed",
    "publication_id": "rapid-2026-01-01",
    "version": "1",
    "number": "1",
    "other": "1",
    "id": "1",
}
# What addresses name an object by.
Values = Mapping[str, str]


def build_worlds() -> dict[str, Values]:
    """Make the objects of both federations and return what addresses name them by."""
    for arena in Arena.objects.all():
        arena.name = f"Arena {arena.slug} of the {COUNTRY}"
        arena.save()
    # Who decides in the walk: staff stand in for a role only where each holder is concerned (D-131).
    for role in ("qc", "council"):
        make.appointment(role=role)
    own, foreign = _build(OWN, size=CROWD), _build(FOREIGN, size=1)
    unknown = SHARED | {"event_id": "XYZ-1", "federation": UNKNOWN, "code": UNKNOWN}
    return {OWN: own, FOREIGN: foreign, UNKNOWN: unknown, NOT_NAMED: {**own, "event_id": f"{OWN}-2"}}


def _build(code: str, *, size: int) -> dict[str, str]:
    federation = make.federation(code=code, name=COUNTRY)
    officer = make.person("officer", federation)
    players: list[Any] = [
        make.player(federation=federation, name=f"{PERSON} {number} {code}") for number in range(size)
    ]
    for player in players:
        make.entry(player=player)
    events = [
        make.tournament(
            event_id=f"{code}-{number + 1}",
            name=f"{EVENT} {code}-{number + 1}",
            federation=federation,
            registration="not-rated",
        )
        for number in range(max(size, 2))
    ]
    for event in events[1:]:
        _add_work(event, officer, players[:1])
    _add_statements(federation, size)
    return (
        SHARED
        | {"event_id": events[0].event_id, "federation": code, "code": code, "fide_id": str(players[0].pk)}
        | {"object_id": str(players[0].pk)}
        | _add_work(events[0], officer, players)
        | _add_requests(federation, officer, players)
        | _add_accounts(federation, officer, size)
    )


def _add_work(event: Tournament, officer: User, players: list[Player]) -> dict[str, str]:
    """Add reports, a decision, an appeal, files and objections to a tournament: one for each player."""
    now = timezone.now()
    # The columns of a name are narrower than some names.
    entered = [(player.pk, player.name[:33]) for player in players]
    days = {"start": f"{event.start:%Y/%m/%d}", "end": f"{event.end:%Y/%m/%d}"}
    of_event: Any = {"name": event.name, "federation": event.federation_id, **days}
    content = Event([*entered, (0, "Guest")], [[(1, 2, "1-0")]], **of_event).content()
    kept = {"tournament": event, "content": content, "file_name": "results.trf"}
    file = {"content": b"x", "size": 1, "sha256": "0"}
    decision = make.step(event, "not-rate", "not-rated", at=now, reason="No.")
    lodged = {"decision": decision, "communicated_on": now.date(), "asked_at": now, "ground": "facts"}
    appeal = Appeal.objects.create(tournament=event, **lodged, reason="Yes.", organiser="Club")
    named, corrections = [], []
    objections: list[Objection] = []
    for number, player in enumerate(players, start=1):
        report = Report.objects.create(
            **kept, version=number, state="checked", submitted_on=now.date(), submitted_at=now
        )
        state = "waiting" if number == 1 else "withdrawn"
        make.hand_report(
            event, number=number, state=state, at=now, by=officer, content=content, file_name="results.trf"
        )
        file["file_name"] = f"{number}.pdf"
        CaseFile.objects.create(appeal=appeal, number=number, **file)
        CaseFile.objects.create(tournament=event, purpose="report", added_at=now, number=number, **file)
        somebody = officer if number == 1 else make.user()
        named.append(NamedArbiter.objects.create(tournament=event, user=somebody, named_at=now))
        objections.append(make.objection(tournament=event, player=player, asked_by=somebody, reason="No."))
        corrections.append(
            ResultCorrection.objects.create(
                tournament=event, report=report, round=1, white=number, black=number + 1, reason="r",
                amendments=[Result(1, number, result="0-1")], asked_by=somebody, asked_at=now,
            )
        )  # fmt: skip
    for number, _player in enumerate(players):
        asked = {"asked_at": now, "due_on": now.date(), "decided_at": now, "answer": "So."}
        InformationRequest.objects.create(
            tournament=event, reason=f"Why {number}?", state="approved", **asked
        )
        InternalNote.objects.create(tournament=event, text=f"Note {number}", by=officer, at=now)
    keys = {"objection_key": objections[0], "correction_key": corrections[0]}
    return {"pk": str(named[0].pk), **{name: str(row.pk) for name, row in keys.items()}}


def _add_requests(federation: Federation, officer: User, players: list[Player]) -> dict[str, str]:
    """Add an application, a change, a transfer and a claim of each player."""
    now = timezone.now()
    asked: dict[str, Any] = {"asked_by": officer, "asked_at": now}
    third = make.federation(code="GER", name=COUNTRY)
    made: dict[str, list[int]] = {"application": [], "request": [], "transfer": [], "claim": []}
    for number, player in enumerate(players):
        change = ChangeRequest.objects.create(
            player=player, federation=federation, name="New", reason="r", evidence="e", **asked
        )
        transfer = Transfer.objects.create(
            player=player, from_federation=federation, to_federation=third, federation=third, **asked
        )
        application = make.application(
            federation,
            at=now,
            name=f"{PERSON} {federation.pk} {number}",
            birth_date=date(2010, 5, 6),
            score=80,
            likeness=player,
            asked_by=officer,
        )
        claimant = make.user() if number else officer
        claim = make.claim(player=player, asked_by=claimant, state="waiting", asked_at=now)
        for name, row in (
            ("application", application),
            ("request", change),
            ("transfer", transfer),
            ("claim", claim),
        ):
            made[name].append(row.pk)
    first = ChangeRequest.objects.get(pk=made["request"][0])
    return {f"{name}_id": str(keys[0]) for name, keys in made.items()} | {"case_number": str(first.number)}


def _add_accounts(federation: Federation, officer: User, size: int) -> dict[str, str]:
    """Add deputies, invitations, the officer's tokens, and webhooks with deliveries."""
    now, keys = timezone.now(), []
    for number in range(size):
        deputy = make.appointment(role="deputy", federation=federation)
        invitation = Invitation.objects.create(
            email=f"{federation.pk.lower()}{number}@portal.example", role="deputy", federation=federation,
            invited_by=officer, invited_at=now, expires_at=now + timedelta(days=7),
            token_sha256=f"{federation.pk}{number}",
        )  # fmt: skip
        issue_token(officer, federation, name=f"tool {number}", verbs=[Verb.READ], at=now)
        webhook = Webhook.objects.create(
            federation=federation,
            url=f"https://hook.example/{federation.pk}/{number}",
            secret=encrypt("secret"),
            created_at=now,
        )
        keys.append({"appointment_id": deputy.pk, "invitation_id": invitation.pk, "webhook_id": webhook.pk})
    first = Webhook.objects.get(pk=keys[0]["webhook_id"])
    deliveries = [
        Delivery.objects.create(webhook=first, event="test", key=f"test {number}", body="{}", created_at=now)
        for number in range(size)
    ]
    return {name: str(key) for name, key in keys[0].items()} | {
        "delivery_id": str(deliveries[0].pk),
        "token_key": str(OfficerToken.objects.filter(federation=federation).earliest("pk").pk),
    }


def _add_statements(federation: Federation, size: int) -> None:
    """Add the statement of each list."""
    for number in range(size):
        kind, day = (
            ("rapid", DAY) if number == 0 else ("blitz", date(2024 + number // 12, number % 12 + 1, 1))
        )
        FeeStatement.objects.create(
            rating_list=make.rating_list(kind=kind, date=day),
            tournaments=1,
            players=0,
            federation=federation,
            amount=40,
        )
