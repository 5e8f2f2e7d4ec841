"""A foreign package with the name of one of ours: the program starts, or says what stands in the way."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from noughts.home import PACKAGES
from tests.tui.terminal import ROOT

FOREIGN = {"engine/__init__.py": b"raise SystemExit('the foreign engine was imported')", "engine/motor.py": b""}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def build_wheel(
    folder: Path, name: str, files: Mapping[str, bytes], groups: Mapping[str, Mapping[str, str]] | None = None
) -> Path:
    """Write a wheel with these files, the metadata that pip requires, and entry points by group."""
    info = f"{name}-0.1.0.dist-info"
    entry_points = "\n".join(
        line
        for group, points in (groups or {}).items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    )
    extra = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": entry_points.encode(),
    }
    path = folder / f"{name}-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        record = [f"{info}/RECORD,,"]
        for file, content in {**files, **extra}.items():
            wheel.writestr(file, content)
            record.append(f"{file},,{len(content)}")
        wheel.writestr(f"{info}/RECORD", "\n".join(record))
    return path


class Environment:
    """A virtual environment with wheels of Noughts and of a foreign package; it borrows the dependencies of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "venv"
        venv.create(self.folder, symlinks=True)
        self.python = self.folder / "bin" / "python"
        (self.packages,) = self.folder.glob("lib/python*/site-packages")
        (self.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
        sources = [path for each in ("noughts", *PACKAGES) for path in (ROOT / each).rglob("*") if path.is_file()]
        files = {
            str(path.relative_to(ROOT)): path.read_bytes() for path in sources if path.parent.name != "__pycache__"
        }
        self.ours = build_wheel(folder, "noughts", files, {"console_scripts": PROJECT["scripts"]})
        self.theirs = build_wheel(folder, "motors", FOREIGN)

    def pip(self, *arguments: str | Path) -> None:
        pip = [sys.executable, "-m", "pip", "--python", self.python, "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, *arguments], check=True, capture_output=True)

    def install(self, wheel: Path) -> None:
        self.pip("install", "--no-index", "--no-deps", "--no-compile", wheel)

    def noughts(
        self, *, path: str | None = None, cwd: Path | None = None, module: bool = False
    ) -> tuple[int, str, str]:
        """Run a command that imports the engine; returns exit code, output and errors."""
        program = [self.python, "-m", "noughts"] if module else [self.folder / "bin" / "noughts"]
        done = subprocess.run(
            [*program, "players", "--game", "hexapawn"],
            cwd=cwd or self.folder,
            env={**os.environ, **({} if path is None else {"PYTHONPATH": path})},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def assert_works(self, **how) -> None:
        code, out, err = self.noughts(**how)
        assert (code, err) == (0, "")
        assert "perfect" in out

    def assert_refuses(self, *words: str, **how) -> None:
        code, out, err = self.noughts(**how)
        assert (code, out) == (1, "")
        assert err.startswith("noughts: ")
        assert len(err.splitlines()) == 1, err
        for word in words:
            assert word in err


@pytest.fixture(name="environment")
def _environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # pip would leave the compiled files of a removed package
    return Environment(tmp_path)


@pytest.mark.long
def test_a_foreign_package_of_the_same_name_is_reported(environment: Environment, tmp_path: Path):
    environment.install(environment.ours)
    engine = environment.packages / "engine"

    # in the current folder, and on PYTHONPATH
    foreign = tmp_path / "foreign"
    (foreign / "engine").mkdir(parents=True)
    (foreign / "engine" / "__init__.py").write_bytes(FOREIGN["engine/__init__.py"])
    (foreign / "cli.py").write_text("raise SystemExit('the foreign cli was imported')", encoding="utf-8")
    (foreign / "json.py").write_text("raise SystemExit('the foreign json was imported')", encoding="utf-8")
    environment.assert_works(cwd=foreign)
    environment.assert_works(cwd=foreign, module=True)
    (foreign / "json.py").unlink()
    environment.assert_refuses(f"{foreign / 'engine'} hides {engine}, ", path=str(foreign))
    environment.assert_refuses(f"{foreign / 'engine'} ", path=f"{tmp_path}:", cwd=foreign)
    code = [environment.python, "-c", "import noughts as nt; nt.learner('menace')"]
    beside = subprocess.run(code, cwd=foreign, capture_output=True, text=True, check=False)
    assert beside.stderr.splitlines()[-1].startswith(f"ImportError: {foreign / 'engine'} hides {engine}, ")
    (foreign / "engine" / "__init__.py").unlink()
    environment.assert_refuses(f"{foreign / 'cli.py'} ", str(environment.packages / "cli"), path=str(foreign))
    shutil.rmtree(environment.packages / "lab")
    environment.assert_refuses(f"{environment.packages / 'lab'}, a part of Noughts, is missing")


@pytest.mark.long
def test_a_foreign_package_before_a_checkout_is_named(environment: Environment):
    """As after `pip install --editable`, whose path comes last."""
    environment.install(environment.theirs)
    (environment.packages / "noughts.pth").write_text(str(ROOT), encoding="utf-8")
    environment.assert_refuses(f"{environment.packages / 'engine'} ", str(ROOT / "engine"), module=True)


def test_every_package_that_is_installed_is_checked():
    with (ROOT / "pyproject.toml").open("rb") as file:
        hatch = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]
    assert hatch["wheel"]["packages"] == ["noughts", *PACKAGES]
