"""Time controls: 222 of TRF26 and the free texts of 122, and what a game of 60 moves takes (1.1)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

MOVES = 60
LONGEST = 200
STAGE_222 = re.compile(r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)
UNEQUAL_222 = re.compile(r"W(.+)-B(.+)")
UNEQUAL = re.compile(
    r"(?:white|weiss|blancs?|blancas?)\W+(?P<white>.+?)[\s,;/|-]+(?:black|schwarz|noirs?|negras?)\W+(?P<black>.+)"
)
# Several periods, or other times for Black: the free texts have no such signs.
ENCODED = re.compile(r"[+/]\d+:|^W.+-B", re.ASCII)
SHORTEST_PERIOD = 60


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a player for a game; `black` are Black's stages where they differ from White's (1.2).

    A delay, Bronstein's or the simple one, counts as the increment: so much time a player may use for each move.
    """

    stages: tuple[TimePeriod, ...]
    black: tuple[TimePeriod, ...] | None = None
    is_delay: bool = False
    text: str = field(default="", compare=False)

    @property
    def base(self) -> int:
        """Seconds of all periods without increments."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def increment(self) -> int:
        """Seconds added a move at the start of the game."""
        return self.stages[0].increment

    @property
    def flat(self) -> tuple[int, int]:
        """The base and increment that make the same 60 moves in one period; those of the only one where it is one."""
        base = self.total - MOVES * self.increment
        return (base, self.increment) if base >= 0 else (self.total, 0)

    @property
    def written(self) -> str:
        """The text of a time control that whole minutes and an increment do not describe, else empty."""
        is_plain = (
            len(self.stages) == 1 and not self.is_delay and not self.is_unequal and self.base % MINUTE == 0
        )
        return "" if is_plain else self.text

    @property
    def is_unequal(self) -> bool:
        """Whether the players have different times; such games are not rated (1.2)."""
        return self.black is not None

    @property
    def total(self) -> int:
        """Seconds that a player has for 60 moves (FIDE R&B 2024, 1.1); of unequal times White's."""
        left, total = MOVES, 0
        for index, stage in enumerate(self.stages):
            is_last = index == len(self.stages) - 1
            moves = left if stage.moves is None or is_last else min(stage.moves, left)
            total += stage.seconds + stage.increment * moves
            left -= moves
        return total


def shown_time_control(base: int, increment: int, text: str = "") -> str:
    """Return a time control as people read it: its text, else minutes and seconds such as `15+10`."""
    minutes, seconds = divmod(base, MINUTE)
    return text or f"{minutes}{f':{seconds:02}' if seconds else ''}+{increment}"


def classify(total_seconds: int) -> str | None:
    """Return standard, rapid or blitz for the seconds of 60 moves, None for less than blitz (1.1)."""
    if total_seconds >= HOUR:
        return "standard"
    if total_seconds > 10 * MINUTE:
        return "rapid"
    return "blitz" if total_seconds > 3 * MINUTE else None


def parse_222(text: str) -> TimeControl | None:
    """Return the time control that record 222 encodes, such as `40/6000+30:900+30`, None for anything else."""
    text = text.strip()
    if match := UNEQUAL_222.fullmatch(text):
        white, black = _stages_222(match[1]), _stages_222(match[2])
        if white is None or black is None:
            return None
        return TimeControl(white, None if white == black else black)
    stages = _stages_222(text)
    return TimeControl(stages) if stages else None


def encode_222(control: TimeControl) -> str:
    """Return a time control as record 222 writes it, such as `40/6000+30:900+30`."""
    white = _encoded_stages(control.stages)
    return white if control.black is None else f"W{white}-B{_encoded_stages(control.black)}"


def _encoded_stages(stages: tuple[TimePeriod, ...]) -> str:
    return ":".join(
        (f"{stage.moves}/" if stage.moves else "")
        + str(stage.seconds)
        + (f"+{stage.increment}" if stage.increment else "")
        for stage in stages
    )


# Each check of a report asks for its time, and few texts are ever written.
@lru_cache(maxsize=512)
def parse_time_control(text: str) -> TimeControl | None:
    """Return the time control of a free text such as `15+10` or `15 minutes plus 10 sec per move`.

    Unequal times such as `White 5+0, Black 4+0`, and several periods as in record 222, are included. None if any
    part of the text is unknown: a guess would be worse.
    """
    written = text.strip()
    if len(written) > LONGEST:
        return None
    if ENCODED.search(written):
        encoded = parse_222(written)
        is_sure = encoded and min(stage.seconds for stage in encoded.stages) >= SHORTEST_PERIOD
        return replace(encoded, text=written) if encoded and is_sure else None
    readable = plain(written)
    if match := UNEQUAL.fullmatch(readable):
        white, black = stages_of(match["white"]), stages_of(match["black"])
        if white is None or black is None:
            return None
        return TimeControl(white[0], None if white == black else black[0], white[1], written)
    read = stages_of(readable)
    return TimeControl(read[0], None, read[1], written) if read else None


# `rounds 1-3`, `R4, 5`, `Runde 6`, `(1-3)`: a number that goes on as a time control, as `3+2`, is none of them.
_NUMBER = r"\d{1,2}(?![\d+'/]|:\d| ?(?:\+|min|m\b))"
_LIST = rf"{_NUMBER}(?:(?: ?[-–,&] ?| (?:to|bis|al|a|und|and|y|et) )(?:r ?)?{_NUMBER})*"
ROUNDS_NAMED = re.compile(
    rf"\(? ?\b(?:rounds?|rnds?|rds?|runden?|rondas?|rondes?|r)[. ]*(?P<named>{_LIST}) ?\)?|\( ?(?P<bare>{_LIST}) ?\)"
)
DIGIT = re.compile(r"\d")
KIND_WORDS = {"blitz": ("blitz", "relampago"), "rapid": ("rapid", "schnell")}


def kinds_by_round(text: str) -> list[tuple[tuple[int, ...], str]]:
    """Return the rounds that a text puts under time controls of their own, with the kind of each (1.1, D-138).

    `Rapid 15+10 (rounds 1-3), Blitz 3+2 (rounds 4-6)` gives rapid for three rounds and blitz for three. What has no
    certain kind is left out.
    """
    readable = plain(text[:LONGEST])
    named = [*ROUNDS_NAMED.finditer(readable)]
    if not named:
        return []
    # Rounds stand behind their time, or before it.
    ends, starts = [0, *(one.end() for one in named)], [*(one.start() for one in named), len(readable)]
    parts = [readable[end:start].strip(" ,;:.-/&()") for end, start in zip(ends, starts, strict=True)]
    is_behind = bool(DIGIT.search(parts[0]) or (parts[0] and not DIGIT.search(parts[-1])))
    times = parts[:-1] if is_behind else parts[1:]
    found = zip(named, times, strict=True)
    return [
        (_rounds_in(one["named"] or one["bare"]), kind)
        for one, time in found
        if (kind := _kind_of_text(time))
    ]


def _kind_of_text(text: str) -> str | None:
    if (control := parse_time_control(text)) is not None:
        return classify(control.total) or "bullet"
    kinds = [kind for kind, words in KIND_WORDS.items() if any(word in text for word in words)]
    return kinds[0] if len(kinds) == 1 else None


def _rounds_in(text: str) -> tuple[int, ...]:
    rounds: dict[int, None] = {}
    for part in re.split(r" ?(?:,|&|\b(?:und|and|y|et)\b) ?", text):
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        rounds |= dict.fromkeys(range(numbers[0], numbers[-1] + 1) if numbers else ())
    return tuple(rounds)


def _stages_222(text: str) -> tuple[TimePeriod, ...] | None:
    matches = [STAGE_222.fullmatch(part) for part in text.split(":")]
    if not all(matches):
        return None
    return tuple(
        TimePeriod(int(match[2]), int(match[3] or 0), int(match[1]) if match[1] else None)
        for match in matches
        if match
    )


# Time controls in words, of English, French, Spanish and German programs: a table of words, then a small grammar.
MINUTE, HOUR = 60, 3600
# A bare number is minutes up to here, seconds above: 120+30 is two hours, 180+2 three minutes.
MAX_BARE_MINUTES = 150
BARE_SECONDS = 30
# `90'/40` has the number of moves of a period; a smaller number may be seconds.
FEWEST_MOVES = 20
# `40/90` has the number of moves first: a larger number may be the minutes, as in `90/40 + 30/G`.
MOST_MOVES = 50
# `1:30` is an hour and a half, `3:00` may be three minutes; `2:30` is two hours only without the seconds of a blitz.
SURE_HOURS, SLOW_SECONDS = 1, 10

WORDS: dict[str, str] = {
    word: token
    for token, words in {
        "m": "' m mn mins min minute minutes minuten minuto minutos minuti minuts",
        "s": '" s sec secs second seconds seconde secondes sek sekunde sekunden seg segs segundo segundos secondi',
        "h": "h hr hrs hour hours heure heures hora horas std stunde stunden",
        "mv": "move moves mv mvs coup coups cps zug zuge zugen jug jugada jugadas movimiento movimientos mossa "
        "mosse mm",
        "per": "per par pro je por cada chaque each every jeden jedem jede jeder",
        "for": "for pour fur para",
        "in": "in en",
        "from": "from ab des depuis desde partir starting beginning beginnend von",
        "1": "first premier primer primera primero erste ersten erstem 1er 1ere 1st 1a 1ª 1º 1o",
        "+": "plus and et und y mas con mit with avec e zzgl zuzuglich sowie &",
        ",": "then puis dann danach luego despues followed anschliessend",
        "inc": "increment incr inc increments inkrement incremento bonus bonification bonificacion ajout zuschlag "
        "zugabe zeitzuschlag zeitgutschrift gutschrift zugbonus aufschlag additional added supplement additionnelles "
        "supplementaires adicional adicionales anadidos zusatzlich extra fischer",
        "delay": "delay bronstein retardo demora delai verzogerung",
        "game": "game games partie parties partida partidas spiel rest reste resto remaining player players joueur "
        "joueurs spieler spielern jugador jugadores side person opponent camp ko k.o sd sudden death finish abattage g",
        "kind": "rapid rapide rapido rapidas rapidos schnellschach rapidchess",
        "kind2": "blitz blitzschach relampago",
        "kind3": "standard classical classique clasico klassisch lang lent",
        "": "a an the of to by at on one whole entire all total time control controls cadence ritmo juego tiempo "
        "bedenkzeit reflexion temps de du d l le la les el los del un une der die das dem den ganze ganzen gesamte "
        "gesamten toute toda todo al tempo modus modo us simple k o uhr complete reloj "
        "zeit thinking uno",
    }.items()
    for word in words.split()
}
NUMBERS = {
    word: str(number)
    for number, words in {
        2: "two deux dos zwei",
        3: "three trois tres drei",
        5: "five cinq cinco funf",
        7: "seven sept siete sieben",
        10: "ten dix diez zehn",
        12: "twelve douze doce zwolf",
        15: "fifteen quinze quince funfzehn",
        20: "twenty vingt veinte zwanzig",
        25: "twenty-five vingt-cinq veinticinco funfundzwanzig",
        30: "thirty trente treinta dreissig",
        40: "forty quarante cuarenta vierzig",
        45: "forty-five quarante-cinq cuarenta-y-cinco funfundvierzig",
        60: "sixty soixante sesenta sechzig",
        90: "ninety quatre-vingt-dix noventa neunzig",
    }.items()
    for word in words.split()
}
SIGNS = str.maketrans({
    "’": "'", "′": "'", "´": "'", "`": "'", "‘": "'", "″": '"', "“": '"', "”": '"', "×": "x", "|": "+", "⁄": "/",
})  # fmt: skip
DURATION = re.compile(r"(?<!\d)\d+:\d\d:\d\d")
ELISION = re.compile(r"\b[dl]'(?=[a-z])")
SHORT_DELAY = re.compile(r"\bd\s?/?\s?(\d{1,3})\b")
ORDINAL = re.compile(r"\b1(?:\.(?=\s*[a-z])|er\b|ere\b|st\b|a\b|o\b|[ªº])")
TOKEN = re.compile(r"\d+:\d\d|\d*[.,](?:5|50|25|75)(?!\d)|\d+|[a-z]+(?:[.-][a-z]+)*|\S")
PUNCTUATION = frozenset("().:[]")

N = r"\d{1,4}"
TIME = rf"(?P<time>\d:\d\d|\d{{1,2}}(?:\.\d+)? h(?: {N}(?: m)?)?|{N}(?:\.\d+)? [ms]|{N}(?:\.\d+)?)"
FROM = r"(?:(?: from)?(?: mv)? 1(?: mv)?| from mv)"
RATES = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"(?P<rate>{N})(?: s)?(?: (?:per|/|for|in))* mv{FROM}?",
        rf"(?P<rate>{N}) s{FROM}",
        rf"(?P<rate>{N}) from{FROM}",
        rf"(?:(?:per|for) )?mv (?P<rate>{N}) s",
    )
)
SECONDS = re.compile(rf"(?P<rate>{N}) s", re.ASCII)
PERIODS = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"(?P<moves>\d{{1,3}}) mv (?:(?:in|/|for|per) )?{TIME}",
        rf"{TIME} (?:(?:for|/|x|per|in) )?(?P<moves>\d{{1,3}}) mv",
        rf"(?P<moves>\d{{1,3}}) (?P<slash>/) {TIME}",
        rf"{TIME} (?P<slash>/|x|for) (?P<moves>\d{{1,3}})(?: m)?",
        TIME,
    )
)

# What tokens say, in one way: each pattern in turn, and what takes its place.
SAME = tuple(
    (re.compile(pattern, re.ASCII), new)
    for pattern, new in (
        (r"(?<=\d) (?=\.\d)", ""),
        (r"(?:\b(?:per|for|in) |[+/] ){0,6}\bgame\b(?: (?:in|/)(?= \d))?", " , "),
        (r"(?<=[\dms]) (?:(?:delay|inc|per) )+(?=\d)", " + "),
        (r"\b(?:delay|inc)\b", " "),
        (r" +", " "),
        (r"from from", "from"),
        (r" (?:per|for|in|/)(?= [+,]| ?$)", ""),
        # `15 min / 10 sec` and `15 minutes 10 secondes par coup` have their units: no moves are meant.
        (rf"(?<= m) /(?= {N} s\b)", " +"),
        (rf"(?<= m)(?= {N} s(?: (?:per|/|for))* mv)", " +"),
        (r"(?<![+,] )(?:[+,](?: [+,])* [+](?: [+,])*|[+](?: [+,])+)", "+"),
        (r",(?: ,)+", ","),
    )
)


@dataclass(frozen=True, slots=True)
class TimePeriod:
    """A period of a game: seconds, increment a move in seconds, and moves, None for all that remain."""

    seconds: int
    increment: int = 0
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What stands between two signs such as `+`: a period, an increment, or what may be either.

    `unit` is what says that it is an increment: words such as `per move`, seconds, or nothing.
    """

    joint: str
    unit: Literal["a move", "seconds", ""]
    rate: int | None = None
    period: TimePeriod | None = None
    is_bare: bool = False
    has_slash: bool = False
    is_clock: bool = False


def plain(text: str) -> str:
    """Return a text in small letters without accents, with one spelling of each sign."""
    halves = text.replace("½", ".5").lower().replace("ß", "ss").translate(SIGNS).replace("''", '"')
    letters = "".join(one for one in unicodedata.normalize("NFD", halves) if not unicodedata.combining(one))
    return ORDINAL.sub("1 ", " ".join(letters.split()))


def stages_of(text: str) -> tuple[tuple[TimePeriod, ...], bool] | None:
    """Return the periods of a text made `plain`, and whether a delay takes the place of the increment.

    None where the text cannot be read, or in more than one way.
    """
    tokens = None if DURATION.search(text) else _tokens(text)
    if not tokens:
        return None
    parts = [*_parts(_join_tokens(tokens))]
    stages = _together([part for part in parts if part]) if all(parts) else None
    return (stages, "delay" in tokens) if stages else None


def _tokens(text: str) -> list[str] | None:
    """Return the words as tokens of the table, without those that tell nothing; None where one is unknown."""
    tokens: list[str] = []
    kinds = set()
    for word in _words(SHORT_DELAY.sub(r"+\1 s delay", ELISION.sub("", text))):
        token = _token(word)
        if token is None:
            return None
        if token.startswith("kind"):
            kinds.add(token)
        elif token:
            tokens.append(token)
    # A text that names two rating types has two time controls.
    return tokens if len(kinds) <= 1 else None


def _words(text: str) -> Iterator[str]:
    for word in TOKEN.findall(text):
        yield from [word] if word in NUMBERS or len(word) == 1 else word.split("-")


def _token(word: str) -> str | None:
    """Return what a word is; empty for one that tells nothing, None for an unknown one."""
    if word[-1].isdecimal():
        return word.replace(",", ".")
    if word in "/x":
        return word
    if word in PUNCTUATION:
        return ""
    if word == ";":
        return ","
    return NUMBERS.get(word, WORDS.get(word, word if word in "+," else None))


def _join_tokens(tokens: list[str]) -> str:
    """Return the tokens as a text in which what says the same is written in one way."""
    text = " ".join(tokens)
    for pattern, new in SAME:
        text = pattern.sub(new, text)
    return text.strip(" ,")


def _parts(text: str) -> Iterator[Part | None]:
    joint = ""
    for place, piece in enumerate(re.split(r" ?([+,]) ?", text)):
        if place % 2:
            joint = piece
        else:
            yield _part(piece, joint)


def _part(text: str, joint: str) -> Part | None:
    """Return what a part may be, None where it is nothing known."""
    for pattern in RATES:
        if match := pattern.fullmatch(text):
            return Part(joint, "a move", int(match["rate"]))
    for pattern in PERIODS:
        if (match := pattern.fullmatch(text)) and (seconds := _seconds(match["time"])) is not None:
            groups = match.groupdict()
            moves = int(groups["moves"]) if groups.get("moves") else None
            rate = SECONDS.fullmatch(text)
            return Part(
                joint,
                "seconds" if rate else "",
                int(rate["rate"]) if rate else int(text) if text.isdecimal() else None,
                TimePeriod(seconds, moves=moves),
                is_bare=text.replace(".", "").isdecimal(),
                has_slash=bool(groups.get("slash")),
                is_clock=":" in match["time"],
            )
    return Part(joint, "", int(text), is_bare=True) if text.isdecimal() and len(text) <= 4 else None


def _together(parts: list[Part]) -> tuple[TimePeriod, ...] | None:
    """Return the periods with their increment; None where the parts may be two time controls."""
    rates = [part for part in parts if part.unit == "a move"]
    last = parts[-1]
    is_rate = last.unit == "seconds" or (last.is_bare and last.joint == "+" and last.rate is not None)
    if not rates and len(parts) > 1 and is_rate:
        rates = [last]
    periods = [part for part in parts if part not in rates]
    increments = {part.rate for part in rates}
    if not periods or len(increments) > 1 or len(rates) > max(1, len(periods) - 1):
        return None
    increment = increments.pop() if increments else None
    stages = [
        TimePeriod(part.period.seconds, increment or 0, part.period.moves) for part in periods if part.period
    ]
    has_time = len(stages) == len(periods) and stages[0].seconds > 0
    is_sure = has_time and all(_is_sure(part, periods, increment) for part in periods)
    return tuple(stages) if is_sure else None


def _is_sure(part: Part, periods: list[Part], increment: int | None) -> bool:
    """Return whether a period can be read in one way only, beside the others."""
    stage = part.period
    if stage is None or (part.unit == "seconds" and part is not periods[0]):
        return False
    if part.has_slash and (len(periods) == 1 or not FEWEST_MOVES <= (stage.moves or 0) <= MOST_MOVES):
        return False
    if part.is_clock and stage.seconds >= (SURE_HOURS + 1) * HOUR:
        return stage.seconds < (SURE_HOURS + 2) * HOUR and (increment is None or increment >= SLOW_SECONDS)
    if part is periods[-1]:
        # `10,5` may be 10 minutes and 5 seconds.
        return not part.is_bare or part.rate is not None or increment is not None
    # Two short times without a number of moves are two time controls.
    return stage.moves is not None or (stage.seconds >= HOUR and not part.is_bare)


def _seconds(text: str) -> int | None:
    """Return the seconds of a time such as `1:30`, `1 h 30 m`, `7.5 m`, `180 s` or `15`; None where it has none."""
    if ":" in text:
        hours, minutes = map(int, text.split(":"))
        return hours * HOUR + minutes * MINUTE if minutes < MINUTE else None
    number, _, unit = text.partition(" ")
    if unit.startswith("h"):
        minutes = int(unit.split()[1]) if " " in unit else 0
        return round(float(number) * HOUR) + minutes * MINUTE
    if unit == "s":
        return int(number) if number.isdecimal() else None
    if unit == "m" or float(number) <= MAX_BARE_MINUTES:
        return round(float(number) * MINUTE)
    return int(number) if number.isdecimal() and int(number) % BARE_SECONDS == 0 else None
