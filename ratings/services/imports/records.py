"""The records of a file as they stream by: counted, without the lines that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from players.fide_list import FideListError, LineProblem, ListRecord

MOST_PROBLEMS = 1_000
# So many lines may be unreadable before they must be fewer than those that are read.
MOST_UNREADABLE = 20_000


class Records:
    """Yields the records; the first problems are kept, all are counted.

    `FideListError` as soon as far too many lines cannot be read: a file that unpacks to nothing but such lines
    shall not keep a machine busy for hours.
    """

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
        if self.problem_count > max(MOST_UNREADABLE, self.read):
            message = _(
                "Most lines of the file cannot be read, the first of them is line %(line)d: %(reason)s"
            )
            first = self.problems[0]
            raise FideListError(message % {"line": first.line, "reason": first.message})
