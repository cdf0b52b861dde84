"""Arenas for programs: their servers post games, everybody reads ratings."""
