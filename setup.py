"""What pyproject.toml cannot say: the catalogues of the translations are compiled into the wheel."""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTranslations(build_py):
    """Copies the packages, then writes each catalogue beside its source."""

    def run(self) -> None:
        """Build into `build_lib`."""
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        super().run()
        for source in sorted(Path("locale").glob("*/LC_MESSAGES/*.po")):
            target = Path(self.build_lib) / source.with_suffix(".mo")
            with source.open("rb") as catalogue, target.open("wb") as file:
                write_mo(file, read_po(catalogue, locale=source.parts[1]))


setup(cmdclass={"build_py": BuildWithTranslations})
