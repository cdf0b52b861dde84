"""Names of `tests.make` for modules that are rewritten elsewhere."""

from tests.make import correct_conditions, correct_game, correct_player, correct_report

__all__ = ["correct_conditions", "correct_game", "correct_player", "correct_report"]
