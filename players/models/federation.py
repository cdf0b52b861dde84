"""Federations, with their membership of FIDE (FIDE R&B 2024, 9.1)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from babel import Locale
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.html.dates import short_date
from core.models import account_field
from players.choices import Area, Continent
from players.models.log import Logged
from players.spelling import in_latin_letters

FEDERATIONS_FILE = Path(__file__).resolve().parents[1] / "data" / "federations.csv"
# Federations that are no territories of CLDR, or bear another name than theirs.
NAMES = {
    "AHO": _("Netherlands Antilles"),
    "COD": _("Democratic Republic of the Congo"),
    "ENG": _("England"),
    "HKG": _("Hong Kong, China"),
    "MAC": _("Macau, China"),
    "NON": _("No federation"),
    "PLE": _("Palestine"),
    "SCO": _("Scotland"),
    "TPE": _("Chinese Taipei"),
    "WLS": _("Wales"),
}


@cache
def known_federations() -> Mapping[str, Mapping[str, str]]:
    """Return the federations known from the start, by code."""
    with FEDERATIONS_FILE.open(encoding="utf-8", newline="") as file:
        return {row["code"]: row for row in csv.DictReader(file)}


@lru_cache(maxsize=2048)
def _translate_name(code: str, name: str, language: str) -> str:
    known = known_federations().get(code, {})
    if known.get("name") != name:
        return name
    if code in NAMES:
        return str(NAMES[code])
    # Without what CLDR adds in brackets, as a former name.
    return str(Locale.parse(language, sep="-").territories.get(known["territory"], name)).partition(" (")[0]


@cache
def _search_texts(language: str) -> Mapping[str, str]:
    names = (
        (code, _translate_name(code, row["name"], language)) for code, row in known_federations().items()
    )
    # With a blank before the first word, so that a text is sought at the beginnings of words alone.
    return {code: f" {in_latin_letters(name).lower()}" for code, name in names}


def codes_named(text: str) -> list[str]:
    """Return the federations in whose translated name a word begins with a text; none on an English page."""
    language, wanted = get_language() or "en", f" {in_latin_letters(text).lower()}"
    return (
        [] if language == "en" else [code for code, name in _search_texts(language).items() if wanted in name]
    )


class Federation(Logged):
    """A national federation, or one of FIDE's own codes (FID, NON)."""

    code = models.CharField(_("Code"), max_length=3, primary_key=True)
    name = models.CharField(_("Name"), max_length=80)
    continent = models.CharField(_("Continent"), max_length=20, blank=True)
    is_member = models.BooleanField(_("Member of FIDE"), default=True)
    listing_reference = models.CharField(
        _("Approval by FIDE Council"),
        max_length=200,
        blank=True,
        help_text=_(
            "Decision by which players of a federation that is not a member are listed (article 9.1)."
        ),
    )
    territory_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="affiliated",
        verbose_name=_("Federation that includes its territory"),
        help_text=_(
            "For an Affiliated Organisation, which registers and reports tournaments itself (article 0.2)."
        ),
    )
    affiliation_reference = models.CharField(
        _("Designation by FIDE Council"),
        max_length=200,
        blank=True,
        help_text=_("Decision that gives an Affiliated Organisation these rights (article 0.2)."),
    )
    note = models.CharField(_("note"), max_length=200, blank=True)
    officer_name = models.CharField(_("Designated rating officer (article 8.3)"), max_length=120, blank=True)
    officer_details = models.CharField(_("Public contact details of the officer"), max_length=200, blank=True)
    hides_birth_years_of_minors = models.BooleanField(
        _("Shows an age band for minors"),
        default=False,
        help_text=_(
            "Shown instead of the year of birth for players who turn 18 or less this year. Published "
            "list files do not change."
        ),
    )

    area = Area.FEDERATION

    class Meta:
        ordering = ["code"]
        verbose_name = _("federation")
        verbose_name_plural = _("federations")
        constraints = [
            models.CheckConstraint(
                condition=Q(territory_of=None, affiliation_reference="")
                | Q(territory_of__isnull=False) & ~Q(affiliation_reference=""),
                name="an_affiliation_has_a_reference",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.shown_name} ({self.code})"

    def log_subject(self) -> dict[str, Any]:
        return {"federation": self, "subject": f"{self.name} ({self.code})"}

    @property
    def shown_name(self) -> str:
        """The name in the language of the page; in English, or if staff changed it, as it is stored."""
        language = get_language() or "en"
        return self.name if language == "en" else _translate_name(self.code, self.name, language)

    @property
    def continent_name(self) -> str:
        """The continent in the language of the page."""
        return str(Continent(self.continent).label) if self.continent in Continent.values else self.continent

    @property
    def is_listed(self) -> bool:
        """Whether lists show its players unless it is excluded: as a member, or with Council's approval (9.1)."""
        return self.is_member or bool(self.listing_reference)


class FederationExclusion(Logged):
    """A temporary or permanent exclusion; `until` is the day of re-admission (9.1, D-15)."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="exclusions")
    excluded_from = models.DateField(_("Excluded from"))
    until = models.DateField(_("Readmitted on"), null=True, blank=True)
    reference = models.CharField(_("Decision"), max_length=200, blank=True)
    recorded_by = account_field()
    recorded_at = models.DateTimeField(_("Recorded at"))

    area = Area.EXCLUSION

    class Meta:
        ordering = ["federation", "excluded_from"]
        verbose_name = _("exclusion of a federation")
        verbose_name_plural = _("exclusions of federations")
        constraints = [
            models.UniqueConstraint(fields=["federation", "excluded_from"], name="one_exclusion_a_first_day"),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("excluded_from")),
                name="exclusion_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.federation}, {short_date(self.excluded_from)}"

    def log_subject(self) -> dict[str, Any]:
        return {
            "federation_id": self.federation_id,
            "subject": f"{self.federation_id} {self.excluded_from.isoformat()}",
        }
