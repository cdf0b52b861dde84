"""The reasons of steps that the portal itself gives: stored in English, shown in the language of the page."""

from __future__ import annotations

import re

from django.utils.translation import gettext_noop

from core.stored_texts import StoredTexts, day_in_words
from tournaments.choices import AppealGround, FilePurpose, GameMark, Kind
from tournaments.messages import PORTAL_MESSAGES
from tournaments.trf import MESSAGES

# Why a registration waits for the QC (FIDE R&B 2024, 0.2), and what the portal gives as the reason of other steps.
HYBRID = gettext_noop("The QC must approve each hybrid tournament (article 0.2).")
LATE = gettext_noop("Registered less than 3 days before the first day (article 0.2).")
WAIVER = gettext_noop("Waiver for games after the match is won (article 5.2).")
FLAGGED = gettext_noop("Results and events flagged by the checks: %(number)d.")
PUBLISHED_BEFORE = gettext_noop(
    "The tournament was published before the QC decided. FIDE staff can correct the report or the conditions "
    "(decisions D-11 and D-82)."
)
REQUEST_CANCELLED = gettext_noop("The request was cancelled.")
CHANGE_UNDONE = gettext_noop("The last change was undone.")
REGISTRATION_UNDONE = gettext_noop("The registration was undone.")
WITHDRAWAL_UNDONE = gettext_noop("The withdrawal was undone.")
RETURN_UNDONE = gettext_noop("The return was undone.")
LINES_FIXED = gettext_noop("Version %(new)d created. Lines fixed in version %(old)d: %(lines)s.")
GAME_MARKED = gettext_noop("Round %(round)d, White %(white)d: %(mark)s (%(reference)s).")
MARK_REMOVED = gettext_noop("Round %(round)d, White %(white)d: mark removed.")
ACKNOWLEDGED = gettext_noop("Printed and acknowledged by the command.")
FILES_ADDED = gettext_noop("Files (%(purpose)s): %(names)s")
PLAYERS_ENTERED = gettext_noop("Players on the entry list: %(number)d.")
GROUND = "%(ground)s"


class ActionReasons(StoredTexts):
    """Reasons of steps. Those for acknowledged warnings are stored a line each, after the code of the warning."""

    _CODED = re.compile(r"^([a-z][a-z0-9.-]*): (.+)$", re.MULTILINE)
    # The list that published a tournament, as it is stored.
    _LIST = re.compile(rf"({'|'.join(Kind.values)}) (\d{{4}}-\d\d)")

    def translate(self, text: str) -> str:
        """Return a stored reason in the language of the page; the code of a warning comes after its reason."""
        if found := self._LIST.fullmatch(text):
            return f"{Kind(found[1]).label}, {day_in_words(found[2])}"
        return super().translate(self._CODED.sub(self._code_last, text))

    @staticmethod
    def _code_last(found: re.Match[str]) -> str:
        code, reason = found.groups()
        return f"{reason} ({code})" if code in MESSAGES or code in PORTAL_MESSAGES else found[0]


PORTAL_REASONS = ActionReasons(
    HYBRID, LATE, WAIVER, FLAGGED, PUBLISHED_BEFORE, REQUEST_CANCELLED, CHANGE_UNDONE, REGISTRATION_UNDONE,
    WITHDRAWAL_UNDONE, RETURN_UNDONE, LINES_FIXED, GAME_MARKED, MARK_REMOVED, ACKNOWLEDGED, FILES_ADDED,
    PLAYERS_ENTERED, GROUND, purpose=FilePurpose, mark=GameMark, ground=AppealGround,
)  # fmt: skip
