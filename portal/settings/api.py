"""The API: read by everybody, problems as RFC 9457, rates told in the headers of every answer."""

from __future__ import annotations

from typing import Any

RATES = {
    "read": "600/min",
    "bulk": "30/min",
    "check": "30/min",
    "open": "20/min",
    "desk": "120/min",
    "games": "600/min",
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
        "NUM_PROXIES": 1 if behind_proxy else 0,
        "UNAUTHENTICATED_USER": None,
        "TEST_REQUEST_DEFAULT_FORMAT": "json",
    }


SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Rating portal",
    "VERSION": "1.1.0",
    "DESCRIPTION": (
        "Rapid and blitz ratings of chess: lists, players with the calculation behind each figure, tournaments. "
        "Everything here is public and published; no key is needed. Days are ISO dates in UTC, exact decimal "
        "figures are strings, errors are `application/problem+json` (RFC 9457). "
        "`/api/v1/changelog` says what changed in which version."
    ),
    "CONTACT": {"name": "The operator of this portal"},
    "LICENSE": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
    "SERVERS": [
        {
            "url": "{portal}",
            "variables": {
                "portal": {
                    "default": "http://localhost:8000",
                    "description": "The address of the portal, here that of `make run`.",
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
                "description": "The token of an officer's program, made at the desk for one federation.",
            },
            "arenaToken": {
                "type": "http",
                "scheme": "bearer",
                "description": "The token of an arena, made by staff.",
            },
        },
    },
    "TAGS": [
        {"name": "lists", "description": "Published and imported rating lists, their entries and files."},
        {"name": "players", "description": "Players, their history and the calculation of every list."},
        {"name": "tournaments", "description": "Registered tournaments and what a list took from them."},
        {"name": "publications", "description": "What was published when, and what it changed."},
        {
            "name": "arenas",
            "description": "Online arenas: live ratings, games explained, and how games come in.",
        },
        {"name": "reference", "description": "Federations, regulations and the keys of reasons."},
        {"name": "calculators", "description": "What games would do to a rating; nothing is stored."},
        {"name": "reports", "description": "Checks of reports (TRF)."},
        {"name": "desk", "description": "Registering tournaments and submitting reports, with a token."},
    ],
}
