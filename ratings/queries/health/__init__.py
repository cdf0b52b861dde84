"""Measures of the pool of players by the games and ratings of a published list."""
