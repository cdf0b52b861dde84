"""Every regular expression of the code takes linear time, whatever the text: one that backtracks stops a process."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import time
import types
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from django.conf import settings
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

from portal.middleware.long_addresses import MAX_PATH
from portal.secret_addresses import SECRET_ADDRESS

pytestmark = pytest.mark.slow

PACKAGES = (
    "api",
    "arenas",
    "core",
    "demo",
    "desk",
    "players",
    "portal",
    "public",
    "ratings",
    "tools",
    "tournaments",
)
CALLS = ("compile", "match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split")
APPLIED = re.compile(rf"(\w+)\.({'|'.join(CALLS)})\b")
LONGEST, MOST_SECONDS, TRIES = 32 * 1024, 0.05, 3
# Without one of these a pattern looks at each place of a text once.
REPEAT = re.compile(r"[*+?}]")
# A pattern that backtracks a lot shows it on a short text, and would not end on a long one.
LENGTHS = (512, 8 * 1024)
# Beside those of the pattern itself: a letter, a digit, spaces, a sign, an accent, no letter at all.
LETTERS = "aA0_- \t\r\n\x00\xa0é/.="


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((settings.BASE_DIR / package).rglob("*.py"))


def modules() -> Iterator[types.ModuleType]:
    for path in sources():
        name = ".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts).removesuffix(".__init__")
        # What a reader of the API's page copies is no module.
        if path.stem not in ("__main__", "gunicorn_conf") and path.parent.name != "start":
            yield importlib.import_module(name)


def written_patterns(module: types.ModuleType) -> Iterator[tuple[re.Pattern[Any], set[str]]]:
    """Yield what the source hands to `re`, also inside functions, with the ways in which the text is read."""
    names = vars(module)
    if names.get("re") is not re:
        return
    tree = ast.parse(Path(str(module.__file__)).read_text())
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name in names]
    for node, scope in [(tree, names), *((node, names | vars(names[node.name])) for node in classes)]:
        for call in calls_in(node):
            try:
                text, *flags = (evaluated(one, scope) for one in pattern_and_flags(call))
            except NameError:
                continue
            yield re.compile(text, *flags), {method_of(call)} - {"compile"}


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    for part in ast.walk(node):
        if (
            isinstance(part, ast.Call)
            and ast.unparse(part.func).startswith("re.")
            and method_of(part) in CALLS
        ):
            yield part


def method_of(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", ""))


def pattern_and_flags(call: ast.Call) -> list[ast.expr]:
    given = [word.value for word in call.keywords if word.arg == "flags"]
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(method_of(call), 2)
    return [call.args[0], *call.args[place:], *given]


def evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "pattern", "eval"), names)  # noqa: S307 - the code itself


def kept_patterns(value: Any, seen: set[int], depth: int = 4) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that a value has or makes: in collections, classes and instances."""
    if id(value) in seen or not depth:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value
        return
    if isinstance(value, types.FunctionType) and is_own(value):
        yield from made_by(value)
        return
    if isinstance(value, dict):
        parts: Iterable[Any] = value.values()
    elif isinstance(value, (list, tuple, set, frozenset)):
        parts = value
    elif is_own(value):
        parts = getattr(value, "__dict__", {}).values()
    else:
        return
    for part in list(parts):
        yield from kept_patterns(part, seen, depth - 1)


def is_own(value: Any) -> bool:
    kind = value if isinstance(value, (type, types.FunctionType)) else type(value)
    return str(getattr(kind, "__module__", "")).partition(".")[0] in PACKAGES


def made_by(function: Any) -> Iterator[re.Pattern[Any]]:
    returned = str(getattr(function, "__annotations__", {}).get("return", ""))
    if "re.Pattern" in returned and not inspect.signature(function).parameters:
        yield function()


def address_patterns(resolver: URLResolver) -> Iterator[re.Pattern[Any]]:
    yield resolver.pattern.regex
    for part in resolver.url_patterns:
        if isinstance(part, URLPattern):
            yield part.pattern.regex
        else:
            yield from address_patterns(part)


def ways_of_names() -> dict[str, set[str]]:
    """Return how the code applies what it calls by each name: `match` and `fullmatch` start at one place only."""
    ways: dict[str, set[str]] = defaultdict(set)
    for path in sources():
        for name, way in APPLIED.findall(path.read_text()):
            ways[name].add(way)
    return ways


@cache
def all_patterns() -> dict[re.Pattern[Any], set[str]]:
    """Return each pattern with the methods by which it is applied; `search` where nothing tells."""
    found: dict[re.Pattern[Any], set[str]] = defaultdict(set)
    ways = ways_of_names()
    for module in modules():
        for pattern, used in written_patterns(module):
            found[pattern] |= used
        for name, value in vars(module).items():
            for pattern in kept_patterns(value, set()):
                found[pattern] |= ways.get(name, {"search"})
    return {pattern: used or {"search"} for pattern, used in found.items()}


def literals(parsed: Any) -> Iterator[str]:
    """Yield the runs of literal characters in a parsed pattern, as those that its matches begin with."""
    run = ""
    for operation, argument in parsed:
        if str(operation) == "LITERAL":
            run += chr(argument)
            continue
        if run:
            yield run
        run = ""
        parts = argument if isinstance(argument, (list, tuple)) else [argument]
        for part in parts:
            if isinstance(part, _parser.SubPattern):
                yield from literals(part)
            elif isinstance(part, list) and str(operation) == "BRANCH":
                for branch in part:
                    yield from literals(branch)
            elif str(operation) == "IN" and str(part[0]) in ("LITERAL", "RANGE"):
                yield chr(part[1] if str(part[0]) == "LITERAL" else part[1][0])
    if run:
        yield run


def units(pattern: re.Pattern[Any]) -> list[str]:
    """Return what is repeated: single characters, the literals of the pattern, and pairs of them."""
    runs = list(dict.fromkeys(literals(_parser.parse(pattern.pattern, pattern.flags))))
    pairs = [run + letter for run in runs[:8] for letter in ("a", " ", "/", *runs[:4])]
    return list(dict.fromkeys([*LETTERS, *"".join(runs), *runs, *pairs]))


def as_text(pattern: re.Pattern[Any]) -> str:
    return pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")


def seconds_to_apply(pattern: re.Pattern[Any], ways: set[str], text: Any) -> float:
    """Return the time of this process alone, at best: a busy machine is no fault."""
    best = float("inf")
    for _ in range(TRIES):
        began = time.process_time()
        for way in ways:
            if way in ("match", "fullmatch"):
                getattr(pattern, way)(text)
            else:
                # Whatever finds one place may have to look at all of them, as this does.
                pattern.sub(text[:0], text)
        best = min(best, time.process_time() - began)
        if best <= MOST_SECONDS:
            break
    return best


def is_slow(pattern: re.Pattern[Any], ways: set[str], unit: str, longest: int) -> bool:
    """Tell whether a text of one repeated unit takes too long."""
    a_character = 0.0
    for length in (*LENGTHS, longest):
        text: Any = (unit * (length // len(unit) + 1))[:length]
        if isinstance(pattern.pattern, bytes):
            text = text.encode("latin-1", "replace")
        seconds = seconds_to_apply(pattern, ways, text)
        if seconds > MOST_SECONDS:
            # A slow machine takes longer for a character, but as long for each in a longer text.
            return seconds / length > 2 * a_character
        a_character = seconds / length
        if seconds * (longest / length) ** 2 <= MOST_SECONDS and length > LENGTHS[0]:
            # Quick enough, even if it grew by the square.
            return False
    return False


def test_every_pattern_reads_any_text_in_linear_time() -> None:
    patterns = [(pattern, ways, LONGEST) for pattern, ways in all_patterns().items()]
    # Django's own are among the addresses, which are refused if they are longer.
    patterns += [(pattern, {"search"}, MAX_PATH) for pattern in address_patterns(get_resolver())]

    slow = [
        (pattern.pattern, unit)
        for pattern, ways, longest in patterns
        for unit in (units(pattern) if REPEAT.search(as_text(pattern)) else ())
        if is_slow(pattern, ways, unit, longest)
    ]

    assert SECRET_ADDRESS in [pattern for pattern, *_rest in patterns]
    assert slow == []
