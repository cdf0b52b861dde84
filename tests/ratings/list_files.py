"""List files with invented players, laid out as FIDE's."""

from __future__ import annotations

import gzip
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from players.models import Player
from ratings.models import FideList, RatingList
from tests import make

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
SINGLE = COMBINED[:113] + "JAN26 Gms K  B-day Flag"
Figures = tuple[int, int, int | None]


@dataclass(frozen=True, slots=True)
class Listed:
    """A player of a list; figures are (rating, games, K)."""

    fide_id: int
    name: str = "Zarnik, Olvo"
    federation: str = "SUI"
    standard: Figures | None = None
    rapid: Figures | None = None
    blitz: Figures | None = None
    sex: str = "M"
    title: str = ""
    born: int | None = 1980
    flag: str = ""

    def line(self) -> str:
        """Return the player's line of a combined list."""
        figures = "".join(_columns(item) for item in (self.standard, self.rapid, self.blitz))
        return self._head() + figures + self._tail()

    def single_line(self, kind: str) -> str:
        """Return the player's line of a single list."""
        return self._head() + _columns(getattr(self, kind)) + self._tail()

    def element(self) -> str:
        """Return the player's element of a combined XML list."""
        texts = {"fideid": self.fide_id, "name": self.name, "country": self.federation, "sex": self.sex}
        texts |= {"title": self.title, "w_title": "", "o_title": "", "foa_title": ""}
        for prefix, figures in (("", self.standard), ("rapid_", self.rapid), ("blitz_", self.blitz)):
            rating, games, k = figures or (0, 0, 0)
            texts |= {f"{prefix}rating": rating, f"{prefix}games": games, f"{prefix}k": k or ""}
        texts |= {"birthday": self.born or "", "flag": self.flag}
        return (
            "<player>\n"
            + "".join(f"<{name}>{text}</{name}>\n" for name, text in texts.items())
            + "</player>\n"
        )

    def _head(self) -> str:
        return f"{self.fide_id:<15}{self.name:<61}{self.federation:<4}{self.sex:<4}{self.title:<5}{'':<24}"

    def _tail(self) -> str:
        return f"{self.born or 0:<6}{self.flag:<4}"


def text_list(*players: Listed | str) -> bytes:
    """Return a combined TXT list; a string stands as a line of its own."""
    lines = (player if isinstance(player, str) else player.line() for player in players)
    return "".join(f"{line}\r\n" for line in (COMBINED, *lines)).encode()


def single_list(kind: str, *players: Listed) -> bytes:
    """Return a TXT list of one kind."""
    lines = (player.single_line(kind) for player in players)
    return "".join(f"{line}\r\n" for line in (SINGLE, *lines)).encode()


def xml_list(*players: Listed) -> bytes:
    """Return a combined XML list."""
    return f"<playerslist>\n{''.join(player.element() for player in players)}</playerslist>\n".encode()


def zipped(content: bytes, name: str) -> bytes:
    """Return a zip archive with one file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return target.getvalue()


def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def written(path: Path, content: bytes) -> str:
    """Write a file and return its path as a command takes it."""
    path.write_bytes(content)
    return str(path)


def refused_import(*arguments: str) -> list[str]:
    """Return the codes of an import that must be refused and write nothing."""
    before = RatingList.objects.count(), FideList.objects.count(), Player.objects.count()
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("import_fide_list", *arguments)
    assert before == (RatingList.objects.count(), FideList.objects.count(), Player.objects.count())
    return list(refused.value.args[0]["codes"])


def _columns(figures: Figures | None) -> str:
    rating, games, k = figures or (0, 0, 0)
    return f"{rating:<6}{games:<4}{k or 0:<3}"
