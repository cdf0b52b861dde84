"""Names that were typed wrongly, and what was probably meant; right ones of many countries are not asked about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.name_doubts import Slip, doubt_about, name_of_fields

SLIPS = [
    ("KLEIN, PAUL", "name-letters", ["Klein, Paul"]),
    ("klein, paul", "name-letters", ["Klein, Paul"]),
    ("Klein, paul", "name-letters", ["Klein, Paul"]),
    ("KLEIN, Paul", "name-letters", ["Klein, Paul"]),
    ("LI, WU", "name-letters", ["Li, Wu"]),
    ("NGUYEN, VAN AN", "name-letters", ["Nguyen, Van An"]),
    ("VAN DER BERG, JAN", "name-letters", ["Van der Berg, Jan"]),
    ("O'NEILL-MCDONALD, SHANE", "name-letters", ["O'Neill-McDonald, Shane"]),
    ("D’ANGELO, RITA", "name-letters", ["D’Angelo, Rita"]),
    ("GARCIA, MARIA DE LOS ANGELES", "name-letters", ["Garcia, Maria de los Angeles"]),
    ("ŠVÁB, JIŘÍ", "name-letters", ["Šváb, Jiří"]),
    ("ВЕЛЛЕНШТЕЙН, ИРИНА", "name-letters", ["Велленштейн, Ирина"]),
    ("KLEIN paul", "name-unsplit", ["Klein, Paul"]),
    ("Paul KLEIN", "name-unsplit", ["Klein, Paul"]),
    ("van der BERG Jan", "name-unsplit", ["van der Berg, Jan"]),
    ("Jan van der Berg", "name-unsplit", ["van der Berg, Jan"]),
    ("VAN DER BERG JAN", "name-unsplit", ["Van der Berg, Jan"]),
    ("Paul Klein", "name-unsplit", ["Klein, Paul", "Paul, Klein"]),
    ("KLEIN PAUL", "name-unsplit", ["Klein, Paul", "Paul, Klein"]),
    ("Klein P.", "name-unsplit", ["Klein, P."]),
    ("Gukesh D", "name-unsplit", ["Gukesh, D"]),
    ("Hoffmann", "name-one-word", []),
    ("HOFFMANN", "name-one-word", []),
    ("Dr. Klein, Paul", "name-title", ["Klein, Paul"]),
    ("GM Klein, Paul", "name-title", ["Klein, Paul"]),
    ("KLEIN, Paul Prof.", "name-title", ["Klein, Paul"]),
]
RIGHT = (
    "Klein, Paul", "Klein, P.", "Klein, P", "Klein, JP", "Klein, J.P.", "Im, Paul", "Ing, Li", "Ng, Li",
    "Le, Quang Liem", "Nguyen, Van An", "de Vries, Jan", "van der Berg, Jan", "al-Sayed, Omar",
    "McDonald, Neil", "MacDonald, Neil", "d'Artagnan, Charles", "Smith III, John", "Smith Jr., John",
    "Garcia, Maria de los Angeles", "Arjun, S P", "Iniyan, KVS", "St. John, Ann", "Велленштейн, Ирина", "李, 伟",
    "Ó Briain, Seán", "'t Hart, Piet", "Ørsted, Åse",
)  # fmt: skip


@pytest.mark.parametrize(("typed", "slip", "meant"), SLIPS)
def test_names_that_look_wrong_are_doubted(typed: str, slip: str, meant: list[str]) -> None:
    found = doubt_about(typed)

    assert found is not None
    shown = [name.listed for name in found.proposals]
    assert (found.slip, shown[: len(meant)]) == (slip, meant)


@pytest.mark.parametrize("name", RIGHT)
def test_names_as_they_are_listed_are_not_doubted(name: str) -> None:
    assert doubt_about(name) is None


@pytest.mark.parametrize(
    ("surname", "given_names", "listed"),
    [
        ("Klein", "Paul", "Klein, Paul"),
        ("Klein, Paul", "", "Klein, Paul"),
        ("Klein, Paul", "paul", "Klein, paul"),
        ("Klein", "Klein, Paul", "Klein, Paul"),
        ("Klein,", "Paul", "Klein, Paul"),
        ("Klein, Jr.", "Paul", "Klein, Jr. Paul"),
        (" Klein ", " Paul  Otto ", "Klein, Paul Otto"),
        ("Pelé", "", "Pelé"),
    ],
)
def test_two_fields_are_one_name(surname: str, given_names: str, listed: str) -> None:
    assert name_of_fields(surname, given_names).listed == listed


@given(st.text(alphabet="AaBbÄäDdeEVvNn '-.,", max_size=24))
def test_a_proposal_is_not_doubted_again(typed: str) -> None:
    found = doubt_about(typed)

    assert found is None or all(doubt_about(name.listed) is None for name in found.proposals)
    assert found is None or (found.slip == Slip.ONE_WORD) != bool(found.proposals)
