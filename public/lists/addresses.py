"""The list that an address names."""

from __future__ import annotations

from datetime import date

from django.http import Http404
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ratings.choices import ListKind
from ratings.models import RatingList
from tournaments.lists import Lists


def list_or_404(lists: Lists[RatingList], kind: str, day: date) -> RatingList:
    """Return the list of a rating type and date, or raise Http404."""
    found = lists.on(kind, day)
    if found is None:
        message = _("There is no %(kind)s list of %(day)s.")
        raise Http404(message % {"kind": ListKind(kind).label, "day": date_format(day)})
    return found
