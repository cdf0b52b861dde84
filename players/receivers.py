"""What follows from an appointment: who enters the admin, and that sessions with former rights end."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from core.web.sessions import drop_foreign_form
from players.choices import Role
from players.models import Appointment, Player
from players.services.claims import move_claims
from players.services.invitations import end_sessions
from players.services.merging import players_merged


@receiver([post_save, post_delete], sender=Appointment)
def open_the_admin_to_staff(sender: Any, *, instance: Appointment, **kwargs: Any) -> None:
    """Let a person into the admin as long as they are appointed FIDE staff.

    Rows written in bulk send no signal: appoint one by one.
    """
    if instance.role != Role.STAFF:
        return
    user: Any = instance.user
    is_appointed = Appointment.objects.filter(user=user, role=Role.STAFF).exists()
    user.is_staff = user.is_superuser or is_appointed
    user.save(update_fields=["is_staff"])


@receiver([post_save, post_delete], sender=Appointment)
def end_sessions_of_other_roles(sender: Any, *, instance: Appointment, **kwargs: Any) -> None:
    """End the person's sessions: the next sign-in has the roles of today."""
    end_sessions(instance.user)


@receiver(players_merged)
def move_claims_of_merged_player(
    sender: Any, *, player: Player, successor: Player, by: Any, at: datetime, **kwargs: Any
) -> None:
    """Let the claims of a merged record follow to the one that is kept."""
    move_claims(player, into=successor, by=by, at=at)


@receiver(user_logged_in)
def drop_what_another_typed(sender: Any, *, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    """Leave nothing of another person's form in the session that begins."""
    if request is not None:
        drop_foreign_form(request, user)
