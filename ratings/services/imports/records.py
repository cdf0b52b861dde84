"""The records of a file as they stream by: counted, without the lines that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from players.fide_list import LineProblem, ListRecord

MOST_PROBLEMS = 1_000


class Records:
    """Yields the records; the first problems are kept, all are counted."""

    def __init__(self, items: Iterable[ListRecord | LineProblem]) -> None:
        self.read = 0
        self.problems: list[LineProblem] = []
        self.problem_count = 0
        self._items = items

    def __iter__(self) -> Iterator[ListRecord]:
        for item in self._items:
            if isinstance(item, LineProblem):
                self._note(item)
                continue
            self.read += 1
            yield item

    def _note(self, problem: LineProblem) -> None:
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
