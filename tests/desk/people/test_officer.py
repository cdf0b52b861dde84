"""The designated rating officer of a federation."""

from __future__ import annotations

from django.test import Client


def test_designated_officer_is_shown_to_everybody(officer: Client) -> None:
    details = {"officer_name": "Olga Officer", "officer_details": "ratings@federation.example"}

    assert officer.post("/desk/people/officers/SUI/", details).status_code == 302
    assert b"Olga Officer" in Client().get("/federations/SUI/").content
