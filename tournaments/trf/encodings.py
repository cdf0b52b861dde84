"""The likely encoding of a file that is not UTF-8: that in which most of its words have the letters of one language.

A word is looked at by itself, so a file may have names of many countries. Where two encodings do as well, the first of
the table is taken: names that are right in Windows-1252 are never made worse. Scripts whose letters are anywhere in
the bytes, as Arabic and Chinese, are told apart by the letters and surnames that are common in names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from tournaments.trf.findings import gettext_noop as _

# Languages by the letters that they have besides a to z.
WESTERN = (
    "äöüß", "àâçéèêëîïôùûüÿœæ", "áéíóúüñ", "áâãàçéêíóôõú", "åäöæøé", "àèéìíòóùú", "áðéíóúýþæö", "àçéèíïóòúü", "äëïöüéè",
)  # fmt: skip
CENTRAL = (
    "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "čćđšž", "ăâîşţșț", "äöüß", "ëç", "äõöüšž",
)  # fmt: skip
CYRILLIC = (
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "абвгдђежзијклљмнњопрстћуфхцчџш",
)
HEBREW = ("אבגדהוזחטיכלמנסעפצקרשתךםןףץ׳״־",)
ARABIC = ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهويىپچژگـ",)
GREEK = ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",)
# The small letter of İ is an i with a mark of its own.
TURKISH = ("çğıöşüâîûi̇",)
BALTIC = ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")
# Letters that stand at the end of a word only, and those that most names are made of.
HEBREW_LAST, ARABIC_LAST = frozenset("ךםןףץ"), frozenset("ةى")
ARABIC_COMMON = frozenset("المحدينروبعسأ")
# What most surnames begin with.
CHINESE = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴"
    "夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段钱汤尹黎易常武乔贺赖龚文韦卜居倪柯章鲁葛"
)
TAIWANESE = frozenset(
    "陳林黃張李王吳劉蔡楊許鄭謝郭洪邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾彭游詹胡施沈余趙盧梁顏柯翁魏孫戴范方宋鄧"
    "杜傅侯曹薛丁馬董唐卓藍石馮姚古溫紀湯連田康姜白汪尤鄒巫龔嚴程韓錢夏侯司徒歐陽諸葛歐梅余關黎譚麥"
)
JAPANESE = frozenset(
    "佐鈴高田伊渡山中小加吉松井木林清斎斉藤本村石前長近遠青坂岡後福太三藤西原上野橋池川和内竹金河柴酒宮安島谷大久荒"
    "丸今平菅市杉新増千堀早秋南望北矢水関片土樋栗比辻星成甲浜馬"
)
KOREAN = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소"
    "석선설마길연위표명기반왕금옥육인맹제모탁국어은편용리나라"
)
KANA = re.compile("[\u3040-\u30ff]")
HANGUL = re.compile("[\uac00-\ud7a3]")
NOT_ICELANDIC = re.compile("^[ðÐ]|(?<=.)þ(?![órj])|[ðý]$")
WORD = re.compile(rb"[^\s,;.()\"/|:]+")
SAMPLE, MOST_WORDS, LONGEST_WORD, NAMES_SHOWN = 200_000, 400, 60, 3
# How much better than Windows-1252, and than another encoding before it, one has to be.
MARGIN, LEAST = 0.15, 0.02
# What a word is worth in comparison that has none of the common letters or begins like no surname.
RARE = 0.6
# What a word in capital letters only is worth: in KOI8-R all words in Hebrew are.
ALL_CAPITALS = 0.8


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding, what it is called, and the alphabets of its languages; none for one of many thousand letters."""

    codec: str
    name: str
    alphabets: tuple[str, ...] = ()
    frequent: tuple[tuple[int, int], ...] = ()
    surnames: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()


WINDOWS_1252 = Encoding("cp1252", _("Western European (Windows-1252)"), WESTERN)
ENCODINGS = (
    WINDOWS_1252,
    Encoding("cp1250", _("Central European (Windows-1250)"), CENTRAL),
    Encoding("iso8859_2", _("Central European (ISO 8859-2)"), CENTRAL),
    Encoding("cp1251", _("Cyrillic (Windows-1251)"), CYRILLIC),
    Encoding("koi8_r", _("Cyrillic (KOI8-R)"), CYRILLIC),
    Encoding("iso8859_5", _("Cyrillic (ISO 8859-5)"), CYRILLIC),
    Encoding("cp866", _("Cyrillic (DOS, code page 866)"), CYRILLIC),
    Encoding("mac_cyrillic", _("Cyrillic (Macintosh)"), CYRILLIC),
    Encoding("cp1253", _("Greek (Windows-1253)"), GREEK),
    Encoding("iso8859_7", _("Greek (ISO 8859-7)"), GREEK),
    Encoding("cp1254", _("Turkish (Windows-1254)"), TURKISH),
    Encoding("cp1257", _("Baltic (Windows-1257)"), BALTIC),
    Encoding("cp1255", _("Hebrew (Windows-1255)"), HEBREW, last=HEBREW_LAST),
    Encoding("cp1256", _("Arabic (Windows-1256)"), ARABIC, common=ARABIC_COMMON, last=ARABIC_LAST),
    Encoding("iso8859_6", _("Arabic (ISO 8859-6)"), ARABIC, common=ARABIC_COMMON, last=ARABIC_LAST),
    Encoding("cp850", _("Western European (DOS, code page 850)"), WESTERN),
    Encoding("mac_roman", _("Western European (Macintosh)"), WESTERN),
    Encoding("cp852", _("Central European (DOS, code page 852)"), CENTRAL),
    # The first bytes of the letters that are in most names.
    Encoding("gb18030", _("Chinese, simplified (GB18030)"), (), ((0xB0, 0xF7),), CHINESE),
    Encoding("big5", _("Chinese, traditional (Big5)"), (), ((0xA4, 0xC6),), TAIWANESE),
    Encoding("cp932", _("Japanese (Shift-JIS)"), (), ((0x82, 0x83), (0x88, 0x97)), JAPANESE),
    Encoding("euc_jp", _("Japanese (EUC-JP)"), (), ((0xA4, 0xA5), (0xB0, 0xCF)), JAPANESE),
    Encoding("cp949", _("Korean (EUC-KR, code page 949)"), (), ((0xB0, 0xC8),), KOREAN),
)
# Letters of no word in Latin letters beside them.
OTHER_SCRIPTS = (CYRILLIC, GREEK, HEBREW, ARABIC)


def likely_encoding(data: bytes) -> Encoding:
    """Return the likely encoding of bytes that are not UTF-8."""
    found = (match[0] for match in WORD.finditer(data, 0, SAMPLE))
    words = list(dict.fromkeys(word for word in found if not word.isascii() and len(word) <= LONGEST_WORD))[
        :MOST_WORDS
    ]
    best, most = WINDOWS_1252, 0.0
    for encoding in ENCODINGS:
        worth = sum(_worth(word, encoding) for word in words) / max(1, len(words))
        margin = MARGIN if best is WINDOWS_1252 else LEAST
        is_better = worth > most + margin or (encoding is WINDOWS_1252 and worth > 0)
        if is_better and _reads(data, encoding.codec):
            best, most = encoding, worth
    return best


def _reads(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _worth(word: bytes, encoding: Encoding) -> float:
    """Return from 0 to 1 how well the word is one of a language of the encoding."""
    try:
        text = word.decode(encoding.codec)
    except UnicodeDecodeError:
        return 0
    if encoding.frequent:
        return _worth_of_signs(text, encoding)
    letters = [letter for letter in text if not letter.isascii()]
    if encoding.alphabets in OTHER_SCRIPTS and len(letters) < sum(map(str.isalpha, text)):
        # Latin letters are in no word of another alphabet: `Yэlmaz`.
        return 0
    known = max(sum(letter.lower() in alphabet for letter in letters) for alphabet in encoding.alphabets)
    if encoding.alphabets is WESTERN:
        # `Iþýk` and `Ðimkus` are Turkish and Baltic letters: no Icelandic word has these there.
        known -= len(NOT_ICELANDIC.findall(text))
    # Small letters before capital ones are no word: `иБЮМНБ`.
    turns = sum(one.islower() and other.isupper() for one, other in pairwise(text))
    # Nor are two capital letters before small ones: `НЯкпт`.
    turns += text[:2].isupper() and text[2:3].islower()
    # A name in a script that has capital letters begins with one.
    turns += encoding.alphabets in (CYRILLIC, GREEK) and text[:1].islower()
    # Some letters are at the end of a word only.
    turns += sum(letter in encoding.last for letter in text[:-1])
    signs = sum(not letter.isalpha() for letter in letters)
    worth = max(0.0, (known - 2 * turns - signs) / len(letters))
    if encoding.alphabets is CYRILLIC and text.isupper() and len(text) > 1:
        return worth * ALL_CAPITALS
    if not encoding.common:
        return worth
    return worth * (RARE + (1 - RARE) * sum(letter in encoding.common for letter in letters) / len(letters))


def _worth_of_signs(text: str, encoding: Encoding) -> float:
    signs = [sign for sign in text if not sign.isascii()]
    first = [sign.encode(encoding.codec)[0] for sign in signs]
    known = sum(any(low <= one <= high for low, high in encoding.frequent) for one in first)
    # A name has two of them and more, and no letters between.
    if len(text) < 2 or len(signs) < len(text):
        return 0.0
    is_usual = text[0] in encoding.surnames
    if encoding.surnames is JAPANESE:
        is_usual = is_usual or all(map(KANA.match, text))
    if encoding.surnames is KOREAN and not all(map(HANGUL.match, text)):
        is_usual = False
    return known / len(text) * (1 if is_usual else RARE)


def sample_names(text: str) -> str:
    """Return the first names of players that have more than ASCII in them; without one, other words that have."""
    lines = [line for line in text[:SAMPLE].splitlines() if not line.isascii()]
    names = [re.split(r"\s{2,}|[|\t]|\d", line[14:47].strip())[0] for line in lines if line.startswith("001")]
    found = [name for name in dict.fromkeys(names) if name and not name.isascii()]
    words = [word for line in lines for word in line[4:80].split() if not word.isascii()]
    return " · ".join((found or list(dict.fromkeys(words)))[:NAMES_SHOWN])
