#!/usr/bin/env python3
"""Give the worked cases to a program, and compare what it prints.

    python3 run.py [--system SLUG]... COMMAND [ARGUMENT]...

The program reads a case from each line of standard input, `{"id", "system", "ask", "input"}`, and prints a line of JSON
for each, in the same order. Every field of `expected` must be in the answer, with an equal value: numbers are compared
as numbers, so that 0.5 and "0.50" are equal. README.md describes the cases.

Exit 0: all answers are equal. Exit 1: a line for each difference, with the article. Exit 2: wrong use.

One file, the standard library alone (Python 3.9 or later).
SPDX-License-Identifier: see LICENSE of the project.
"""

import argparse
import json
import subprocess
import sys
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

SENT = ("id", "system", "ask", "input")
FOLDER = Path(__file__).resolve().parent


def cases_of(systems):
    """Return the cases of systems, all where none is named, each with its system."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        if "cases" in content and (not systems or content["system"] in systems):
            found += [{"system": content["system"], **case} for case in content["cases"]]
    return found


def value_of(printed):
    """Return a number exactly, anything else as it is."""
    try:
        return Fraction(str(printed))
    except (ValueError, ZeroDivisionError):
        return printed


def differences(expected, printed, name="answer"):
    """Yield a sentence for each field that is not as expected; further fields do not matter."""
    if isinstance(expected, dict) and isinstance(printed, dict):
        for key, value in expected.items():
            yield from differences(value, printed.get(key), key if name == "answer" else f"{name}.{key}")
    elif isinstance(expected, list) and isinstance(printed, list) and len(expected) == len(printed):
        for place, (value, other) in enumerate(zip(expected, printed)):
            yield from differences(value, other, f"{name}[{place}]")
    elif value_of(expected) != value_of(printed):
        yield f"{name} is {json.dumps(printed)}, expected {json.dumps(expected)}"


def problems_of(case, line):
    """Yield what is wrong with the line that a program printed for a case."""
    if not line:
        yield "no answer"
        return
    try:
        printed = json.loads(line)
    except ValueError:
        yield f"not JSON: {line[:100]}"
        return
    yield from differences(case["expected"], printed)


def main(arguments):
    parser = argparse.ArgumentParser(
        description="Give the worked cases to a program, and compare what it prints."
    )
    parser.add_argument(
        "--system", action="append", metavar="SLUG", help="only the cases of this system; may be repeated"
    )
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="COMMAND", help="the program with its arguments"
    )
    options = parser.parse_args(arguments)
    cases = cases_of(options.system)
    if not options.command or not cases:
        parser.error("name a program" if cases else "there are no cases of this system")
    lines = "".join(json.dumps({key: case[key] for key in SENT}) + "\n" for case in cases)
    try:
        done = subprocess.run(
            options.command, input=lines, stdout=subprocess.PIPE, check=False, encoding="utf-8"
        )
    except OSError as error:
        parser.error(f"{options.command[0]} cannot be started: {error.strerror}")
    different = 0
    for case, line in zip_longest(cases, done.stdout.splitlines()[: len(cases)], fillvalue=""):
        problems = list(problems_of(case, line))
        different += bool(problems)
        for problem in problems:
            print(f"{case['system']} {case['id']} (article {case['article']}): {problem}")
    print(f"{len(cases)} cases, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
