"""What pyproject.toml cannot say: the catalogues are compiled into the wheel, and programs for readers go with it."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCatalogues(build_py):
    """Copies the packages, the verifier and the worked cases, then writes each catalogue beside its source."""

    def run(self) -> None:
        """Build into `build_lib`."""
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        super().run()
        verifier = Path(self.build_lib) / "tools" / "verify_list.py"
        verifier.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile("tools/verify_list.py", verifier)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree("vectors", Path(self.build_lib) / "vectors", ignore=ignored, dirs_exist_ok=True)
        for source in sorted(Path("locale").glob("*/LC_MESSAGES/*.po")):
            target = Path(self.build_lib) / source.with_suffix(".mo")
            with source.open("rb") as catalogue, target.open("wb") as file:
                write_mo(file, read_po(catalogue, locale=source.parts[1]))


setup(cmdclass={"build_py": BuildWithCatalogues})
