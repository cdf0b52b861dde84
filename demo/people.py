"""The invented players of the demonstration: one federation and guests of five others.

Names are drawn by language. The starting list has them in the format of FIDE's combined list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape

from core.acts import Act
from players.fide_list import ListedRating, ListRecord
from players.models import Federation, Player
from players.register import import_register
from ratings.imports import Import, import_list
from tournaments.trf.checks.players import has_right_check_digit


@dataclass(frozen=True, slots=True)
class Language:
    """The names of one language: women's and men's given names, and family names."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    families: tuple[str, ...]

    def name(self, rng: Random, sex: str) -> str:
        """Return a drawn name in list format: `Kieffer, Léonie`."""
        given = rng.choice(self.women if sex == "F" else self.men)
        return f"{rng.choice(self.families)}, {given}"


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text. An underscore becomes a space."""
    return tuple(word.replace("_", " ") for word in text.split())


LUXEMBOURGISH = Language(
    words(
        "Léonie Josée Viviane Félicie Marie-Louise Liss Fränzi Mariette Anouk Yasmine Ketty Nora Lena Tilly"
    ),
    words("Jhemp Nicolas Fränk Jos Luc Raoul Mathis Théo Änder Paul Gilles Félix Pit Tun Ben Loris Max Noé"),
    words(
        "Kieffernagel Wëllenstein Bausch-Thill Schmëtt Hoffmannsdal Weydertz Thillmany Reuterhof Müllesch "
        "Krëmermann Feltgenhauer Steichenal Pläschdorf Lëtschert Gréiweldinger Dondelfelder Nockerts Ehlingen "
        "Bëttlerbach Zanterhaff Rollingerhof Ouschterholz"
    ),
)
FRENCH = Language(
    words("Amélie Cécile Élodie Françoise Noémie Océane Hélène Zoé Maëlle Inès"),
    words("Benoît Jérôme Étienne Loïc Gaël François Théophile René Anaël Émile Hugues"),
    words(
        "Beaurivaux Lachênaie Desprézières Montbrâcon Grandgeorget Vauclérin d'Argenlieux Le_Cœurnet Forêtier "
        "Châtelonne Pré-Vaugeois Rochefondue Boisgontrand L'Hermitaux"
    ),
)
GERMAN = Language(
    words("Käthe Jördis Ännchen Ute Grete Frauke Mathilda Sünje Lotte Rahel"),
    words("Jörg Günther Bärtold Götz Jürgen Lennart Till Kaspar Rüdiger Anselm"),
    words(
        "Großenbrinker Möllendörfer Vöckelsang Zwölfender Schönwälder Tröstlich Kühnhardtner Weißgerbershof "
        "Bünteholz Ährenfelder Quittenbaum Süßengut"
    ),
)
PORTUGUESE = Language(
    words("Conceição Inês Beatriz Luísa Íris Mónica Eulália Graça Leonor Matilde"),
    words("João Simão Sebastião Estêvão Luís Tomás Gonçalo Rúben Vítor Nuno Duarte"),
    words(
        "Vilarinhão Conceiçal Mourisqueira Falcãozinho Boavidal Serrãozal Camarãoeiro Magalhosa Peixotinho "
        "Trigueirães Sampaiães Brandãoal Assunçães Lourençal"
    ),
)
ITALIAN = Language(
    words("Niccolina Benedetta Ortensia Fiamma Ginevra Perla"),
    words("Niccolò Ettore Lapo Giosuè Oreste Zaccaria"),
    words("Montefosco Bellacorte Dall'Ombroso Passalacquetta Della_Roverina Quattrocase Santafiorella"),
)
SLAVIC = Language(
    words("Božena Željka Ljubica Władysława Kateřina Živa Ružica Zdeňka"),
    words("Zdeněk Łukasz Đorđe Miloš Krešimir Stanisław Čedomir Ondřej Žarko Vojtěch"),
    words(
        "Šumadinčić Wiśniogórski Đurđeviković Novočeský Brzęczykowski Žabokrčević Řepkovský Ćosićević "
        "Grabowięcki Hřebíčkovský Ljutomerčan Świerczewiak"
    ),
)
ICELANDIC = Language(
    words("Þórdís Sólveig Ásgerður Guðný Hrafnhildur Ýrr Ölrún"),
    words("Þorbergur Ævar Hróðmar Sæþór Önundur Eyþór Ísleifur Garðar"),
    words("Hrafnþórsson Sæmundarbur Gníparson Ægisdalur Þrymsson Öxarfjörð Hvításs Eldgígsson"),
)
DANISH = Language(
    words("Bodil Maja-Søs Kirsten Åse Gry Rikke"),
    words("Søren Åge Jørn Bjarke Asbjørn Kåre Steen"),
    words("Skovmøllegaard Bækhøjlund Nørreåsen Østerstrøm Kløverød Brændgård Ådalshøj"),
)
SLOVENE = Language(
    words("Špela Živa Neža Mojca Urška"),
    words("Črtomir Žiga Blaž Matjaž Gašper Anže"),
    words("Podgoršček Žlebnikar Hruškovar Čebelnjak Smrečnikar Kočevščan Belošič"),
)
TURKISH = Language(
    words("Gülşen Çiğdem Özge Şirin"),
    words("İlker Çağrı Gökhan Oğuz Şükrü"),
    words("Taşköprülüoğlu Gümüşdere Çınaraltı Yağmurbaşı Özdeğirmen"),
)

# The languages of the federation's players. Repetition sets the probability of each.
AT_HOME = (
    *(LUXEMBOURGISH,) * 7,
    *(FRENCH,) * 4,
    *(PORTUGUESE,) * 4,
    *(GERMAN,) * 3,
    *(ITALIAN, SLAVIC) * 2,
    ICELANDIC,
    TURKISH,
)
# The longest name for which a list has room, and one of a single word: pages are to be seen with both.
LONGEST_NAME = (
    "von Wëllenstein-Dondelfelder zu Gréiweldingen und Ouschterholz, Marie-Adélaïde Clémentine Éléonore"
)
ONLY_NAME = "Þórdísa"


HOME = "LUX"
PLAYERS = 400
GUESTS = 9
# The first digits of a federation's FIDE IDs. Numbers from 9000 on are unused in all of these blocks.
BLOCKS = {"LUX": 40, "DEN": 14, "ISL": 23, "POR": 19, "SLO": 146, "SUI": 13}
FIRST_NUMBER = 9000
GUEST_LANGUAGES = {
    "DEN": (DANISH,),
    "ISL": (ICELANDIC,),
    "POR": (PORTUGUESE,),
    "SLO": (SLOVENE,),
    "SUI": (GERMAN, FRENCH, ITALIAN),
}
LOWEST = 1400
AVERAGE, SPREAD = 1690, 290
LOWEST_STRENGTH, HIGHEST = 1150, 2080
# The highest strength of young players, by age.
YOUNG = ((10, 1450), (13, 1700), (16, 1950))
OFFICIALS = ("FA", "NA", "IA", "FA,NI", "DI", "FST", "IA,IO")
# Strength, title and sex of the strongest players. All others are drawn.
STRONGEST = (
    (2548, "GM", "M"),
    (2491, "GM", "M"),
    (2437, "IM", "M"),
    (2418, "IM", "M"),
    (2391, "IM", "F"),
    (2366, "FM", "M"),
    (2342, "FM", "M"),
    (2330, "FM", "M"),
    (2318, "FM", "M"),
    (2291, "WGM", "F"),
    (2284, "FM", "M"),
    (2262, "FM", "M"),
    (2247, "WIM", "F"),
    (2231, "CM", "M"),
    (2214, "FM", "M"),
    (2202, "CM", "M"),
    (2188, "WFM", "F"),
    (2171, "CM", "M"),
    (2134, "WFM", "F"),
    (2096, "WCM", "F"),
)


@dataclass(frozen=True, slots=True)
class DemoPlayer:
    """A player of the starting list, with the true strength and the activity."""

    record: ListRecord
    strength: int
    activity: int

    @property
    def fide_id(self) -> int:
        return self.record.fide_id

    @property
    def is_rated(self) -> bool:
        """Whether the starting list has a rating of the player."""
        return any((self.record.standard, self.record.rapid, self.record.blitz))


def fide_id(federation: str, number: int) -> int:
    """Return a FIDE ID of a federation's block, with its check digit."""
    return with_check_digit(BLOCKS[federation] * 10_000 + number)


def with_check_digit(number: int) -> int:
    """Return a number of at most seven digits, followed by the check digit of FIDE IDs."""
    return next(one for one in range(number * 10, number * 10 + 10) if has_right_check_digit(one))


def everybody(rng: Random, *, year: int) -> list[DemoPlayer]:
    """Return all players of the demonstration, with their data in that year."""
    home = list(_home(rng, year))
    long, short = home[40], home[57]
    home[40] = replace(long, record=long.record._replace(name=LONGEST_NAME, sex="F", flag="w"))
    home[57] = replace(short, record=short.record._replace(name=ONLY_NAME, sex="F", flag="w"))
    return home + [person for federation in GUEST_LANGUAGES for person in _guests(rng, federation, year)]


def _home(rng: Random, year: int) -> Iterator[DemoPlayer]:
    taken: set[str] = set()
    for number, (strength, title, sex) in enumerate(STRONGEST):
        born = year - rng.randint(19, 48)
        yield _person(rng, taken, HOME, number, AT_HOME, sex, born, strength, year=year, title=title)
    for number in range(len(STRONGEST), PLAYERS):
        sex = "F" if rng.randrange(100) < 24 else "M"
        born = year - _age(rng)
        age = year - born
        highest = next((strength for oldest, strength in YOUNG if age <= oldest), HIGHEST)
        strength = max(LOWEST_STRENGTH, min(highest, round(rng.gauss(AVERAGE, SPREAD))))
        yield _person(rng, taken, HOME, number, AT_HOME, sex, born, strength, year=year)


def _guests(rng: Random, federation: str, year: int) -> Iterator[DemoPlayer]:
    taken: set[str] = set()
    for number in range(GUESTS):
        sex = "F" if rng.randrange(100) < 30 else "M"
        strength = rng.randint(1750, 2480)
        title = "GM" if strength >= 2450 else "IM" if strength >= 2380 else "FM" if strength >= 2280 else ""
        languages = GUEST_LANGUAGES[federation]
        born = year - rng.randint(15, 60)
        yield _person(rng, taken, federation, number, languages, sex, born, strength, year=year, title=title)


def _age(rng: Random) -> int:
    """Return a random age: 30% are juniors, 20% are seniors."""
    group = rng.randrange(10)
    if group < 3:
        return rng.randint(8, 18)
    return rng.randint(19, 59) if group < 8 else rng.randint(60, 88)


def _person(
    rng: Random,
    taken: set[str],
    federation: str,
    number: int,
    languages: tuple[Language, ...],
    sex: str,
    born: int,
    strength: int,
    *,
    year: int,
    title: str = "",
) -> DemoPlayer:
    record = ListRecord(
        fide_id=fide_id(federation, FIRST_NUMBER + number),
        name=_new_name(rng, taken, languages, sex),
        federation=federation,
        sex="F" if sex == "F" else "M",
        title=title,
        women_title=title if title.startswith("W") else "",
        other_titles=rng.choice(OFFICIALS) if born < year - 30 and rng.randrange(12) == 0 else "",
        foa_title="",
        birth_year=born,
        flag="",
        standard=None,
        rapid=None,
        blitz=None,
    )
    is_known = bool(title) or federation != HOME
    if is_known or rng.randrange(100) < _chance_of_rating(strength):
        record = _with_ratings(rng, record, strength, year=year, is_known=is_known)
    often = (4, 5, 6) if is_known else (2, 2, 3, 4, 6)
    return DemoPlayer(record, strength, 1 if "i" in record.flag else rng.choice(often))


def _chance_of_rating(strength: int) -> int:
    """Return the percentage of players of that strength who have a rating."""
    return 96 if strength >= 1900 else 82 if strength >= 1650 else 55


def _new_name(rng: Random, taken: set[str], languages: tuple[Language, ...], sex: str) -> str:
    name = rng.choice(languages).name(rng, sex)
    while name in taken:
        name = rng.choice(languages).name(rng, sex)
    taken.add(name)
    return name


def _with_ratings(rng: Random, record: ListRecord, strength: int, *, year: int, is_known: bool) -> ListRecord:
    """Return the record with ratings near the strength, most in each type. Inactive players get the flag."""
    ratings = [_rating(rng, strength, record, year) for _ in ("standard", "rapid", "blitz")]
    chances = (78, 82, 66)
    standard, rapid, blitz = (
        rating if is_known or rng.randrange(100) < chance else None
        for rating, chance in zip(ratings, chances, strict=True)
    )
    is_inactive = not is_known and rng.randrange(9) == 0
    if is_inactive:
        # Without a rated game on the last lists, so also on this one.
        standard, rapid, blitz = (rating and replace(rating, games=0) for rating in (standard, rapid, blitz))
    flag = ("w" if record.sex == "F" else "") + ("i" if is_inactive else "")
    return record._replace(flag=flag, standard=standard, rapid=rapid, blitz=blitz)


def _rating(rng: Random, strength: int, record: ListRecord, year: int) -> ListedRating | None:
    rating = strength + rng.randint(-70, 70)
    if rating < LOWEST:
        return None
    is_junior = year - (record.birth_year or 0) <= 18
    is_new = rng.randrange(10) == 0
    k = 10 if rating >= 2400 else 40 if (is_junior or is_new) and rating < 2300 else 20
    return ListedRating(rating, rng.choice((0, 0, 5, 7, 9, 11, 14)), k)


FILE_NAME = "players_list_xml_foa.xml"


def import_starting_list(records: Iterable[ListRecord], *, on: date, at: datetime) -> Import:
    """Import the players and three lists of a date, from a file in FIDE's format."""
    with TemporaryDirectory(prefix="demo-") as folder:
        path = Path(folder) / FILE_NAME
        path.write_text("\n".join(_lines(records)), encoding="utf-8")
        return import_list(path, on=on, at=at)


# Clubs of the federation's demonstration, each with its district.
CLUBS = tuple(
    (f"{kind} {place}", district)
    for district, places in (
        ("North", words("Pläschdorf Ehlingen Gréiweldingen Bëttlerbach")),
        ("South", words("Weydertz Zanterhaff Rollingen Nockert")),
    )
    for place, kind in zip(places, ("Cercle", "Schachfrënn", "Springer", "Tour"), strict=True)
)


def import_clubs(*, by: Any, at: datetime) -> int:
    """Import the register of the federation: nine of ten players have a number and a club."""
    home = Player.objects.filter(federation=HOME, merged_into=None).order_by("pk")
    rows = [["FIDE ID", "National number", "Name", "Club", "District"]]
    rows += [
        [str(player.pk), f"L{1000 + place}", player.name, *CLUBS[place * 7 % len(CLUBS)]]
        for place, player in enumerate(home)
        if place % 10
    ]
    with TemporaryDirectory(prefix="demo-") as folder:
        path = Path(folder) / "register.csv"
        path.write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
        return import_register(path, Federation.objects.get(pk=HOME), act=Act(by, at)).changed


def _lines(records: Iterable[ListRecord]) -> Iterator[str]:
    yield "<playerslist>"
    for record in records:
        yield "<player>"
        yield from (f"<{tag}>{escape(str(value))}</{tag}>" for tag, value in _fields(record))
        yield "</player>"
    yield "</playerslist>"


def _fields(record: ListRecord) -> Iterator[tuple[str, object]]:
    yield "fideid", record.fide_id
    yield "name", record.name
    yield "country", record.federation
    yield "sex", record.sex
    yield "title", record.title
    yield "w_title", record.women_title
    yield "o_title", record.other_titles
    yield "foa_title", record.foa_title
    for prefix, rating in (("", record.standard), ("rapid_", record.rapid), ("blitz_", record.blitz)):
        yield from _figures(prefix, rating)
    yield "birthday", record.birth_year or ""
    yield "flag", record.flag


def _figures(prefix: str, rating: ListedRating | None) -> Iterator[tuple[str, object]]:
    yield f"{prefix}rating", rating.rating if rating else 0
    yield f"{prefix}games", rating.games if rating else 0
    yield f"{prefix}k", (rating.k if rating else None) or 0
