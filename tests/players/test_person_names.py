"""Whether two spellings of names can be of one person (D-118)."""

from __future__ import annotations

import pytest

from players.person_names import (
    Likeness,
    PersonName,
    compare_names,
    generation_of,
    joined_spellings,
    parts_of_joined,
    split_name,
)

# On the line of a report, and of the owner of the ID.
SAME = [
    ("Müller, Jean", "Muller, Jean"),
    ("Mueller, Jean", "Müller, Jean"),
    ("MUELLER Jean", "Muller, Jean"),
    ("Huebner, Karl", "Hubner, Karl"),
    ("Blübaum, Otto", "Bluebaum, Otto"),
    ("Böhm, Anna", "Boehm, Anna"),
    ("Kvaløy, Aksel", "Kvaloy, Aksel"),
    ("Sørensen, Bo", "Soerensen, Bo"),
    ("Ågård, Nils", "Aagaard, Nils"),
    ("Strauß, Eva", "Strauss, Eva"),
    ("Đorđević, Ana", "Djordjevic, Ana"),
    ("Łukasik, Jan", "Lukasik, Jan"),
    ("Þórsson, Jón", "Thorsson, Jon"),
    ("Şahin, Ali", "Sahin, Ali"),
    ("Núñez García, Luis", "Nunez Garcia, Luis"),
    ("Nuñez, Luis", "Nunez Garcia, Luis"),
    ("Nunez G., Luis", "Nunez Garcia, Luis"),
    ("Schmit A.", "Schmit, Anne"),
    ("A. Schmit", "Schmit, Anne"),
    ("Anne Schmit", "Schmit, Anne"),
    ("SCHMIT", "Schmit, Anne"),
    ("Anne, Schmit", "Schmit, Anne"),
    ("P, Klein", "Klein, Paul"),
    ("Dr. Klein, Paul", "Klein, Paul"),
    ("Klein, Paul jun.", "Klein, Paul"),
    ("Klein,P.", "Klein, Paul"),
    ("Klein, H.-P.", "Klein, Hans Peter"),
    ("Klein, Peter Hans", "Klein, Hans Peter"),
    ("Klein, Peter", "Klein, Hans Peter"),
    ("OBrien, Sean", "O'Brien, Sean"),
    ("O´Brien, Seán", "O'Brien, Sean"),
    ("Mc Donald, Ian", "MacDonald, Ian"),
    ("Vanderberg, Piet", "Van der Berg, Piet"),
    ("Van den Berg, Piet", "Van der Berg, Piet"),
    ("Berg, P. van der", "Van der Berg, Piet"),
    ("v.d. Berg, Piet", "Van der Berg, Piet"),
    ("Van der Berg", "Van der Berg, Piet"),
    ("Alsayed, Omar", "Al Sayed, Omar"),
    ("El-Sayed, Omar", "Sayed, Omar"),
    ("Elsayed, Omar", "Al-Sayed, Omar"),
    ("Dangelo, Rita", "D'Angelo, Rita"),
    ("De la Cruz, Jose", "Delacruz, Jose"),
    ("Wei Li", "Li, Wei"),
    ("Hou, Yi Fan", "Hou, Yifan"),
    ("Kim, Min-Jun", "Kim, Minjun"),
    ("Nguyễn Văn An", "Nguyen, Van An"),
    ("R Praggnanandhaa", "Praggnanandhaa R"),
    ("Rameshbabu Praggnanandhaa", "Praggnanandhaa R"),
    ("Kumar, Arun S", "S, Arun Kumar"),
    ("Le, Quang", "Lê, Quang"),
    ("Madonna", "Madonna, Louise"),
    ("Чигорин, Михаил", "Tchigorin, Mikhail"),
    ("Jussupow, Artur", "Yusupov, Artur"),
    ("Evgeny Petrow", "Petrov, Yevgeny"),
    ("Hryhorenko, Natalia", "Grigorenko, Nataliya"),
    ("Григоренко, Олександр", "Grigorenko, Aleksandr"),
    ("Shevchenko, Oleksandr", "Shevchenko, Alexander"),
    ("Melnyk, Mykola", "Melnyk, Nikolay"),
    ("Kravets, Hanna", "Kravets, Anna"),
    ("Kravets, Kateryna", "Kravets, Ekaterina"),
    ("Bondar, Hryhorii", "Bondar, Grigory"),
    ("Παπαδόπουλος, Γεώργιος", "Papadopoulos, Georgios"),
    ("Schmitt, Ann", "Schmidt, Anne"),
    ("Hofmann, Karl", "Hoffmann, Carl"),
    ("Meyer, Jan", "Maier, Jan"),
    ("Kelin, Paul", "Klein, Paul"),
    ("Petrova, Anna", "Petrov, Anna"),
    ("Konstantopoulou-Papadopoulougeorg", "Konstantopoulou-Papadopoulougeorgiou, Anna"),
    ("王, 伟", "Wang, Wei"),
    ("", "Wang, Wei"),
    ("Schmit-Weber, Anne", "Schmit, Anne"),
]
OTHER_SURNAME = [
    ("Van der Meer, Jan", "Van der Berg, Piet"),
    ("Van der Meer, Piet", "Van der Berg, Piet"),
    ("De La Cruz, Jean", "Muller, Jean"),
    ("Al Anne", "Schmit, Anne"),
    ("O Sean", "O'Brien, Sean"),
    ("O'Neil, Sean", "O'Brien, Sean"),
    ("Anne", "Schmit, Anne"),
    ("Al Ahmad, Omar", "Al Sayed, Omar"),
    ("Von Weizsacker, Karl", "Von Bulow, Karl"),
    ("Di Maria, Ugo", "Di Angelo, Ugo"),
    ("San Martin, Jose", "San Felipe, Jose"),
    ("Mac Gregor, Ian", "Mac Donald, Ian"),
    ("Garcia Perez, Luis", "Garcia Lopez, Luis"),
    ("Hernandez, Luis", "Fernandez, Luis"),
    ("Zheng, Wei", "Zhang, Wei"),
    ("Shen, Wei", "Chen, Wei"),
    ("Fang, Wei", "Wang, Wei"),
    ("Long, Max", "Lang, Max"),
    ("Morton, Max", "Martin, Max"),
    ("Beyer, Max", "Meyer, Max"),
    ("Иванов, Пётр", "Petrov, Ivan"),
    ("Kaufmann, Karl", "Hoffmann, Karl"),
    ("Li, Wei", "Lu, Wei"),
    ("Vandermeer, Piet", "Vanderberg, Piet"),
    ("Nowik, Jan", "Nowak, Jan"),
]
OTHER_GIVEN_NAME = [
    ("Melnyk, Mykola", "Melnyk, Hryhorii"),
    ("Klein, Max", "Klein, Paul"),
    ("Klein Max", "Klein, Paul"),
    ("Max KLEIN", "Klein, Paul"),
    ("Van der Berg, Kees", "Van der Berg, Piet"),
    ("Li, Na", "Li, Wei"),
    ("Muller, B.", "Müller, Jean"),
]


@pytest.mark.parametrize(("line", "owner"), SAME)
def test_d118_like_spellings_are_one_name(line: str, owner: str) -> None:
    assert compare_names(line, owner) == compare_names(owner, line) == Likeness.SAME


@pytest.mark.parametrize(("line", "owner"), OTHER_SURNAME)
def test_d118_another_surname_is_another_person(line: str, owner: str) -> None:
    assert compare_names(line, owner) == compare_names(owner, line) == Likeness.OTHER_SURNAME


@pytest.mark.parametrize(("line", "owner"), OTHER_GIVEN_NAME)
def test_d118_given_names_without_a_common_initial_are_anothers(line: str, owner: str) -> None:
    assert compare_names(line, owner) == compare_names(owner, line) == Likeness.OTHER_GIVEN_NAME


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("van der berg", ["vanderberg", "vander berg"]),
        ("piet van der berg", ["piet vanderberg", "piet vander berg"]),
        ("al sayed omar", ["alsayed omar"]),
        ("o brien", ["obrien"]),
        ("klein paul", []),
        ("van", []),
    ],
)
def test_particles_are_joined_to_what_follows(words: str, expected: list[str]) -> None:
    assert [" ".join(item) for item in joined_spellings(words.split())] == expected


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("vanderberg", ("van", "berg")),
        ("alsayed", ("al", "sayed")),
        ("elmahdi", ("el", "mahdi")),
        ("delacruz", ("de", "cruz")),
        ("obrien", ("o", "brien")),
        ("macdonald", ("mac", "donald")),
        ("dangelo", ("d", "angelo")),
        ("dossantos", ("dos", "santos")),
        ("minjun", ("min", "jun")),
        ("weiyi", ("we", "iyi")),
    ],
)
def test_one_word_may_be_two(word: str, parts: tuple[str, str]) -> None:
    assert parts in parts_of_joined(word)


@pytest.mark.parametrize(
    ("text", "parts", "listed"),
    [
        ("Klein, Paul", PersonName("Klein", "Paul"), "Klein, Paul"),
        ("  Van der Berg ,Piet ", PersonName("Van der Berg", "Piet"), "Van der Berg, Piet"),
        ("Klein, Paul, Dr.", PersonName("Klein", "Paul Dr."), "Klein, Paul Dr."),
        ("Madonna", PersonName("Madonna"), "Madonna"),
        ("", PersonName(""), ""),
    ],
)
def test_a_name_has_two_parts(text: str, parts: PersonName, listed: str) -> None:
    assert split_name(text) == parts
    assert parts.listed == listed


@pytest.mark.parametrize(
    ("text", "generation"),
    [("Klein, Paul jun.", "younger"), ("Klein sen., Paul", "elder"), ("Klein, Paul", ""), ("Junior", "")],
)
def test_a_name_may_tell_the_generation(text: str, generation: str) -> None:
    assert generation_of(text) == generation
