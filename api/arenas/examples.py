"""Examples in the API's schema; the games are those of docs/arenas.md."""

from __future__ import annotations

from typing import Any

GAME: dict[str, Any] = {
    "id": "g-1001",
    "played_at": "2026-03-01T12:30:00Z",
    "white": "ada",
    "black": "ben",
    "result": "1-0",
    "time_control": "15+10",
    "moves": 64,
}
WHOLE_GAME: dict[str, Any] = {
    **GAME,
    "id": "g-1002",
    "played_at": "2026-03-01T13:05:00Z",
    "white_rating_at_start": 1807,
    "black_rating_at_start": 1693,
    "disconnected": "black",
}
_STEP = {"key": "new-rating-3.9.2", "text": "From 1800.00 by 7.20 to 1807.20."}
_SIDES: dict[str, Any] = {
    "white": {
        "handle": "ada",
        "rating_at_start": None,
        "before": "1800.00",
        "after": "1807.20",
        "change": "7.20",
        "steps": [_STEP],
    },
    "black": {
        "handle": "ben",
        "rating_at_start": None,
        "before": "1700.00",
        "after": "1692.80",
        "change": "-7.20",
        "steps": [{**_STEP, "text": "From 1700.00 by -7.20 to 1692.80."}],
    },
}
ANSWER: dict[str, Any] = {
    "recorded": 1,
    "known": 0,
    "refused": 0,
    "rated": 1,
    "late": 0,
    "games": [
        {
            "id": "g-1001",
            "status": "recorded",
            "reasons": [],
            "game": {
                "id": "g-1001",
                "number": 17,
                "played_at": "2026-03-01T12:30:00Z",
                "result": "1-0",
                "time_control": "15+10",
                "category": "rapid",
                "moves": 64,
                "disconnected": "",
                "rated": True,
                "unrated": "",
                "reason": "",
                "late": False,
                "cancelled_at": None,
                **_SIDES,
                "url": "http://localhost:8000/api/v1/arenas/foa-rbb/games/17",
            },
        }
    ],
}
