"""Invented members and games of the three arenas, for the demonstration."""

from demo.arenas.making import make_arenas

__all__ = ["make_arenas"]
