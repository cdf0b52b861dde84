"""Acts of somebody who has not seen what another did meanwhile: refused."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.errors import refused
from players.models import LogEntry
from tournaments.models import Tournament


def seen_of(tournament: Tournament) -> str:
    """Return the number of the newest step, which a form carries as what its author saw."""
    step = newest_step(tournament)
    return str(step.pk) if step else "0"


def hold_to_what_was_seen(tournament: Tournament, seen: str | None) -> None:
    """Lock a tournament and refuse an act whose author has not seen its newest step; None skips this check."""
    # The lock holds to the end of the act: no other step comes between the look and the act.
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    refuse_unseen(locked, seen)


def refuse_unseen(tournament: Tournament, seen: str | None) -> None:
    """Refuse an act whose author has not seen the newest step of a tournament; None skips this check."""
    if seen is None:
        return
    step = newest_step(tournament)
    if seen == (str(step.pk) if step else "0"):
        return
    message = _(
        "%(who)s changed the tournament meanwhile: %(what)s. Nothing was saved. Compare your form "
        "with the current data before you send it again."
    )
    who = step.by if step else None
    values = {"who": who or _("A user"), "what": step.what if step else "–"}
    raise refused("changed-meanwhile", message % values)


def newest_step(tournament: Tournament) -> LogEntry | None:
    """Return the last step of a tournament, None without one."""
    return tournament.log_entries.select_related("by").order_by("-pk").first()
