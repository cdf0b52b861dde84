"""Stored enumerations of arenas."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.systems.online.values import Result


class RatingSystem(models.TextChoices):
    FOA_RBB = "foa-rbb", _("FIDE Online Arena: rapid, blitz and bullet")
    CHESS_ONLINE = "chess-online", _("provisional average, then Elo with a rating floor")
    FLYORDIE = "flyordie", _("Elo with series, provisional weight and daily decay")


class GameResult(models.TextChoices):
    WHITE_WINS = Result.WHITE_WINS.value, "1-0"
    BLACK_WINS = Result.BLACK_WINS.value, "0-1"
    DRAW = Result.DRAW.value, "½-½"


class Colour(models.TextChoices):
    WHITE = "white", _("White")
    BLACK = "black", _("Black")


class Cause(models.TextChoices):
    """What moved a rating."""

    FIRST = "first", _("initial rating on joining")
    GAME = "game", _("game")
    DAY = "day", _("end of day")
    LIST = "list", _("FIDE list published")
    CANCELLED = "cancelled", _("game cancelled")
