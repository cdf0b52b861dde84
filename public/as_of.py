"""Pages as they stood on the date of a list, which a form chooses."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ratings.models import RatingList
from tournaments.lists import Lists


def lists_as_of(lists: Lists[RatingList], day: date) -> Lists[RatingList]:
    """Return the lists up to a list date. Raise Http404 if no list has the date."""
    try:
        return lists.as_of(day)
    except LookupError as error:
        raise Http404(_("There is no list of %(day)s.") % {"day": date_format(day)}) from error


def asked_day(request: HttpRequest, lists: Lists[RatingList]) -> date:
    """Return the list date selected in the form. Raise Http404 for any other text."""
    day = next((day for day in lists.days if day.isoformat() == request.GET["as-of"]), None)
    if day is None:
        raise Http404(_("This list does not exist."))
    return day
