"""Arenas in the admin: staff connect them, set them, give tokens and cancel games."""

from __future__ import annotations

from arenas.admin.arenas import ArenaAdmin, ArenaTokenAdmin
from arenas.admin.games import GameAdmin
from arenas.admin.members import ArenaListAdmin, MemberAdmin

__all__ = ["ArenaAdmin", "ArenaListAdmin", "ArenaTokenAdmin", "GameAdmin", "MemberAdmin"]
