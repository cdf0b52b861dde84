"""Distances between towns (GeoNames)."""

from __future__ import annotations

import math

from django.db.models import F, IntegerField, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import ASin, Cast, Cos, Floor, Power, Radians, Sin, Sqrt

from tournaments.models import Town

EARTH_KM = 6371.0088
KM_A_DEGREE = math.pi * EARTH_KM / 180


def towns_within(kilometres: int, centre: Town) -> QuerySet[Town]:
    """Return the towns within so many kilometres of one, by their distance in whole kilometres."""
    # Distances are rounded: a town up to half a kilometre beyond still counts.
    north = (kilometres + 1) / KM_A_DEGREE
    towns = Town.objects.filter(
        latitude__gte=centre.latitude - north, latitude__lte=centre.latitude + north
    ).order_by()
    poleward = math.radians(abs(centre.latitude) + north)
    # A circle around a pole has all longitudes.
    if poleward < math.pi / 2:
        radius = math.radians(north)
        east = math.degrees(math.asin(math.sin(radius) / math.cos(math.radians(centre.latitude))))
        towns = towns.filter(_between(centre.longitude - east, centre.longitude + east))
    return towns.annotate(distance=distance_from(centre)).filter(distance__lte=kilometres)


def _between(west: float, east: float) -> Q:
    """Return the condition for longitudes, also where they go past 180 degrees."""
    inside = Q(longitude__gte=west, longitude__lte=east)
    if west < -180:
        return inside | Q(longitude__gte=west + 360)
    return inside | Q(longitude__lte=east - 360) if east > 180 else inside


def distance_from(centre: Town, *, towns: str = "") -> Combinable:
    """Return the great-circle distance in whole kilometres, null without a town; `towns` leads to the town's fields."""
    latitude, longitude = F(f"{towns}latitude"), F(f"{towns}longitude")
    north = Sin(Radians(latitude - Value(centre.latitude)) / 2)
    east = Sin(Radians(longitude - Value(centre.longitude)) / 2)
    across = math.cos(math.radians(centre.latitude)) * Cos(Radians(latitude))
    # Rounding must not lead past 1, of which there is no arc sine.
    square = (Power(north, 2) + across * Power(east, 2)) * (1 - 1e-12)
    kilometres = 2 * EARTH_KM * ASin(Sqrt(square))
    return Cast(Floor(kilometres + 0.5), IntegerField())
