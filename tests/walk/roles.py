"""Who walks: somebody with each role, the owner of a player record, a visitor, and programs with each token."""

from __future__ import annotations

from django.test import Client
from django.utils import timezone

from arenas.models import Arena
from arenas.tokens import issue_token as issue_arena_token
from players.models import Federation
from tests import make
from tournaments.choices import Verb
from tournaments.models import NamedArbiter, Tournament
from tournaments.tokens import issue_token

OF_FEDERATIONS = ("officer", "deputy", "arbiter")
OF_FIDE = ("qc", "staff", "council", "auditor")
# Somebody with a confirmed claim of a player record, and no role.
PLAYER = "player"
VISITOR = ""
SIGNED_IN = (*OF_FEDERATIONS, PLAYER, *OF_FIDE)
ROLES = (*SIGNED_IN, VISITOR)
TOKENS = ("read", "register", "submit", "arena", "unknown", "")
# Whose objects an address names; NOT_NAMED is a tournament of the own federation with another chief arbiter.
OWN, FOREIGN, UNKNOWN, NOT_NAMED = "SUI", "AUT", "XYZ", "not named"


def browser_of(role: str) -> Client:
    """Return the browser of a role in the world OWN, which answers errors instead of raising them."""
    client = Client(raise_request_exception=False)
    if role == PLAYER:
        claim = make.claim(player__federation=Federation.objects.get(pk=OWN))
        client.force_login(claim.asked_by)
    elif role:
        federation = Federation.objects.get(pk=OWN) if role in OF_FEDERATIONS else None
        user = make.appointment(role=role, federation=federation, user__is_staff=role == "staff").user
        if role == "arbiter":
            event = Tournament.objects.get(event_id=f"{OWN}-1")
            first = NamedArbiter.objects.filter(tournament=event).earliest("pk")
            NamedArbiter.objects.filter(pk=first.pk).update(user=user)
        client.force_login(user)
    return client


def tool_of(token: str) -> Client:
    """Return a program with a token of one scope."""
    swiss, now = Federation.objects.get(pk=OWN), timezone.now()
    if token == "arena":
        text = issue_arena_token(Arena.objects.get(slug="flyordie"), name="tool", at=now)[0]
    elif token in Verb.values:
        officer = make.person("officer", swiss)
        text = issue_token(officer, swiss, name="tool", verbs=[token], at=now)
    else:
        text = token
    headers = {"Authorization": f"Bearer {text}"} if text else {}
    return Client(raise_request_exception=False, headers=headers)
