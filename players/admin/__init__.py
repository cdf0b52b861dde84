"""Federations, players and appointments in the admin."""

from __future__ import annotations

from players.admin.appointments import AppointmentAdmin
from players.admin.changes import ChangeRequestAdmin, TitleGrantAdmin
from players.admin.federations import FederationAdmin, FederationExclusionAdmin
from players.admin.players import PlayerAdmin

__all__ = [
    "AppointmentAdmin",
    "ChangeRequestAdmin",
    "FederationAdmin",
    "FederationExclusionAdmin",
    "PlayerAdmin",
    "TitleGrantAdmin",
]
