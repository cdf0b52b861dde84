"""What the whole run on SQLite notes of a statement, and when it fails."""

from __future__ import annotations

import pytest

from tests.statements import features_of


@pytest.mark.parametrize(
    ("statement", "features"),
    [
        ('SELECT "a"."name" FROM "a" WHERE "a"."id" = %s', set()),
        ('SELECT COUNT(*) FROM "a" WHERE "a"."x" IS NULL', {"SELECT: COUNT", "SELECT: IS NULL"}),
        (
            'SELECT "a"."x", MAX("b"."y") FROM "a" INNER JOIN "b" ON ("a"."id" = "b"."a_id") GROUP BY "a"."x"',
            {"SELECT: MAX", "SELECT: GROUP BY", "groups a b"},
        ),
        ('UPDATE "a" SET "x" = COALESCE("x", %s)', {"UPDATE: COALESCE"}),
        ('INSERT INTO "a" ("x") VALUES (%s) ON CONFLICT DO NOTHING', {"INSERT: ON CONFLICT"}),
        (
            'DELETE FROM "a" WHERE "a"."b_id" IN (SELECT "b"."id" FROM "b")',
            {"DELETE a b"},
        ),
        ('INSERT INTO "new__a" ("x") SELECT "x" FROM "a"', set()),
        ('SAVEPOINT "s1"', set()),
        ("", set()),
    ],
)
def test_features_are_what_databases_see_in_their_own_way(statement: str, features: set[str]) -> None:
    assert features_of(statement) == features
