"""Invented names: given names and family names by language, to be drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Language:
    """The names of one language, women's and men's given names apart."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    families: tuple[str, ...]

    def name(self, rng: Random, sex: str) -> str:
        """Return a drawn name as lists write it: `Kieffer, Léonie`."""
        given = rng.choice(self.women if sex == "F" else self.men)
        return f"{rng.choice(self.families)}, {given}"


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text; an underscore stands for a blank within a name."""
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

# The languages of the federation's players, each as often as it is drawn.
AT_HOME = (
    *(LUXEMBOURGISH,) * 7,
    *(FRENCH,) * 4,
    *(PORTUGUESE,) * 4,
    *(GERMAN,) * 3,
    *(ITALIAN, SLAVIC) * 2,
    *(ICELANDIC, TURKISH),
)
LONGEST_NAME = (
    "von Wëllenstein-Dondelfelder zu Gréiweldingen und Ouschterholz, Marie-Adélaïde Clémentine Éléonore"
)
ONLY_NAME = "Þórdísa"
