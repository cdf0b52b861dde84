"""What tournaments ask of the ratings above them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.questions import Question
from tournaments.list_calendar import ListCalendars
from tournaments.models import Tournament

# The first day on which a text of the regulations is in force (D-13).
first_rated_day = Question[[], date]()

# The calendars of the lists on a day, with the list on which each of some tournaments is.
calendars = Question[[date, Sequence[Tournament]], ListCalendars]()
