"""What is installed: the command, the grammar and the specs, from a wheel, a source archive, or a checkout."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from kozel_verify.language.folders import data_folder

ROOT = Path(__file__).resolve().parents[1]
START = "import sys; from kozel_verify.cli.main import main; sys.exit(main())"


def built(target: str, source: Path, folder: Path) -> Path:
    """The one file that a build of ``source`` leaves in ``folder``."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=300)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as zipped:
        return {name for name in zipped.namelist() if ".dist-info/" not in name}


def files_of(*folders: str, suffix: str) -> set[str]:
    """Files of the checkout below some folders, with forward slashes."""
    found = (p for folder in folders for p in (ROOT / folder).rglob(f"*{suffix}"))
    return {p.relative_to(ROOT).as_posix() for p in found if "_data" not in p.parts}


def run(folder: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", START, *arguments]
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def test_the_wheel_holds_everything(wheel: Path) -> None:
    """Every module, the grammar and every spec are in the wheel, and neither tests nor other things."""
    modules = files_of("kozel_verify", suffix=".py")
    data = {f"kozel_verify/_data/{name}" for name in files_of("spec", "grammar", "proofs", suffix="")}
    assert len(modules) > 60
    files = {name for name in data if not (ROOT / name.removeprefix("kozel_verify/_data/")).is_dir()}
    assert names_in(wheel) == modules | files | files_of("kozel_verify", suffix="py.typed")


def test_the_wheel_works_anywhere(wheel: Path, tmp_path: Path) -> None:
    """Unpacked anywhere, the package finds its own grammar and specs from any folder, and none of the checkout's."""
    with zipfile.ZipFile(wheel) as zipped:
        zipped.extractall(tmp_path / "site")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = run(tmp_path / "site", elsewhere, "check", "kozel_shokha")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("ok: shipped spec/kozel_shokha.kozel: ")
    spec = json.loads(run(tmp_path / "site", elsewhere, "check", "kozel_shokha", "--format", "json").stdout)["specs"][0]
    assert spec["file"] == str(tmp_path / "site" / "kozel_verify" / "_data" / "spec" / "kozel_shokha.kozel")
    assert run(tmp_path / "site", elsewhere, "new", "mine", "--from", "kozel_shokha").returncode == 0
    assert run(tmp_path / "site", elsewhere, "check", "mine.kozel").returncode == 0


def test_the_wheel_has_the_command(wheel: Path) -> None:
    """Installing it makes the command `kozel`, and brings the licence."""
    with zipfile.ZipFile(wheel) as zipped:
        texts = {n.split("/", 1)[1]: zipped.read(n).decode() for n in zipped.namelist() if ".dist-info/" in n}
    assert "kozel = kozel_verify.cli.main:main" in texts["entry_points.txt"]
    assert texts["licenses/LICENSE"].startswith("MIT License")
    assert "Requires-Dist: z3-solver==5.4.1.0" in texts["METADATA"]


def test_the_source_archive_builds_the_same(wheel: Path, archive: Path, tmp_path: Path) -> None:
    """From the source archive alone the same wheel can be built, and its tests are there."""
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    assert (source / "tests" / "test_packaging.py").is_file()
    again = built("wheel", source, tmp_path / "again")
    assert names_in(again) == names_in(wheel)


def test_a_checkout_works_from_anywhere(tmp_path: Path) -> None:
    """From a checkout (as an editable install uses it) the grammar and the specs beside the package are found."""
    assert data_folder("spec") == ROOT / "spec"
    said = run(ROOT, tmp_path, "check", "kozel_shokha", "--format", "json")
    assert json.loads(said.stdout)["specs"][0]["file"] == str(ROOT / "spec" / "kozel_shokha.kozel")
