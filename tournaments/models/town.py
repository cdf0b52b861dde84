"""Towns and the spellings by which they are found (GeoNames): where tournaments take place, for distances."""

from __future__ import annotations

from babel import Locale
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.models import CodePointCharField
from tournaments.geonames import WITH_REGIONS


class Town(models.Model):
    """A town of GeoNames. Country is its ISO code, region a code within it; degrees north and east."""

    geonames_id = models.PositiveIntegerField(_("GeoNames ID"), primary_key=True)
    name = models.CharField(_("Name"), max_length=200)
    country = models.CharField(_("Country"), max_length=2)
    region = models.CharField(_("Region"), max_length=20, blank=True)
    latitude = models.FloatField(_("Latitude"))
    longitude = models.FloatField(_("Longitude"))
    population = models.PositiveIntegerField(_("Population"))

    class Meta:
        ordering = ["-population", "geonames_id"]
        verbose_name = _("town")
        verbose_name_plural = _("towns")
        # Distances are calculated only for towns within a square.
        indexes = [models.Index(fields=["latitude", "longitude"], name="towns_by_degrees")]

    def __str__(self) -> str:
        return ", ".join(part for part in (self.name, self.shown_region, self.country) if part)

    @property
    def shown_region(self) -> str:
        """The code of the region where people write it, as in `Paris, TX`, else ""."""
        return self.region if self.country in WITH_REGIONS else ""

    def region_and_country(self) -> str:
        """Return where the town lies, in the language of the page: `TX, United States`."""
        country = Locale.parse(get_language() or "en", sep="-").territories.get(self.country, self.country)
        return f"{self.shown_region}, {country}" if self.shown_region else str(country)


class TownSpelling(models.Model):
    """One spelling of a town without accents and case: Geneva has `geneva`, `geneve` and `genf`."""

    town = models.ForeignKey(Town, on_delete=models.CASCADE, related_name="spellings", db_index=False)
    # By code points, so that a range of texts with one beginning uses the index on every database.
    spelling = CodePointCharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["spelling", "town"], name="one_row_a_spelling")]

    def __str__(self) -> str:
        return str(self.spelling)
