"""The API: public reading, problems as RFC 9457, rate limits in the headers of every response."""

from __future__ import annotations

from typing import Any

RATES = {
    "read": "600/min",
    "bulk": "30/min",
    "check": "30/min",
    "open": "20/min",
    "download": "20/min",
    "desk": "120/min",
    "games": "600/min",
    "sign-up": "10/hour",
    "follow": "10/h",
}


def rest_framework(*, behind_proxy: bool) -> dict[str, Any]:
    """Return the settings of the API; the address of a caller is the proxy's word only where there is a proxy."""
    return {
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.TokenAuthentication"],
        # Refuses every view that does not declare its scope.
        "DEFAULT_PERMISSION_CLASSES": ["api.authentication.HasScope"],
        "DEFAULT_SCHEMA_CLASS": "api.schema.ResourceSchema",
        "DEFAULT_THROTTLE_RATES": RATES,
        "EXCEPTION_HANDLER": "api.errors.as_problem",
        # None would make REST framework believe what any caller writes into X-Forwarded-For.
        "NUM_PROXIES": 1 if behind_proxy else 0,
        "UNAUTHENTICATED_USER": None,
        "TEST_REQUEST_DEFAULT_FORMAT": "json",
    }


SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Rating portal",
    "VERSION": "1.1.0",
    "DESCRIPTION": (
        "Rapid and blitz chess ratings: rating lists, players with the calculation of every rating, "
        "and tournaments. Public data need no token. Dates are ISO dates in UTC. Exact decimals are "
        "strings. Errors are `application/problem+json` (RFC 9457). Each answer has `RateLimit-Limit`, "
        "`RateLimit-Remaining` and `RateLimit-Reset`. See `/api/v1/changelog` for the changes of each version."
    ),
    "CONTACT": {"name": "Operator of this portal"},
    "LICENSE": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
    "SERVERS": [
        {
            "url": "{portal}",
            "variables": {
                "portal": {
                    "default": "http://localhost:8000",
                    "description": "Address of the portal. The default is that of `make run`.",
                }
            },
        }
    ],
    "SORT_OPERATION_PARAMETERS": False,
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PREPROCESSING_HOOKS": ["api.schema.without_second_addresses"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.schema.with_common_answers",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ListKind": "ratings.choices.ListKind",
        "TournamentKind": "tournaments.choices.Kind",
        "ArenaColour": "arenas.choices.Colour",
        "Sex": "players.choices.Sex",
        "StandingStatus": "ratings.choices.Status",
    },
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "officerToken": {
                "type": "http",
                "scheme": "bearer",
                "description": (
                    "API token of a rating officer for one federation, created on the dashboard."
                ),
            },
            "arenaToken": {
                "type": "http",
                "scheme": "bearer",
                "description": "API token of an online arena, created by FIDE staff.",
            },
        },
    },
    "TAGS": [
        {"name": "lists", "description": "Published and imported rating lists, their entries and files."},
        {
            "name": "players",
            "description": ("Players, their rating history and the calculation of every list."),
        },
        {"name": "games", "description": "Games that lists include, with their rating."},
        {"name": "tournaments", "description": "Registered tournaments and their rating results."},
        {"name": "publications", "description": "Publications and the changes that they contain."},
        {
            "name": "arenas",
            "description": (
                "Online arenas: live ratings, games with their calculation, and recording of games."
            ),
        },
        {"name": "reference", "description": "Federations, regulations and reason keys."},
        {"name": "calculators", "description": "Rating calculators. Nothing is stored."},
        {"name": "reports", "description": "Check reports (TRF)."},
        {"name": "desk", "description": "Register tournaments and submit reports, with an API token."},
    ],
}
