"""What the systems of federations hear of their tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from core.pages import Page
from players import webhooks
from players.choices import WebhookEvent
from players.models import Webhook
from tournaments.models import Tournament


def tell_of_tournaments(
    event: WebhookEvent,
    tournaments: Iterable[tuple[Tournament, str]],
    *,
    at: datetime,
    listening: Iterable[Webhook] | None = None,
) -> None:
    """Queue an event for the webhooks of each tournament's federation.

    A tournament comes with what makes the event one of its kind, such as the version of its report: a webhook hears of
    each once.
    """
    held = webhooks.listening() if listening is None else list(listening)
    if held:
        webhooks.tell(_news(event, tournaments, {one.federation_id for one in held}), at=at, webhooks=held)


def _news(
    event: WebhookEvent, tournaments: Iterable[tuple[Tournament, str]], codes: set[str]
) -> Iterator[webhooks.WebhookNews]:
    for tournament, version in tournaments:
        if tournament.federation_id in codes:
            data = {
                "event_id": tournament.event_id,
                "name": tournament.name,
                "federation": tournament.federation_id,
                "kind": tournament.kind,
                "start": tournament.start,
                "end": tournament.end,
                "version": version,
                "url": Page("tournaments:tournament", tournament.event_id).link,
            }
            key = f"{event}:{tournament.event_id}:{version}"
            yield webhooks.WebhookNews(event, key, data, tournament.federation_id)
